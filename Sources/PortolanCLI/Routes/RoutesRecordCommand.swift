import ArgumentParser
import Foundation
import Portolan
import PortolanRouteBook
import PortolanWeb

/// `portolan routes record`.
struct RoutesRecordCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Records positions of a GNSS receiver as a route.",
        discussion: """
            Reads NMEA 0183 sentences (RMC and GGA) from a serial device, a pipe, a log or standard input. Set the speed of a serial \
            device with stty. The recording ends with its source or with Ctrl-C and is then added to the book. It is saved every ten \
            positions; --recover adds the recordings of killed processes.

            EXAMPLES
              portolan routes record /dev/ttyUSB0 --name 'Today'
              gpspipe -r | portolan routes record - --name 'Commute'
              portolan routes record drive.nmea
              portolan routes record --recover

            EXIT CODES
              0   recorded
              3   recorded, without damaged sentences
              65  fewer than two positions
              66  no such source, or no permission to read it
              73  cannot write the book
            """)

    @Argument(help: ArgumentHelp("A device or file, or '-' for standard input.", valueName: "source"))
    var source: String?

    @Option(help: "Set the name of the route (default: the date and time).")
    var name: String?

    @Flag(help: "Add the recordings that killed processes left.")
    var recover = false

    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions
    var timeLimit: TimeLimit { .ends(usual: nil) }

    func validate() throws {
        guard recover == (source == nil) else {
            throw ValidationError(
                recover ? "--recover takes no source; remove it" : "Missing expected argument '<source>'")
        }
        if let name { try RoutesRenameCommand.check(name) }
    }

    func run() async throws {
        guard let source else {
            let recovered = try book.asking { (book) throws(MapError) in try book.recoverRecordings() }
            return try book.print(
                recovered, or: recovered.isEmpty ? "nothing to recover\n" : BookOptions.table(recovered))
        }
        let input = try Self.input(source)
        let name = name ?? "Recorded \(Date.now.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon)))"
        let routes = book.routes
        let (route, problems) = try await Interruption.cancelling(isEnd: true) {
            let (stream, end, room) = Self.chunks(of: input)
            // A separate task: an interruption ends the input, but not the processing of what was recorded.
            let work = Task { try await Self.record((stream, room), into: routes, named: name) }
            return try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                end()
            }
        }
        if !problems.isEmpty {
            let named = problems.prefix(3).map(\.description).joined(separator: "; ")
            let rest = problems.count > 3 ? "; and \(problems.count - 3) more" : ""
            StandardError.warn(
                "\(source): \(PhraseText.counted(problems.count, "sentence is|sentences are")) left out: \(named)\(rest)"
            )
        }
        guard let route else {
            throw CommandFailure(.badData, "\(source): fewer than two positions, so there is no route")
        }
        try book.print(route, or: BookOptions.table([route]))
        if !problems.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    private static func input(_ source: String) throws(CommandFailure) -> FileHandle {
        if source == "-" { return .standardInput }
        guard let input = FileHandle(forReadingAtPath: source) else {
            let isThere = FileManager.default.fileExists(atPath: source)
            throw CommandFailure(
                .noInput, "\(source): " + (isThere ? "permission denied" : "no such device or file"))
        }
        return input
    }

    /// The bytes as they arrive, the end of the stream, and an acknowledgement for each processed piece.
    ///
    /// At most 64
    /// pieces wait for it.
    private static func chunks(
        of input: FileHandle
    ) -> (stream: AsyncStream<Data>, end: @Sendable () -> Void, room: DispatchSemaphore) {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self), room = DispatchSemaphore(value: 64)
        let queue = DispatchQueue(label: "recording"), most = 4096
        let channel = DispatchIO(type: .stream, fileDescriptor: input.fileDescriptor, queue: queue) { _ in
            // The descriptor is closed with the handle, not earlier.
            withExtendedLifetime(input) {}
        }
        // A sentence is read at once, without waiting for more.
        channel.setLimit(lowWater: 1)
        @Sendable func read() {
            var count = 0
            channel.read(offset: 0, length: most, queue: queue) { isDone, data, error in
                if let data, !data.isEmpty {
                    count += data.count
                    room.wait()
                    continuation.yield(Data(data))
                }
                guard isDone else { return }
                // An unplugged device also ends the recording.
                if error != 0 || count < most { continuation.finish() } else { read() }
            }
        }
        read()
        return (stream, { continuation.finish() }, room)
    }

    /// Records until the input ends.
    private static func record(
        _ chunks: (stream: AsyncStream<Data>, room: DispatchSemaphore), into book: RouteBook, named name: String
    ) async throws(CommandFailure) -> (route: RouteBook.Summary?, problems: [NMEAReader.SentenceError]) {
        var reader = NMEAReader(day: .now), problems: [NMEAReader.SentenceError] = []
        let meter = ProgressLine()
        defer { meter.finish() }
        do {
            let recording = try book.record(named: name)
            func note(_ items: [NMEAReader.Item]) throws(MapError) {
                for item in items {
                    switch item {
                    case .fix(let fix): try recording.add(fix)
                    // The first message names the problem, the later ones the progress.
                    case .problem(let problem): if problems.count < 10_000 { problems.append(problem) }
                    case .noFix: continue
                    }
                }
                let track = recording.track
                meter.show(
                    String(format: "%.2f km  ", track.meters / 1000)
                        + RouteFacts.hours(track.duration / .seconds(60)) + "  \(track.fixCount) positions")
            }
            for await chunk in chunks.stream {
                chunks.room.signal()
                try note(reader.read(chunk))
            }
            try note(reader.finish())
            return (try recording.finish(), problems)
        } catch { throw CommandFailure(ofBook: error) }
    }
}
