#if Server
import ArgumentParser
import Foundation
import Portolan
import PortolanCLI
import PortolanGeo
import PortolanRedis
import PortolanServerCore
import Synchronization
import UnixSignals

/// `portolan-server seed`: draws tiles before they are requested.
struct SeedTilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Draws the tiles of a map to the Redis that servers share.",
        discussion: """
            Several machines may run this at once, started at any time: each draws
            tiles that no other machine has. An interrupted run continues with the same
            command; other machines take over its tiles within half a minute. For maps
            of live services, the responses of the services are stored.

            EXAMPLES
              All tiles to level 8; run the same on other machines:
                portolan-server seed maps.yaml --map city --zooms 0-8 \\
                  --cache redis://cache.example:6379

            EXIT CODES
              0 complete; 3 some tiles failed, run again to retry;
              69 Redis unavailable for a minute; 130 interrupted
            """)

    @OptionGroup var maps: ServedMapOptions

    @Option(help: "Draw this map (default: the only one).") var map: String?

    @Option(help: ArgumentHelp("Draw these levels (default: all of the map).", valueName: "a-b")) var zooms: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Draw all tiles that touch this extent in degrees (default: the extent of the map).",
            valueName: "west,south,east,north"))
    var bbox: String?

    @Option(help: "Set the grid: WebMercatorQuad or WorldCRS84Quad.") var grid = "WebMercatorQuad"

    @Option(help: "Set the format: png, jpg or webp.") var format = "png"

    @Option(help: "Set the pixel ratio of the tiles, 1 to 4.") var ratio = 1

    @Option(parsing: .unconditional, help: "Draw at most N tiles, 1 to 100000000.") var maxTiles = 100_000

    @Flag(help: "Start from the first tile even if the work is complete; existing tiles are kept.")
    var again = false

    @Flag(name: .shortAndLong, help: "Print errors and the result only.") var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    func run() async throws {
        let configuration = try maps.configuration()
        var renderers = try network.rendererConfiguration(cache: configuration.cache)
        guard let store = renderers.store as? RedisStore else {
            throw ServerFailure(.usage, "missing Redis; add --cache redis://127.0.0.1:6379")
        }
        // Bulk downloads use few connections.
        if !network.limitsConnections { renderers.maximumConnectionsPerHost = 2 }
        let book = try await ServeCommand.book(configuration, renderers)
        let tiles = try pyramid(of: book), labelReach = configuration.settings.labelReach
        let work: RedisWork
        do throws(Problem) {
            work = RedisWork(named: try tiles.name(labelReach: labelReach), count: tiles.count, on: store)
        } catch {
            throw ServerFailure(.usage, error.detail)
        }
        let maker = PictureMaker(configuration.settings.pictures, store: store)
        let width = configuration.settings.pictures.concurrency
        let progress = try await Self.endingWithSignals {
            if again { try await work.forget() }
            let told = Mutex(0)
            return try await work.run(width: width) { progress in
                // One line per percent keeps the log readable.
                let part = progress.done * 100 / max(progress.total, 1)
                let isNew = told.withLock { last in
                    defer { last = max(last, part) }
                    return part > last
                }
                if isNew, !quiet { ServerOutput.note("\(progress.done) of \(progress.total) tiles") }
            } _: { number in
                do throws(Problem) {
                    return try await maker.provide(try tiles.picture(number, labelReach: labelReach)) ? .done : .failed
                } catch {
                    if !quiet, !Task.isCancelled { ServerOutput.warn("tile \(tiles.tile(number)): \(error.detail)") }
                    return .failed
                }
            }
        }
        for warning in store.warnings { ServerOutput.warn(warning.description) }
        let figures = maker.figures
        guard let progress else {
            ServerOutput.error("interrupted; run the same command to continue")
            throw ExitCode(ExitStatus.interrupted.rawValue)
        }
        print(
            "\(tiles.map.name): \(progress.total) tiles, \(figures.drawn) drawn, \(figures.shared) already present, "
                + "\(progress.failed) failed")
        if progress.failed > 0 { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    /// The tiles of the options.
    private func pyramid(of book: MapBook) throws(ServerFailure) -> TilePyramid {
        guard (1...100_000_000).contains(maxTiles) else {
            throw ServerFailure(.usage, "--max-tiles \(maxTiles): must be between 1 and 100000000")
        }
        guard (1...4).contains(ratio) else { throw ServerFailure(.usage, "--ratio \(ratio): must be between 1 and 4") }
        guard let format = ServedFormat(name: format), format.hasPixels else {
            throw ServerFailure(.usage, "--format \(format): must be png, jpg or webp")
        }
        guard let name = map ?? (book.maps.count == 1 ? book.maps[0].name : nil) else {
            throw ServerFailure(.usage, "missing map; add --map \(book.maps.map(\.name).joined(separator: ", "))")
        }
        let tiles: TilePyramid
        do throws(Problem) {
            tiles = try TilePyramid(
                of: book.map(name), grid: grid, levels: levels(), degrees: extent(), format: format, ratio: ratio)
        } catch { throw ServerFailure(.usage, error.detail) }
        guard tiles.count <= maxTiles else {
            throw ServerFailure(
                .usage,
                "too many tiles: \(tiles.count), the limit is \(maxTiles); choose fewer levels, a smaller extent, or raise "
                    + "--max-tiles")
        }
        if let refusal = tiles.refusal { throw ServerFailure(.usage, refusal.description) }
        return tiles
    }

    private func levels() throws(Problem) -> ClosedRange<Int>? {
        guard let zooms else { return nil }
        let ends = zooms.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], 0 <= first,
            first <= last
        else { throw Problem(.badRequest, "--zooms \(zooms): expected A-B, as in 0-8") }
        return first...last
    }

    private func extent() throws(Problem) -> Extent? {
        guard let bbox else { return nil }
        let numbers = bbox.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
        guard numbers.count == 4,
            let box = Extent(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3])
        else { throw Problem(.badRequest, "--bbox \(bbox): expected WEST,SOUTH,EAST,NORTH in degrees") }
        return box
    }

    /// Runs work until SIGINT or SIGTERM.
    ///
    /// - Returns: the result, or `nil` after a signal.
    private static func endingWithSignals(
        _ work: @escaping @Sendable () async throws -> RedisWork.Progress
    ) async throws -> RedisWork.Progress? {
        let task = Task { try await work() }
        let signals = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { return task.cancel() }
        }
        defer { signals.cancel() }
        do {
            let progress = try await task.value
            return task.isCancelled ? nil : progress
        } catch {
            if task.isCancelled { return nil }
            throw ServerFailure(.unavailable, "\(error); run the same command to continue")
        }
    }
}
#endif
