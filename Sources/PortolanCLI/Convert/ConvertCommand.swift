import ArgumentParser
import Foundation
import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb

/// `portolan convert`: writes a file of features in another format.
struct ConvertCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Writes a file of features in another format.",
        usage: "portolan convert <in> <out> [<options>]",
        discussion: """
            Read are the formats of a layer of features (see portolan render --help); the first bytes decide which it is. Written \
            are GeoJSON and its lines and sequences, KML, GPX, CSV, Shapefiles (.shp, or zipped as .zip), FlatGeobuf, well-known text and binary, GeoPackages, and encoded polylines; the name of \
            the file, or --to, says which. Warnings say what a format has no place for.

            Coordinates of GeoJSON become longitude and latitude, as RFC 7946 wants them, and what crosses the antimeridian is cut there; those of well-known text and binary \
            and of GeoPackages stay as they are; --crs says otherwise. KML, GPX and polylines are always in degrees.

            EXAMPLES
              A walk of a receiver for a web map, with a decimetre's precision:
                portolan convert walk.gpx walk.geojson --precision 6

              A Shapefile in the system of the country:
                portolan convert roads.shp roads.wkt --crs EPSG:3067

              What lies within 250 m of the stations:
                portolan convert stations.gpkg near.geojson --buffer 250

              All features of a service, page after page:
                portolan convert 'wfs:https://a.test/wfs;layers=roads' roads.gpkg

              Lines of GeoJSON, however many, one by one:
                portolan convert huge.ndjson other.ndjson --crs EPSG:3857

            EXIT CODES
              0   written
              3   written, without lines that cannot be read, or features that a service did not give
              64  the format that is wanted is not written
              65  the file is of nothing that is known, or broken
              66  there is no such file
              73  the file cannot be written
            """)

    @Argument(
        help: ArgumentHelp(
            "A file or URL of features, a layer of a service (wfs:, oaf:), or '-' for standard input.", valueName: "in")
    )
    var source: String

    @Argument(help: ArgumentHelp("The file to write, or '-' for standard output.", valueName: "out"))
    var out: String?

    @Option(name: [.short, .long], help: ArgumentHelp("The same.", valueName: "out"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "geojson, geojsonl, geojsons, kml, gpx, csv, shp, shz, fgb, gpkg, wkt, wkb, polyline or polyline6 (default: by the name of the file).",
            valueName: "format"))
    var to: String?

    @Option(help: ArgumentHelp("The coordinate system of what is written.", valueName: "crs"))
    var crs: String?

    @Option(
        help: ArgumentHelp(
            "The most decimals of coordinates, 0 to 15 (default: all that they have).", valueName: "decimals"))
    var precision: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write the areas within so many metres of each shape on the ground; less than zero shrinks areas.",
            valueName: "metres"))
    var buffer: Double?

    @Option(help: "The layer of a GeoPackage of several.")
    var layer: String?

    @Flag(help: "Show no warnings.")
    var quiet = false

    @OptionGroup(title: "Tables") var tables: TableOptions

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: .seconds(3600)) }

    func run() async throws {
        guard let path = out ?? output, out == nil || output == nil else {
            throw CommandFailure(
                .usage,
                "say once where the features go, as in portolan convert a.gpx b.geojson; see portolan convert --help")
        }
        let file = OutputFile(path: path)
        let format = try wantedFormat(of: file)
        if let precision, !(0...15).contains(precision) {
            throw CommandFailure(.usage, "--precision is \(precision); it goes from 0 to 15")
        }
        if let buffer, !(abs(buffer) <= Geometry.largestBuffer) {
            throw CommandFailure(.usage, "--buffer is \(buffer); it goes up to 2,000 km")
        }
        let target: CRS? = try crs.map { text in
            do { return try CRS(text) } catch { throw CommandFailure(.usage, "--crs: \(error)") }
        }
        if let target, format.isAlwaysInDegrees, !target.isGeographic {
            throw CommandFailure(.usage, "\(format.name) has its coordinates in degrees; leave --crs out")
        }
        try file.check()
        let conversion = FeatureConversion(format: format, crs: target, decimals: precision, buffer: buffer)
        if source != "-", conversion.isLineByLine, FileAddress.isLocal(source),
            let opened = try? LocalFile(at: source), FeatureLines.isSequence(opened)
        {
            let lines = FeatureLines(file: opened, conversion: conversion, memory: try limits.memory())
            let outcome = try file.write(pieces: lines.convert)
            if !quiet { StandardError.warn(outcome.warnings) }
            if outcome.isIncomplete { throw ExitCode(ExitStatus.incomplete.rawValue) }
            return
        }
        let (collection, missing) = try await FeatureInput(source: source, layer: layer, tables: tables).read(network)
        let converted = try conversion.collection(collection)
        if !quiet {
            StandardError.warn(collection.warnings)
            conversion.losses(of: collection).forEach { StandardError.warn($0) }
        }
        if let files = format.files, !file.isStandardOutput {
            let folder = file.path.lastIndex(of: "/").map { file.path[...$0] } ?? ""
            try OutputFile.write(
                files(converted, file.stem).map { (OutputFile(path: folder + $0.name), $0.bytes) })
        } else {
            try file.write(try conversion.bytes(of: converted))
        }
        guard !missing.isEmpty else { return }
        missing.forEach { StandardError.warn($0) }
        throw ExitCode(ExitStatus.incomplete.rawValue)
    }

    private func wantedFormat(of file: OutputFile) throws(CommandFailure) -> WrittenFormat {
        let word = (to ?? file.pathExtension).lowercased()
        if let format = WrittenFormat.all.first(where: { $0.suffixes.contains(word) }) { return format }
        let known = WrittenFormat.all.map { $0.suffixes[0] }.joined(separator: ", ")
        guard to != nil || !word.isEmpty else {
            throw CommandFailure(.usage, "say in which format, as with --to geojson; there are: \(known)")
        }
        throw CommandFailure(.usage, "'\(word)' is no format that is written; there are: \(known)")
    }
}
