import ArgumentParser
import Foundation
import Portolan
import PortolanDoctor

/// `portolan doctor`: does with a service what a client would, and names what deviates.
struct DoctorCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks a service and names each deviation from its standard.",
        usage: "portolan doctor [<kind>:]<url> [--layer <name> ...] [--json] [<options>]",
        discussion: """
            Asks as a client would, one request after the other: for the
            capabilities in each version (without one, 1.3.0, 1.0.0, then 1.1.1 and
            1.1.0), for small maps of a few layers in each version and
            reference system, which are compared, for each format, for a tile of
            each tile set, for a layer that is not there, for features and a
            legend. Of WMTS and TMS a tile of each matrix set is asked for; of WFS
            and OGC API - Features some features, their next page, those in a box
            and the same in another system, which are compared. The server itself
            is asked, whatever the cache has, and nothing twice.

            Of a style in a file the sources are read and all layers are drawn
            once; each thing that is not drawn is named.

            The report has a line for each finding and its remedy below:
              ✓  good
              ·  a note: nothing is wrong, but it is good to know
              !  a deviation: against the standard, or clients stumble over it
              ✗  a fault: something that is offered does not work

            Exit codes: 0 nothing but notes, 3 deviations or faults, 64 usage,
            65 the address is none of a service, 69 the service does not answer.

            EXAMPLES
              Examine a map service:
                portolan doctor https://example.org/wms

              In one version alone:
                portolan doctor https://example.org/wms --wms-version 1.3.0

              Two of its layers, with at most 40 requests:
                portolan doctor https://example.org/wms --layer roads \\
                  --layer names --max-requests 40

              What is not drawn of a style in a file, of MapLibre or an SLD:
                portolan doctor style.json

              A Web Feature Service: pages, boxes, axes, systems:
                portolan doctor 'wfs:https://example.org/wfs'

              A layer as it is written for portolan render:
                portolan doctor 'wms:https://example.org/wms;layers=roads'

              The codes of all faults, for a program:
                portolan doctor https://example.org/wms --json |
                  jq '.sections[].findings[] | select(.severity=="fault").code'
            """)

    @Argument(
        help: ArgumentHelp("The URL of a WMS, WMTS, TMS, WFS or OGC API - Features, or a style file.", valueName: "url")
    )
    var url: String

    @Option(
        name: [.short, .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A layer to ask maps or tiles of; repeatable (default: the first few).", valueName: "name"))
    var layer: [String] = []

    @Option(help: "How many layers are taken where none are named, 1 to 100 (default: 2).")
    var maxLayers: Int?

    @Option(help: "The most requests sent in all, 1 to 10000 (default: 80).")
    var maxRequests: Int?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A version to examine a WMS in, 1.0.0, 1.1.0, 1.1.1 or 1.3.0; repeatable (default: all that it speaks).",
            valueName: "version"))
    var wmsVersion: [String] = []

    @Flag(help: "Print JSON instead of a report.")
    var json = false

    @Flag(help: "Show no progress.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: .seconds(3600)) }

    func run() async throws {
        let given = url
        let parts = try LayerSpecification.Parts.argument(given)
        let url = parts?.source ?? url
        if parts == nil || parts?.kind == .style, FileAddress.isLocal(url),
            let style = try await StyleDiagnosis(path: FileAddress.path(of: url), network)
        {
            return try tell(style)
        }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw CommandFailure(
                .usage,
                "'\(url)' is no address of a service, which begins with http:// or https://; "
                    + "portolan info reads saved documents")
        }
        for (option, isGiven) in [
            ("--offline", network.offline), ("--cache", network.cache != nil), ("--retries", network.retries ?? 0 != 0),
        ] where isGiven {
            throw CommandFailure(
                .usage, "\(option) is not for the doctor, who asks the server itself, and for everything once")
        }
        var options = ExaminationOptions(layers: layer.isEmpty ? parts?.layerNames ?? [] : layer)
        switch parts?.kind {
        case .wms?, .wmsc?: options.kind = .wms
        case .wmts?: options.kind = .wmts
        case .tms?: options.kind = .tms
        case .wfs?: options.kind = .wfs
        case .ogcAPI?: options.kind = .ogcAPI
        case let other?:
            throw CommandFailure(
                .usage, "\(other): is no kind of service that can be examined; wms:, wmts:, tms:, wfs: and oaf: are")
        case nil: break
        }
        for text in wmsVersion {
            guard let version = WMSVersion(rawValue: text) else {
                throw CommandFailure(.usage, "--wms-version '\(text)' is none of 1.0.0, 1.1.0, 1.1.1 and 1.3.0")
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
        let bytes =
            json ? try JSONText.bytes(DiagnosisDocument(diagnosis)) : [UInt8](DiagnosisReport(diagnosis).text().utf8)
        try OutputFile(path: "-").write(bytes)
        if diagnosis.gravest.map({ $0 > Finding.Severity.note }) ?? false {
            throw ExitCode(ExitStatus.incomplete.rawValue)
        }
    }

    /// Tells what of a style in a file is not drawn.
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
                .usage, "\(option) \(value) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }
}

/// The count of requests on standard error, where that is a terminal.
struct RequestCounter: Sendable {
    private let isShown: Bool

    init(isQuiet: Bool) { isShown = !isQuiet && StandardError.isTerminal }

    /// Shows how many requests have been answered.
    func show(_ count: Int) {
        if isShown { StandardError.write("\r\(count) requests") }
    }

    /// Takes the count away.
    func finish() {
        if isShown { StandardError.write("\r\u{1B}[K") }
    }
}
