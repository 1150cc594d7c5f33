import ArgumentParser
import Foundation
import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb

/// `portolan convert`: converts features to another file format.
struct ConvertCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts features to another file format.",
        usage: "portolan convert <in> <out> [<options>]",
        discussion: """
            Reads any feature layer (see portolan help layers); the content decides the format. Writes GeoJSON, GeoJSON lines and \
            sequences, KML, GPX, CSV, Shapefile (.shp or .zip), FlatGeobuf, GeoParquet, WKT, WKB, GeoPackage and encoded \
            polylines. The file extension or --to chooses the format. Warnings name data that the format cannot hold.

            GeoJSON is written in longitude and latitude and cut at the antimeridian (RFC 7946). WKT, WKB, Shapefile, FlatGeobuf, \
            GeoParquet and GeoPackage keep the CRS. --crs overrides both. KML, GPX and polylines are always in degrees.

            Features are changed in this order: --join, --filter, --clip, --dissolve, --simplify, --centroids, --buffer, --sort, \
            --select. Borders that areas share stay shared. Of GeoParquet, GeoPackage and \
            Shapefiles, only the box of --clip is read.

            EXAMPLES
              A GPX track to GeoJSON, rounded to decimetres:
                portolan convert walk.gpx walk.geojson --precision 6

              A Shapefile to another CRS:
                portolan convert roads.shp roads-3067.shp --crs EPSG:3067

              Buffers of 250 m around stations:
                portolan convert stations.gpkg near.geojson --buffer 250

              Continents with their population, for a small picture:
                portolan convert countries.shp continents.geojson --dissolve continent --simplify 20000

              The large municipalities of a region, largest first, with figures from a table:
                portolan convert municipalities.gpkg towns.csv --clip region.geojson --join figures.csv --on code \\
                  --filter '[">", ["get", "population"], 50000]' --centroids --sort population:desc --select name,population

              All pages of a feature service:
                portolan convert 'wfs:https://a.test/wfs;layers=roads' roads.gpkg

              Buildings of vector tiles in a box, joined across tile borders:
                portolan convert helsinki.mbtiles buildings.gpkg --layer building \\
                  --zoom 14 --bbox 24.9,60.1,25,60.2 --bbox-crs EPSG:4326

              GeoJSON lines of any length, streamed:
                portolan convert huge.ndjson other.ndjson --crs EPSG:3857

            EXIT CODES
              0   written
              3   written, but invalid lines or features of a service are missing
              64  usage, or unknown output format
              65  unknown input format or invalid data
              66  no such file
              73  cannot write the file
            """)

    @Argument(
        help: ArgumentHelp(
            "A file or URL with features or vector tiles, a service layer (wfs:, oaf:, tilejson:, vector:), or '-' for standard input.",
            valueName: "in")
    )
    var source: String

    @Argument(help: ArgumentHelp("Write this file; '-' is standard output.", valueName: "out"))
    var out: String?

    @Option(
        name: [.short, .long], help: ArgumentHelp("Write this file (same as the second argument).", valueName: "out"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Set the format: geojson, geojsonl, geojsons, kml, gpx, csv, shp, shz, fgb, parquet, gpkg, wkt, wkb, polyline or polyline6 (default: by extension).",
            valueName: "format"))
    var to: String?

    @Option(help: ArgumentHelp("Set the CRS of the output.", valueName: "crs"))
    var crs: String?

    @Option(
        help: ArgumentHelp(
            "Write at most N decimals per coordinate, 0 to 15 (default: all).", valueName: "decimals"))
    var precision: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write polygons within N metres of each shape. Negative values shrink polygons.",
            valueName: "metres"))
    var buffer: Double?

    @Option(help: "Read this layer of a GeoPackage with several, or these layers of vector tiles, with commas.")
    var layer: String?

    @Flag(help: "Print no warnings.")
    var quiet = false

    @OptionGroup(title: "Choosing and changing features") var change: ChangeOptions

    @OptionGroup(title: "Tables") var tables: TableOptions

    @OptionGroup(title: "Vector tiles") var tiles: TileOptions

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: .seconds(3600)) }

    func run() async throws {
        guard let path = out ?? output, out == nil || output == nil else {
            throw CommandFailure(
                .usage,
                "expected one output file, as in portolan convert a.gpx b.geojson (see portolan convert --help)")
        }
        let file = OutputFile(path: path)
        let format = try wantedFormat(of: file)
        if let precision, !(0...15).contains(precision) {
            throw CommandFailure(.usage, "--precision \(precision): must be between 0 and 15")
        }
        if let buffer, !(abs(buffer) <= Geometry.largestBuffer) {
            throw CommandFailure(.usage, "--buffer \(buffer): must be at most 2,000 km")
        }
        let target: CRS? = try crs.map { text in
            do { return try CRS(text) } catch { throw CommandFailure(.usage, "--crs: \(error)") }
        }
        if let target, format.isAlwaysInDegrees, !target.isGeographic {
            throw CommandFailure(.usage, "\(format.name) is always in degrees; remove --crs")
        }
        try file.check()
        let conversion = FeatureConversion(
            format: format, crs: target, decimals: precision, buffer: buffer, changes: try await change.changes(network)
        )
        if source != "-", conversion.isLineByLine, tiles.bbox == nil, FileAddress.isLocal(source),
            let opened = try? LocalFile(at: source), FeatureLines.isSequence(opened)
        {
            let lines = FeatureLines(file: opened, conversion: conversion, memory: try limits.memory())
            let outcome = try file.write(pieces: lines.convert)
            if !quiet { StandardError.warn(outcome.warnings) }
            if outcome.isIncomplete { throw ExitCode(ExitStatus.incomplete.rawValue) }
            return
        }
        var input = FeatureInput(source: source, layer: layer, tables: tables, tiles: tiles)
        // A join reports the rows of its table without a feature, which may be outside.
        if conversion.changes.join == nil { input.clip = conversion.changes.clip }
        let (collection, missing) = try await input.read(network)
        let converted = try conversion.collection(collection)
        if !quiet {
            StandardError.warn(converted.warnings)
            conversion.losses(of: converted).forEach { StandardError.warn($0) }
        }
        if let files = format.files, !file.isStandardOutput {
            let folder = file.path.lastIndex(of: "/").map { file.path[...$0] } ?? ""
            try OutputFile.write(
                try files(converted, file.stem).map { (OutputFile(path: folder + $0.name), $0.bytes) })
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
            throw CommandFailure(.usage, "unknown output format; add --to geojson, or one of: \(known)")
        }
        throw CommandFailure(.usage, "unknown output format '\(word)'; available: \(known)")
    }
}
