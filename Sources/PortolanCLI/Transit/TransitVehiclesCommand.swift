import ArgumentParser
import Foundation
import Portolan
import PortolanCity
import PortolanGeo
import PortolanRealtime
import PortolanTransit

/// The source of live vehicles.
struct VehicleOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A GTFS Realtime or SIRI URL, a broker (stomp://, mqtt://), or a recording.", valueName: "source"))
    var source: String

    @Option(
        help: ArgumentHelp(
            "Set the format: gtfs-rt, siri, stomp, hfp or recording (default: by content).", valueName: "format"),
        transform: { text in
            guard let form = VehicleSource.Form(rawValue: text) else {
                let known = VehicleSource.Form.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("'\(text)': must be one of \(known)")
            }
            return form
        })
    var format: VehicleSource.Form?

    @Option(help: "Request every N seconds, 1 to 3600.")
    var every = 30.0

    @Option(help: ArgumentHelp("Show these lines only (identifiers, comma-separated).", valueName: "ids"))
    var lines: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show this area only: west,south,east,north in degrees.", valueName: "bbox"))
    var bbox: String?

    func validate() throws {
        guard (1...3600).contains(every) else { throw ValidationError("--every \(every): must be between 1 and 3600") }
        _ = try interest()
    }

    /// The filter.
    func interest() throws -> VehicleInterest {
        var interest = VehicleInterest(lines: lines.map { Set($0.split(separator: ",").map(String.init)) })
        guard let bbox else { return interest }
        let numbers = bbox.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
        guard numbers.count == 4,
            let extent = Extent(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3])
        else { throw ValidationError("--bbox \(bbox): expected west,south,east,north in degrees") }
        interest.extent = extent
        return interest
    }

    /// Opens the source.
    ///
    /// - Parameter start: the start time of a recording, or `nil` for its original time.
    func open(
        _ configuration: RendererConfiguration, speed: ReplayFeed.Speed, startingAt start: Date? = nil
    ) async throws -> VehicleSource.Opened {
        do {
            return try await VehicleSource(source, form: format)
                .open(
                    client: ServiceClient(configuration: configuration), pace: .seconds(every), speed: speed,
                    startingAt: start)
        } catch {
            switch error.inner {
            case let error as FetchError: throw CommandFailure(.usage, error.description)
            case let error as ServiceError: throw CommandFailure(error, of: source)
            default: throw CommandFailure(.badData, error.sentence)
            }
        }
    }
}

/// `portolan transit vehicles`.
struct TransitVehiclesCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "vehicles", abstract: "Lists the vehicles of a live source, or follows them.",
        discussion: """
            Listens to a broker for --seconds. --follow runs until the source ends or it is interrupted. --follow --json prints a \
            recording, which can be used as a source.

            EXAMPLES
              portolan transit vehicles https://example.org/vehicle-positions.pb
              portolan transit vehicles stomp://localhost:61613 --lines 1009 --follow
              portolan transit vehicles mqtts://mqtt.example:8883 \\
                --bbox 24.9,60.15,25,60.2 --follow --json > morning.jsonl
            """)

    @OptionGroup var vehicles: VehicleOptions

    @Flag(help: "Print changes line by line until the source ends.")
    var follow = false

    @Option(help: "Listen to a broker for N seconds, 0.1 to 600.")
    var seconds = 5.0

    @Option(help: "Replay a recording at N times its speed, 0.1 to 1000.")
    var speed = 1.0

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: follow ? nil : .seconds(120 + seconds)) }

    func validate() throws {
        guard (0.1...600).contains(seconds) else { throw ValidationError("--seconds must be between 0.1 and 600") }
        guard (0.1...1000).contains(speed) else { throw ValidationError("--speed must be between 0.1 and 1000") }
    }

    func run() async throws {
        let configuration = try network.configuration(), interest = try vehicles.interest()
        guard !follow else { return try await followed(configuration, interest) }
        let heard = try await Interruption.cancelling {
            try await vehicles.open(configuration, speed: .whole).listen(for: .seconds(seconds), interest: interest)
        }
        let shown = heard.fleet.snapshot.filter(interest.contains).map(heard.fleet.withDelay)
        // A source without a response is not the same as one without vehicles.
        if let fault = heard.fault, shown.isEmpty, !heard.isHeard {
            throw CommandFailure(.unavailable, fault.description)
        }
        let document = VehiclesDocument(shown, heard)
        try OutputFile(path: "-").write(json ? JSONText.bytes(document) : Array(document.text.utf8))
        for note in heard.notes { StandardError.warn([note.from(FetchError.redacted(vehicles.source))]) }
        let isOld = shown.isEmpty && heard.silentCount > 0
        if heard.fault != nil || heard.losses.count > 0 || isOld { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    /// Prints changes.
    private func followed(_ configuration: RendererConfiguration, _ interest: VehicleInterest) async throws {
        let name = FetchError.redacted(vehicles.source)
        let (fault, isWhole) = try await Interruption.cancelling(consequence: "stopped following") {
            () -> (FeedError?, Bool) in
            let opened = try await vehicles.open(configuration, speed: .times(speed))
            let (interests, asking) = AsyncStream.makeStream(of: VehicleInterest.self)
            asking.yield(interest)
            defer { asking.finish() }
            var fleet = Fleet()
            let isRecording = opened.end != nil
            var end: FeedError?, losses: FeedLosses?, isOld = false
            for await event in opened.feed.events(for: interests) {
                switch event {
                case .state(.lost(let fault, let retry)):
                    StandardError.warn("\(fault); retrying in \(Int(retry / .seconds(1))) s")
                case .state(.ended(let fault)): end = fault
                // Servers repeat them in each response.
                case .losses(let lost) where lost != losses:
                    StandardError.warn("\(name): \(lost)")
                    losses = lost
                default: break
                }
                let now = isRecording ? event.time ?? Date() : Date()
                let change = fleet.apply(event, now: now)
                if !isOld, let newest = change.silent.lazy.filter(interest.contains).map(\.time).max() {
                    isOld = true
                    StandardError.warn(
                        "\(name): \(FeedAge.words(count: change.silent.count, newest: newest, now: now))")
                }
                let silent = isRecording ? [] : fleet.forget(now: now).gone
                let changed = change.isOfTrips ? fleet.snapshot : change.changed
                try print(
                    changed.filter(interest.contains).map(fleet.withDelay), gone: change.gone + silent, at: now)
            }
            return (end, losses == nil)
        }
        if let fault { throw CommandFailure(.unavailable, fault.description) }
        if !isWhole { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    private func print(_ changed: [VehicleReport], gone: [String], at time: Date) throws {
        guard !changed.isEmpty || !gone.isEmpty else { return }
        if json {
            var lines: [UInt8] = []
            if !changed.isEmpty { lines += ReplayFeed.Record(time: time, event: .reports(changed)).line + [0x0A] }
            if !gone.isEmpty { lines += ReplayFeed.Record(time: time, event: .gone(gone, since: time)).line + [0x0A] }
            return try OutputFile(path: "-").write(lines)
        }
        let lines = changed.map { VehiclesDocument.Vehicle($0).text } + gone.map { "\($0)  gone" }
        try OutputFile(path: "-").write(Array(lines.map { PlainText.oneLine($0) + "\n" }.joined().utf8))
    }
}

extension Fleet {
    /// A report with the delay, if the trip is known.
    fileprivate func withDelay(_ report: VehicleReport) -> VehicleReport {
        var report = report
        report.delay = delay(of: report)
        return report
    }
}

/// Vehicles, as printed.
struct VehiclesDocument: Encodable {
    struct Vehicle: Encodable {
        var id: String
        var line, label, mode, headsign, trip, stop: String?
        var direction: Int?
        var coordinate: [Double]?
        /// Degrees clockwise from north, and metres per second.
        var bearing, speed: Double?
        /// Seconds.
        var delay: Int?
        /// ISO 8601, UTC.
        var time: String

        init(_ report: VehicleReport) {
            id = report.id
            (line, label, mode, headsign) = (report.line, report.label, report.mode?.rawValue, report.headsign)
            (trip, direction, stop) = (report.trip?.trip, report.trip?.direction, report.stop)
            coordinate = report.place.map { [$0.x, $0.y] }
            (bearing, speed) = (report.bearing, report.speed)
            delay = report.delay.map { Int($0 / .seconds(1)) }
            time = report.time.formatted(.iso8601)
        }

        /// The vehicle as a line of text.
        fileprivate var text: String { cells.filter { !$0.isEmpty }.joined(separator: "  ") }

        fileprivate var cells: [String] {
            func rounded(_ number: Double) -> String { String((number * 1e5).rounded() / 1e5) }
            return [
                id, label ?? line ?? "", mode ?? "", headsign ?? "",
                coordinate.map { "\(rounded($0[0])),\(rounded($0[1]))" } ?? "",
                bearing.map { "\(Int($0.rounded()))°" } ?? "",
                delay.map {
                    $0 == 0 ? "on time" : "\($0 > 0 ? "+" : "−")\(abs($0) / 60):\(String(format: "%02d", abs($0) % 60))"
                }
                    ?? "", time,
            ]
        }
    }

    var time: String
    /// The age of the newest position in seconds, if it exceeds the time that vehicles are kept.
    var age: Int?
    var vehicles: [Vehicle]
    /// The reason for an empty list.
    private let nothing: String

    private enum CodingKeys: String, CodingKey { case time, age, vehicles }

    init(_ reports: [VehicleReport], _ heard: VehicleSource.Opened.Heard) {
        time = heard.time.formatted(.iso8601)
        age = heard.age().map { Int($0 / .seconds(1)) }
        nothing = heard.nothing.message
        vehicles = reports.map(Vehicle.init)
    }

    /// The vehicles as text.
    var text: String {
        vehicles.isEmpty
            ? nothing + "\n"
            : TextTable.text(
                [["ID", "LINE", "KIND", "TO", "PLACE", "HEADING", "DELAY", "TIME"]] + vehicles.map(\.cells),
                hasWholeEnd: true)
    }
}
