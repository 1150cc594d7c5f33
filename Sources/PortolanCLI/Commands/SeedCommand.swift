import ArgumentParser
import Foundation
import Portolan
import PortolanArchives

/// `portolan seed`: fetches tiles for use without a network.
struct SeedCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Fetches tiles to an MBTiles file, a GeoPackage or the cache, for offline use.",
        usage: "portolan seed -l <layer> --zooms <a-b> --bbox <box> [-o <file>]",
        discussion: """
            First prints the number of tiles and their estimated size, then fetches two tiles at a time. An interrupted run \
            continues with the same command. The file is complete when the exit code is 0.

            -o FILE.gpkg writes a GeoPackage (any tile grid), -o FILE.pmtiles writes PMTiles; other names write MBTiles. The latter \
            two hold images or vector tiles in web mercator. Without -o, tiles go to the cache of --cache; draw them with the same \
            layer and --cache DIR --offline. Regions of PMTiles archives on servers are fetched by range requests.

            With --cache redis://HOST several machines may run the same command at once, started at any time: each fetches tiles that \
            no other machine has, and takes over those of a machine that died. Counts are those of this machine.

            Empty tiles (status 204, an empty body, or empty-status) and absent tiles (404, 410) are remembered.

            Providers whose terms forbid bulk downloads are refused, such as the OpenStreetMap tile servers.

            EXAMPLES
              portolan seed -l 'xyz:https://example.org/{z}/{x}/{y}.png' --zooms 10-14 \\
                --bbox 24.8,60.1,25.2,60.3 --bbox-crs EPSG:4326 -o helsinki.mbtiles

              A WMS-C in degrees:
                portolan seed -l 'wmsc:https://example.org/wms;layers=base' --zooms 0-8 \\
                  --bbox 24.8,60.1,25.2,60.3 --bbox-crs EPSG:4326 -o helsinki.gpkg

              A region of vector tiles of an archive on a server:
                portolan seed -l vector:https://example.org/planet.pmtiles --zooms 0-14 \\
                  --bbox 24.8,60.1,25.2,60.3 --bbox-crs EPSG:4326 -o helsinki.pmtiles

              Estimate the size only:
                portolan seed … --estimate

            EXIT CODES
              0 complete; 3 some tiles failed, run again to retry; 69 stopped on
              server errors or at the server's request; others as in render.
            """)

    @OptionGroup(title: "Layers") var layers: LayerOptions

    @Option(
        help: ArgumentHelp(
            "Fetch these zoom levels, 0 to 30. Level 0 is the coarsest; in web mercator, the world in one tile.",
            valueName: "a-b"))
    var zooms: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fetch all tiles that touch this extent, in units of --bbox-crs, east first.",
            valueName: "minx,miny,maxx,maxy"))
    var bbox: String?

    @Option(help: ArgumentHelp("Set the CRS of --bbox (default: EPSG:3857).", valueName: "code"))
    var bboxCrs: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Add N tiles on each side, so that views at the border are complete, 0 to 16 (default: 0 for MBTiles and PMTiles, else 1).",
            valueName: "tiles"))
    var margin: Int?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write or continue this MBTiles file, PMTiles archive or GeoPackage.",
            valueName: "file.mbtiles|file.pmtiles|file.gpkg"),
        completion: .file(extensions: ["mbtiles", "pmtiles", "gpkg"]))
    var output: String?

    @Option(parsing: .unconditional, help: "Fetch at most N tiles, 1 to 10000000.")
    var maxTiles = 20_000

    @Flag(
        help: "Print the number of tiles and the estimated size, then exit. Sampled tiles are kept.")
    var estimate = false

    @Flag(name: .shortAndLong, help: "Print errors only.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: nil) }

    func run() async throws {
        let target = try target()
        guard layers.layer.count == 1 else {
            throw CommandFailure(.usage, "expected exactly one layer; add or remove -l")
        }
        guard (1...10_000_000).contains(maxTiles) else {
            throw CommandFailure(.usage, "--max-tiles \(maxTiles): must be between 1 and 10000000")
        }
        if network.offline {
            throw CommandFailure(.usage, "--offline cannot be combined with seed, which sends requests; remove it")
        }
        if let margin, !(0...16).contains(margin) {
            throw CommandFailure(.usage, "--margin \(margin): must be between 0 and 16")
        }
        let levels = try levels(), place = try place()
        let specification = try layers.specifications()[0]
        guard !specification.kind.readsFeatures else {
            let source = specification.source
            let isPath = FileAddress.isLocal(source) && source != "-" && !source.contains(":")
            if isPath, !FileManager.default.fileExists(atPath: source) { throw CommandFailure(noFileAt: source) }
            throw CommandFailure(.usage, "layer '\(specification.source)': a feature layer has no tiles")
        }
        if let output { try OutputFile(path: output).check() }
        var configuration = try network.configuration()
        // Bulk downloads use few connections.
        if network.maxConnections == nil { configuration.maximumConnectionsPerHost = 2 }
        let settled = configuration
        let status = try await Interruption.cancelling(
            consequence: "tiles fetched so far are kept in \(output ?? "the cache"); run the same command to continue"
        ) {
            try await seed(specification, levels, place, to: target, settled)
        }
        if status != .drawn { throw ExitCode(status.rawValue) }
    }

    private func seed(
        _ specification: LayerSpecification, _ levels: ClosedRange<Int>, _ place: LayerBounds,
        to target: TileSeeder.Target, _ configuration: RendererConfiguration
    ) async throws -> ExitStatus {
        var configuration = configuration
        let builder = LayerBuilder(client: ServiceClient(configuration: configuration))
        let built: LayerBuilder.Built?
        do { built = try await builder.build([specification]).first } catch { throw CommandFailure(error) }
        guard let layer = built?.layer else {
            throw built?.commandFailure ?? CommandFailure(.unavailable, "no data received for the layer")
        }
        if let rule = built?.cacheRule { configuration.layerCacheRules[layer.name] = rule }
        if !quiet { StandardError.warn(built?.warnings ?? []) }
        do throws(MapError) {
            let plan = try TileSeeder.Plan(
                layer: layer, levels: levels, extent: place.extent, in: place.crs,
                margin: margin ?? (target == .mbtiles || target == .pmtiles ? 0 : 1), maximumCount: maxTiles,
                target: target)
            let seeder = try TileSeeder(plan: plan, path: output ?? "", configuration: configuration)
            if seeder.isFinished {
                if !quiet {
                    StandardError.write("portolan: nothing to fetch: \(output ?? "") has all \(plan.count) tiles\n")
                }
                return .drawn
            }
            let sample = try await seeder.sample()
            tell(sample, plan)
            if estimate { return .drawn }
            let bar = ProgressBar(isQuiet: quiet)
            defer { bar.finish() }
            let name = specification["name"] ?? output.map { OutputFile(path: $0).stem } ?? ""
            let progress: TileSeeder.Progress
            if target == .cache, let shared = SharedSeeding(seeder, configuration) {
                progress = try await shared.run { bar.show($0) }
            } else {
                progress = try await seeder.run(name: name, attribution: layer.attribution) {
                    bar.show(MapRenderer.Progress(done: $0.done, total: $0.total))
                }
            }
            bar.finish()
            tellNothing(progress)
            if progress.unkept > 0 {
                StandardError.warn(
                    "\(progress.unkept) of \(progress.total) tiles not kept: the server forbids caching; to keep them, set the layer key "
                        + "cache=fixed:30d or write a file with -o")
            }
            guard progress.failed > 0 else { return progress.unkept > 0 ? .incomplete : .drawn }
            StandardError.warn(
                "\(progress.failed) of \(progress.total) tiles failed; \(progress.firstFailure ?? ""); "
                    + "run the same command to retry")
            return .incomplete
        } catch { throw Self.failure(error) }
    }

    private func tell(_ sample: TileSeeder.Progress, _ plan: TileSeeder.Plan) {
        guard !quiet else { return }
        let rest = sample.total - sample.done
        var words = "portolan: \(sample.total) tiles, \(rest) to fetch"
        if let bytes = sample.estimatedByteCount, rest > 0 {
            words += ", about \(ByteText.text(bytes)) (estimated from \(sample.fetched + sample.empty + sample.absent))"
        }
        StandardError.write(words + "\n")
    }

    /// Prints the number of empty and absent tiles, which are not failures.
    private func tellNothing(_ progress: TileSeeder.Progress) {
        guard !quiet else { return }
        var words: [String] = []
        if progress.empty > 0 { words.append("\(progress.empty) are empty") }
        if progress.absent > 0 { words.append("\(progress.absent) absent on the server") }
        if !words.isEmpty {
            StandardError.write("portolan: of \(progress.total) tiles \(words.joined(separator: ", "))\n")
        }
    }

    /// The target of the tiles: a file, or else the cache of `--cache`.
    private func target() throws(CommandFailure) -> TileSeeder.Target {
        guard let output else {
            guard network.cache != nil, !network.noCache else {
                throw CommandFailure(
                    .usage,
                    "missing output; add -o map.mbtiles, -o map.gpkg or --cache DIR (see portolan seed --help)"
                )
            }
            return .cache
        }
        guard !output.isEmpty, output != "-" else {
            throw CommandFailure(.usage, "missing output file; add -o map.mbtiles (see portolan seed --help)")
        }
        return switch OutputFile(path: output).pathExtension {
        case "gpkg": .geoPackage
        case "pmtiles": .pmtiles
        default: .mbtiles
        }
    }

    private static func failure(_ error: MapError) -> CommandFailure {
        if error.inner is ArchiveError { return CommandFailure(.cannotCreate, error.description) }
        return switch error.code {
        case .tooLarge: CommandFailure(.usage, error.description + ", or raise --max-tiles")
        case .nothingFound, .notAllowed: CommandFailure(.usage, error.description)
        case .unwritableFile: CommandFailure(.cannotCreate, error.description)
        case .cancelled: CommandFailure(.interrupted, error.description)
        default: CommandFailure(.unavailable, error.description)
        }
    }

    private func levels() throws(CommandFailure) -> ClosedRange<Int> {
        guard let zooms else { throw CommandFailure(.usage, "missing zoom levels; add --zooms 10-14") }
        return try ZoomText.range(zooms, within: 0...30)
    }

    private func place() throws(CommandFailure) -> LayerBounds {
        guard let bbox else {
            throw CommandFailure(.usage, "missing extent; add --bbox 24.8,60.1,25.2,60.3 --bbox-crs EPSG:4326")
        }
        return try BoxText.bounds(bbox, crs: bboxCrs)
    }
}
