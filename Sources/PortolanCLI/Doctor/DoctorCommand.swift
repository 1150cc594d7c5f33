import ArgumentParser
import Foundation
import Portolan
import PortolanArchives
import PortolanDoctor

/// `portolan doctor`: checks a service as a client would, and names deviations.
struct DoctorCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks a service against its standard and names each deviation, with a remedy.",
        usage: "portolan doctor [<kind>:]<url> [--layer <name> ...] [--json] [<options>]",
        discussion: """
            Sends one request after another and ignores the cache. For a WMS it checks
            the capabilities of each version, small maps in each version, CRS and
            format, tile sets, an unknown layer, GetFeatureInfo and legends. For WMTS
            and TMS it checks a tile of each matrix set. For WFS and OGC API - Features
            it checks some features, the next page, a bounding box and other CRSs. For
            a MapLibre style or SLD file it reads the sources, draws all layers once
            and names what is not drawn. For an MBTiles or PMTiles file it checks the
            metadata and directories and decodes some tiles; for TileJSON it fetches
            three tiles.

            Each finding is one line, with its remedy below:
              ✓  passed
              ·  note: correct, but useful to know
              !  deviation: against the standard, or a problem for clients
              ✗  fault: an offered operation does not work

            EXIT CODES
              0   notes at most
              3   deviations or faults
              64  usage: invalid command line
              65  the URL is not a known service
              69  no response from the service

            EXAMPLES
              Check a map service:
                portolan doctor https://example.org/wms

              Check one WMS version only:
                portolan doctor https://example.org/wms --wms-version 1.3.0

              Check two layers, with at most 40 requests:
                portolan doctor https://example.org/wms --layer roads \\
                  --layer names --max-requests 40

              Check a MapLibre style or SLD:
                portolan doctor style.json

              Check a tile archive, and a TileJSON document:
                portolan doctor helsinki.pmtiles
                portolan doctor tilejson:https://example.org/tiles.json

              Check a layer in the notation of render:
                portolan doctor 'wms:https://example.org/wms;layers=roads'

              Print the codes of all faults:
                portolan doctor https://example.org/wms --json |
                  jq '.sections[].findings[] | select(.severity=="fault").code'
            """)

    @Argument(
        help: ArgumentHelp(
            "The URL of a WMS, WMTS, TMS, WFS, OGC API - Features, TileJSON, PMTiles or GeoTIFF, an MBTiles, PMTiles or GeoTIFF file, or a style file.",
            valueName: "url")
    )
    var url: String

    @Option(
        name: [.short, .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Check this layer (default: the first few). Repeatable.", valueName: "name"))
    var layer: [String] = []

    @Option(help: "Check the first N layers, 1 to 100 (default: 2).")
    var maxLayers: Int?

    @Option(help: "Send at most N requests, 1 to 10000 (default: 80).")
    var maxRequests: Int?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Check this WMS version: 1.0.0, 1.1.0, 1.1.1 or 1.3.0 (default: all). Repeatable.",
            valueName: "version"))
    var wmsVersion: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print no progress.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: .seconds(3600)) }

    func run() async throws {
        let given = url
        let parts = try LayerSpecification.Parts.argument(given)
        let url = parts?.source ?? url
        #if PostGIS
        if let database = try await DatabaseDiagnosis.examining(given, parts, network) { return try tell(database) }
        #endif
        if parts == nil || parts?.kind == .style, FileAddress.isLocal(url),
            let style = try await StyleDiagnosis(path: FileAddress.path(of: url), network)
        {
            return try tell(style)
        }
        if FileAddress.isLocal(url), let archive = try Self.archive(at: url, isExpected: parts?.kind.isArchive == true)
        {
            return try tell(archive)
        }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw CommandFailure(
                .usage,
                "'\(url)': not a service URL; it must begin with http:// or https://; to "
                    + "read a saved document, use portolan info")
        }
        for (option, isGiven) in [
            ("--offline", network.offline), ("--cache", network.cache != nil), ("--retries", network.retries ?? 0 != 0),
        ] where isGiven {
            throw CommandFailure(
                .usage, "\(option) is not supported: doctor always sends requests, each one once")
        }
        var options = ServiceDoctor.Options(layers: layer.isEmpty ? parts?.layerNames ?? [] : layer)
        switch parts?.kind {
        case .wms?, .wmsc?: options.kind = .wms
        case .wmts?: options.kind = .wmts
        case .tms?: options.kind = .tms
        case .wfs?: options.kind = .wfs
        case .ogcAPI?: options.kind = .ogcAPI
        case .tileJSON?: options.kind = .tileJSON
        case .pmtiles?: options.kind = .pmtiles
        case .geoTIFF?: options.kind = .geoTIFF
        case let other?:
            throw CommandFailure(
                .usage,
                "\(other): cannot be checked; supported: wms:, wmts:, tms:, wfs:, oaf:, tilejson:, pmtiles: and "
                    + "geotiff:")
        case nil: break
        }
        for text in wmsVersion {
            guard let version = WMSCapabilities.Version(rawValue: text) else {
                throw CommandFailure(.usage, "--wms-version '\(text)': must be 1.0.0, 1.1.0, 1.1.1 or 1.3.0")
            }
            options.versions.append(version)
        }
        options.maximumLayerCount = try Self.number(maxLayers, "--max-layers", 1...100) ?? options.maximumLayerCount
        options.maximumRequestCount =
            try Self.number(maxRequests, "--max-requests", 1...10_000) ?? options.maximumRequestCount
        let doctor = ServiceDoctor(configuration: try network.configuration())
        let counter = RequestCounter(isQuiet: quiet)
        let asked = options
        let diagnosis = try await Interruption.cancelling {
            defer { counter.finish() }
            do { return try await doctor.diagnose(url, options: asked, progress: counter.show) } catch let error
                as ServiceError
            {
                throw CommandFailure(error, of: url)
            }
        }
        try tell(diagnosis)
    }

    #if PostGIS
    private func tell(_ database: DatabaseDiagnosis) throws {
        try OutputFile(path: "-").write(json ? try JSONText.bytes(database) : [UInt8](database.text.utf8))
        if !database.findings.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }
    #endif

    private func tell(_ diagnosis: ServiceDiagnosis) throws {
        let bytes =
            json ? try JSONText.bytes(DiagnosisDocument(diagnosis)) : [UInt8](DiagnosisReport(diagnosis).text().utf8)
        try OutputFile(path: "-").write(bytes)
        if diagnosis.gravest.map({ $0 > Finding.Severity.note }) ?? false {
            throw ExitCode(ExitStatus.incomplete.rawValue)
        }
    }

    /// The diagnosis of a tile archive in a file, or `nil` if the file is another one.
    private static func archive(at path: String, isExpected: Bool) throws(CommandFailure) -> ServiceDiagnosis? {
        let path = FileAddress.path(of: path)
        do throws(ArchiveError) {
            let kind = try? TileArchiveKind(path: path)
            if GeoTIFFRaster.recognizes(path: path) { return try GeoTIFFExamination.run(path: path) }
            guard isExpected || kind == .pmtiles || kind == .mbtiles else { return nil }
            guard FileManager.default.fileExists(atPath: path) else {
                throw ArchiveError(.cannotOpen, place: path, detail: "there is no such file")
            }
            return try TileArchiveExamination.run(path: path)
        } catch { throw CommandFailure(error) }
    }

    /// Reports the parts of a style file that are not drawn.
    private func tell(_ diagnosis: StyleDiagnosis) throws {
        try OutputFile(path: "-").write(json ? try JSONText.bytes(diagnosis) : [UInt8](diagnosis.text.utf8))
        if !diagnosis.notDrawn.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    private static func number(
        _ value: Int?, _ option: String, _ range: ClosedRange<Int>
    ) throws(CommandFailure) -> Int? {
        guard let value else { return nil }
        guard range.contains(value) else {
            throw CommandFailure(
                .usage, "\(option) \(value): must be between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }
}

/// The request counter on standard error, if that is a terminal.
struct RequestCounter: Sendable {
    private let isShown: Bool

    init(isQuiet: Bool) { isShown = !isQuiet && StandardError.isTerminal }

    /// Shows the number of completed requests.
    func show(_ count: Int) {
        if isShown { StandardError.write("\r\(count) requests") }
    }

    /// Clears the counter.
    func finish() {
        if isShown { StandardError.write("\r\u{1B}[K") }
    }
}
