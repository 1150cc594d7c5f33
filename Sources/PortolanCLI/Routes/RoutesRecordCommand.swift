import ArgumentParser
import Foundation
import Portolan
import PortolanRouteBook
import PortolanWeb

/// `portolan routes record`.
struct RoutesRecordCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Records where a receiver goes as a route.",
        discussion: """
            What is read are the sentences of a receiver of positions (NMEA 0183, RMC and GGA): from a \
            serial device, whose speed stty sets, a pipe, a log or standard input. The recording ends \
            with its source, or with Ctrl-C, and is then in the book. It is on the disk after every ten \
            positions; what a killed process left is put into the book by --recover.

            EXAMPLES
              portolan routes record /dev/ttyUSB0 --name 'Today'
              gpspipe -r | portolan routes record - --name 'Commute'
              portolan routes record drive.nmea
              portolan routes record --recover

            EXIT CODES
              0   the route is in the book
              3   the route is in the book, without sentences that are damaged
              65  the source had no two positions
              66  there is no such source, or it cannot be read
              73  the book cannot be written
            """)

    @Argument(help: ArgumentHelp("A device or file, or '-' for standard input.", valueName: "source"))
    var source: String?

    @Option(help: "What the route is to be called (default: the day and the time).")
    var name: String?

    @Flag(help: "Put into the book what killed recordings left.")
    var recover = false

    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions
    var timeLimit: TimeLimit { .ends(usual: nil) }

    func validate() throws {
        guard recover == (source == nil) else {
            throw ValidationError(recover ? "--recover goes without a source" : "Missing expected argument '<source>'")
        }
        if let name { try RoutesRenameCommand.check(name) }
    }

    func run() async throws {
        guard let source else {
            let recovered = try book.asking { (book) throws(MapError) in try book.recoverRecordings() }
            return try book.print(
                recovered, or: recovered.isEmpty ? "nothing was left\n" : BookOptions.table(recovered))
        }
        let input = try Self.input(source)
        let name = name ?? "Recorded \(Date.now.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon)))"
        let routes = book.routes
        let (route, problems) = try await Interruption.cancelling(isEnd: true) {
            let (stream, end, room) = Self.chunks(of: input)
            // A task of its own: an interruption ends what comes, and not the reading of what was recorded.
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
            throw CommandFailure(.badData, "\(source): there are no two positions in it, so there is no route")
        }
        try book.print(route, or: BookOptions.table([route]))
        if !problems.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    private static func input(_ source: String) throws(CommandFailure) -> FileHandle {
        if source == "-" { return .standardInput }
        guard let input = FileHandle(forReadingAtPath: source) else {
            let isThere = FileManager.default.fileExists(atPath: source)
            throw CommandFailure(
                .noInput, "\(source): " + (isThere ? "it may not be read" : "there is no such device or file"))
        }
        return input
    }

    /// The bytes as soon as they come, what ends them, and what is told of each piece that has been used: no more than 64 wait
    /// for that.
    private static func chunks(
        of input: FileHandle
    ) -> (stream: AsyncStream<Data>, end: @Sendable () -> Void, room: DispatchSemaphore) {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self), room = DispatchSemaphore(value: 64)
        let queue = DispatchQueue(label: "recording"), most = 4096
        let channel = DispatchIO(type: .stream, fileDescriptor: input.fileDescriptor, queue: queue) { _ in
            // The descriptor is closed with the handle, and not before.
            withExtendedLifetime(input) {}
        }
        // A sentence is wanted when it is there, not when the next ones are.
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
                // A device that was pulled out is the end of it, too.
                if error != 0 || count < most { continuation.finish() } else { read() }
            }
        }
        read()
        return (stream, { continuation.finish() }, room)
    }

    /// Records until nothing more comes.
    private static func record(
        _ chunks: (stream: AsyncStream<Data>, room: DispatchSemaphore), into book: RouteBook, named name: String
    ) async throws(CommandFailure) -> (route: RouteSummary?, problems: [NMEAError]) {
        var reader = NMEAReader(day: .now), problems: [NMEAError] = []
        let meter = ProgressLine()
        defer { meter.finish() }
        do {
            let recording = try book.record(named: name)
            func note(_ items: [NMEAReader.Item]) throws(MapError) {
                for item in items {
                    switch item {
                    case .fix(let fix): try recording.add(fix)
                    // The first says what is wrong, and the others that it goes on.
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
