import ArgumentParser
import Foundation
import Portolan
import PortolanCity
import PortolanFetch
import PortolanRealtime
import PortolanTransit
import PortolanWeb
import Synchronization

/// `portolan transit engine`.
struct TransitEngineCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine", abstract: "Publishes the changes of a live vehicle source.",
        discussion: """
            Stores the known vehicles, computes missing headings and drops vehicles that are silent for 15 minutes. At each interval \
            it publishes the changes: to a STOMP broker (Mobitransit messages), to a GTFS Realtime file that is replaced as a whole, \
            or as an event stream to standard output. Recordings are replayed as if live. --city writes the lines and stops of a \
            timetable to a .json file for apps. Runs until the source ends or it is interrupted.

            EXAMPLES
              portolan transit engine https://example.org/vehicle-positions.pb \\
                --publish stomp://localhost:61613/topic/mobitransit.helsinki
              portolan transit engine mqtt://mqtt.example --publish vehicles.pb --publish -
              portolan transit engine https://example.org/vehicle-positions.pb \\
                --city https://example.org/gtfs.zip --publish city.json \\
                --publish vehicles.pb
            """)

    @OptionGroup var vehicles: VehicleOptions

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Publish to stomp://HOST:PORT/DESTINATION, a .pb file, a .json file (the city), or - (event stream); "
                + "repeatable.",
            valueName: "where"))
    var publish: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read this GTFS timetable for --publish FILE.json: a ZIP archive, a folder or a URL.", valueName: "feed"))
    var city: String?

    @Option(help: "Publish every N seconds, 0.1 to 3600.")
    var interval = 1.0

    @Option(help: "Replay a recording at N times its speed, 0.1 to 1000.")
    var speed = 1.0

    @Flag(help: "Round headings to eight directions.")
    var eightDirections = false

    @Flag(help: "Do not log publications.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: nil) }

    func validate() throws {
        guard (0.1...3600).contains(interval) else { throw ValidationError("--interval must be between 0.1 and 3600") }
        guard (0.1...1000).contains(speed) else { throw ValidationError("--speed must be between 0.1 and 1000") }
        guard !publish.isEmpty else { throw ValidationError("missing destination; add --publish") }
        guard (city == nil) == cityFiles.isEmpty else {
            throw ValidationError("--city FEED and --publish FILE.json must be used together")
        }
        guard publish.count > cityFiles.count else {
            throw ValidationError("missing destination for vehicles; add another --publish")
        }
    }

    func run() async throws {
        let configuration = try network.configuration(), interest = try vehicles.interest(), quiet = quiet
        let stream = VehicleEngine.EventStreamSink(), cityFiles = cityFiles
        let sinks = try publish.filter { !cityFiles.contains($0) }.map { try sink($0, stream, configuration) }
        let isStream = publish.contains("-"), outcome = EngineOutcome()
        try await writeCity(configuration)
        try await Interruption.cancelling(consequence: "stopped publishing", isEnd: true) {
            let opened = try await vehicles.open(
                configuration, speed: .times(speed), startingAt: Date())
            var settings = VehicleEngine.Core.Settings()
            settings.roundsBearings = eightDirections
            let engine = VehicleEngine(
                [VehicleEngine.Source(opened.feed)], to: sinks, settings: settings, interval: .seconds(interval))
            let told = isStream ? stream.listen() : nil
            try await withThrowingTaskGroup { group in
                // A write error ends the run; the end of the run ends the stream.
                group.addTask {
                    if let told { for await bytes in told { try OutputFile(path: "-").write(bytes) } }
                }
                group.addTask {
                    await engine.run(interest: interest) { report in
                        outcome.take(report)
                        if !quiet { Self.tell(report) }
                    }
                }
                try await group.waitForAll()
            }
        }
        try outcome.check(source: FetchError.redacted(vehicles.source), sinks: sinks.map(\.name))
    }

    private var cityFiles: [String] { publish.filter { OutputFile(path: $0).pathExtension == "json" } }

    /// Writes lines and stops, which change rarely, before listening to vehicles.
    private func writeCity(_ configuration: RendererConfiguration) async throws {
        guard let city else { return }
        let files = cityFiles.map(OutputFile.init(path:))
        for file in files { try file.check() }
        let (timetable, warning, lost) = try await FeedOptions.timetable(city, configuration)
        if let warning, !quiet { StandardError.warn(warning) }
        if !quiet { FeedOptions.tell(lost, of: city) }
        let updated = FeedOptions.changeDate(of: city, configuration) ?? Date()
        guard let document = CityDocument(timetable, updated: updated) else {
            throw CommandFailure(.badData, "\(city): no line has a stop")
        }
        for file in files { try file.write(document.json) }
        if !quiet { StandardError.warn("\(document.lines.count) lines, \(document.stops.count) stops") }
    }

    private func sink(
        _ text: String, _ stream: VehicleEngine.EventStreamSink, _ configuration: RendererConfiguration
    ) throws -> any VehicleEngine.Sink {
        if text == "-" { return stream }
        if ByteEndpoint.speech(at: text) == .stomp, let parts = URLParts(text) {
            let path = parts.path
            let destination = path.isEmpty || path == "/" ? "/topic/mobitransit.helsinki" : path
            do {
                let publisher = try STOMPPublisher(
                    NamedURL(text, namedBy: .user), transport: systemByteTransport(configuration.connection),
                    policy: configuration.addressPolicy)
                return VehicleEngine.STOMPSink(publisher, topic: destination, noticeTopic: destination + ".alerts")
            } catch { throw CommandFailure(.usage, "--publish \(error)") }
        }
        guard OutputFile(path: text).pathExtension == "pb" else {
            throw CommandFailure(
                .usage,
                "--publish \(text): expected stomp://HOST:PORT/DESTINATION, a file ending in .pb, or -")
        }
        try OutputFile(path: text).check()
        return VehicleEngine.RealtimeSink(file: text)
    }

    private static func tell(_ report: VehicleEngine.Report) {
        switch report {
        case .source(let name, .lost(let fault, let retry)):
            StandardError.warn("\(name): \(fault.reason); retrying in \(Int(retry / .seconds(1))) s")
        case .source(let name, .ended(let fault?)): StandardError.warn("\(name): \(fault.reason)")
        case .source: break
        case .losses(let name, let losses): StandardError.warn("\(name): \(losses)")
        case .silent(let name, let count, let newest):
            StandardError.warn("\(name): \(FeedAge.words(count: count, newest: newest))")
        case .published(let name, let change):
            StandardError.warn("\(name): \(change.changed.count) changed, \(change.gone.count) gone")
        case .failed(let name, let fault): StandardError.warn("\(name): \(fault.reason)")
        }
    }
}

/// The outcome of an engine run.
private final class EngineOutcome: Sendable {
    private struct State {
        var isHeard = false, isWhole = true
        var fault: FeedError?
        var published: Set<String> = []
        /// The reason for the last failed publication, by sink.
        var failed: [String: FeedError] = [:]
    }

    private let state = Mutex(State())

    func take(_ report: VehicleEngine.Report) {
        state.withLock { state in
            switch report {
            case .source(_, .live), .source(_, .connected), .source(_, .ended(nil)): state.isHeard = true
            case .source(_, .lost(let fault, _)), .source(_, .ended(let fault?)): state.fault = fault
            case .source(_, .connecting): break
            case .losses, .silent: state.isWhole = false
            case .published(let name, _):
                state.published.insert(name)
                state.failed[name] = nil
            case .failed(let name, let fault): state.failed[name] = fault
            }
        }
    }

    /// Throws if no data was received or a sink has no data; exits with 3 if the output is incomplete.
    func check(source: String, sinks: [String]) throws {
        let state = state.withLock { $0 }
        guard state.isHeard else {
            throw CommandFailure(.unavailable, state.fault?.description ?? "\(source): no response")
        }
        for name in sinks where !state.published.contains(name) {
            if let fault = state.failed[name] { throw CommandFailure(.unavailable, "nothing published: \(fault)") }
        }
        if !state.isWhole || !state.failed.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }
}
