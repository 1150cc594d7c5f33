import ArgumentParser
import Foundation
import Portolan
import PortolanArchives

/// `portolan seed`: fetches tiles for use without a network.
struct SeedCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Fetches a pyramid of tiles into a file or the cache, for use without a network.",
        usage: "portolan seed -l <layer> --zooms <a-b> --bbox <box> [-o <file>]",
        discussion: """
            Prints how many tiles there are and, by a sample, how many bytes; then fetches them, two at
            a time. Stopped at any moment, the same command goes on where it was. The file is whole
            when the command ends with 0: draw it with -l mbtiles:FILE or -l gpkg:FILE. What was under
            way at a kill is all that is fetched again; of a whole file, nothing.

            A file FILE.gpkg becomes a GeoPackage, which holds tiles of any grid; others become MBTiles,
            which hold web mercator alone. Without -o the tiles go into the cache that --cache names:
            then draw the same layer with --cache DIR --offline.

            Tiles that are empty (status 204, an empty answer, or one of the layer's empty-status) are
            remembered as empty, and those that the server does not have (404, 410) as absent.

            Providers that are known to forbid this are refused, OpenStreetMap's own servers first
            of all: use a server of your own, or one whose terms allow it.

            EXAMPLES
              portolan seed -l 'xyz:https://example.org/{z}/{x}/{y}.png' --zooms 10-14 \\
                --bbox 24.8,60.1,25.2,60.3 --bbox-crs EPSG:4326 -o helsinki.mbtiles

              A WMS-C in degrees:
                portolan seed -l 'wmsc:https://example.org/wms;layers=base' --zooms 0-8 \\
                  --bbox 24.8,60.1,25.2,60.3 --bbox-crs EPSG:4326 -o helsinki.gpkg

              How much would it be?
                portolan seed … --estimate

            EXIT CODES
              0 all there; 3 some tiles failed, the same command tries them again; 69 stopped because
              the server fails or asks for it; the others are those of render.
            """)

    @OptionGroup(title: "Layers") var layers: LayerOptions

    @Option(
        help: ArgumentHelp(
            "Zoom levels, 0 to 30; level 0 is the world in one tile, or of another grid the coarsest level.",
            valueName: "a-b"))
    var zooms: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The extent in units of --bbox-crs, east first; all tiles that touch it are fetched.",
            valueName: "minx,miny,maxx,maxy"))
    var bbox: String?

    @Option(help: ArgumentHelp("The CRS of --bbox (default: EPSG:3857).", valueName: "code"))
    var bboxCrs: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Tiles more on each side of the extent, so that views at its border are whole, 0 to 16 (default: 0 for MBTiles, else 1).",
            valueName: "tiles"))
    var margin: Int?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The MBTiles file or GeoPackage to write, or to go on with.", valueName: "file.mbtiles|file.gpkg"),
        completion: .file(extensions: ["mbtiles", "gpkg"]))
    var output: String?

    @Option(parsing: .unconditional, help: "The most tiles, 1 to 10000000.")
    var maxTiles = 20_000

    @Flag(
        help: "Print how many tiles and bytes it would be, and end; the few tiles of the sample are kept in the file.")
    var estimate = false

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: nil) }

    func run() async throws {
        let target = try target()
        guard layers.layer.count == 1 else { throw CommandFailure(.usage, "give one layer with -l") }
        guard (1...10_000_000).contains(maxTiles) else {
            throw CommandFailure(.usage, "--max-tiles \(maxTiles) is not between 1 and 10000000")
        }
        if network.offline { throw CommandFailure(.usage, "--offline sends no requests, and seed must") }
        if let margin, !(0...16).contains(margin) {
            throw CommandFailure(.usage, "--margin \(margin) is not between 0 and 16")
        }
        let levels = try levels(), place = try place()
        let specification = try layers.specifications()[0]
        guard !specification.kind.readsFeatures else {
            let source = specification.source
            let isPath = FileAddress.isLocal(source) && source != "-" && !source.contains(":")
            if isPath, !FileManager.default.fileExists(atPath: source) { throw CommandFailure(noFileAt: source) }
            throw CommandFailure(.usage, "layer '\(specification.source)': features have no tiles")
        }
        if let output { try OutputFile(path: output).check() }
        var configuration = try network.configuration()
        // Who fetches much at once is polite about it.
        if network.maxConnections == nil { configuration.maximumConnectionsPerHost = 2 }
        let settled = configuration
        let status = try await Interruption.cancelling(
            consequence: "what has come is kept in \(output ?? "the cache"), and the same command goes on from there"
        ) {
            try await seed(specification, levels, place, to: target, settled)
        }
        if status != .drawn { throw ExitCode(status.rawValue) }
    }

    private func seed(
        _ specification: LayerSpecification, _ levels: ClosedRange<Int>, _ place: (extent: Extent, crs: CRS),
        to target: SeedTarget, _ configuration: RendererConfiguration
    ) async throws -> ExitStatus {
        var configuration = configuration
        let builder = LayerBuilder(client: ServiceClient(configuration: configuration))
        let built: LayerBuilder.Built?
        do { built = try await builder.build([specification]).first } catch { throw CommandFailure(error) }
        guard let layer = built?.layer else {
            throw built?.commandFailure ?? CommandFailure(.unavailable, "nothing could be fetched for the layer")
        }
        if let rule = built?.cacheRule { configuration.layerCacheRules[layer.name] = rule }
        if !quiet { StandardError.warn(built?.warnings ?? []) }
        do throws(MapError) {
            let plan = try SeedPlan(
                layer: layer, levels: levels, extent: place.extent, in: place.crs,
                margin: margin ?? (target == .mbtiles ? 0 : 1), maximumCount: maxTiles,
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
            let progress = try await seeder.run(name: name, attribution: layer.attribution) {
                bar.show(RenderProgress(done: $0.done, total: $0.total))
            }
            bar.finish()
            tellNothing(progress)
            if progress.unkept > 0 {
                StandardError.warn(
                    "\(progress.unkept) of \(progress.total) tiles are not kept, since the server forbids it; the key "
                        + "cache=fixed:30d of the layer keeps them anyway, and so does a file with -o")
            }
            guard progress.failed > 0 else { return progress.unkept > 0 ? .incomplete : .drawn }
            StandardError.warn(
                "\(progress.failed) of \(progress.total) tiles failed; \(progress.firstFailure ?? ""); "
                    + "the same command tries them again")
            return .incomplete
        } catch { throw Self.failure(error) }
    }

    private func tell(_ sample: TileSeeder.Progress, _ plan: SeedPlan) {
        guard !quiet else { return }
        let rest = sample.total - sample.done
        var words = "portolan: \(sample.total) tiles, \(rest) still to fetch"
        if let bytes = sample.estimatedByteCount, rest > 0 {
            words += ", about \(ByteText.text(bytes)) by a sample of \(sample.fetched + sample.empty + sample.absent)"
        }
        StandardError.write(words + "\n")
    }

    /// Says how many tiles have nothing, which is not the same as those that failed.
    private func tellNothing(_ progress: TileSeeder.Progress) {
        guard !quiet else { return }
        var words: [String] = []
        if progress.empty > 0 { words.append("\(progress.empty) are empty") }
        if progress.absent > 0 { words.append("\(progress.absent) the server does not have") }
        if !words.isEmpty {
            StandardError.write("portolan: of \(progress.total) tiles \(words.joined(separator: ", "))\n")
        }
    }

    /// Where the tiles go: into a file by its name, or else into the cache that is named.
    private func target() throws(CommandFailure) -> SeedTarget {
        guard let output else {
            guard network.cache != nil, !network.noCache else {
                throw CommandFailure(
                    .usage,
                    "say where the tiles go, as in -o map.mbtiles, -o map.gpkg or --cache DIR; see portolan seed --help"
                )
            }
            return .cache
        }
        guard !output.isEmpty, output != "-" else {
            throw CommandFailure(.usage, "say where the tiles go, as in -o map.mbtiles; see portolan seed --help")
        }
        return OutputFile(path: output).pathExtension == "gpkg" ? .geoPackage : .mbtiles
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
        guard let zooms else { throw CommandFailure(.usage, "say which levels, as in --zooms 10-14") }
        let ends = zooms.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], 0 <= first,
            first <= last, last <= 30
        else { throw CommandFailure(.usage, "--zooms \(zooms) is not of the form A-B, as in 10-14, from 0 to 30") }
        return first...last
    }

    private func place() throws(CommandFailure) -> (extent: Extent, crs: CRS) {
        guard let bbox else {
            throw CommandFailure(.usage, "say which extent, as in --bbox 24.8,60.1,25.2,60.3 --bbox-crs EPSG:4326")
        }
        let numbers = try ViewRequest.numbers(bbox, count: 4, option: "--bbox", form: "MINX,MINY,MAXX,MAXY")
        guard let box = Extent(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3]) else {
            throw CommandFailure(.usage, "--bbox \(bbox) is empty or in the wrong order; write it MINX,MINY,MAXX,MAXY")
        }
        if bboxCrs == nil, ViewRequest.looksLikeDegrees(numbers) {
            throw CommandFailure(
                .usage,
                "--bbox \(bbox) looks like degrees; say --bbox-crs EPSG:4326, or EPSG:3857 if metres are meant")
        }
        let crs = try bboxCrs.map { name throws(CommandFailure) in try ViewRequest.crs(name, option: "--bbox-crs") }
        guard let transform = try? CoordinateTransform(from: crs ?? .webMercator, to: .crs84),
            (transform(box) as Extent?) != nil
        else {
            throw CommandFailure(.usage, "--bbox \(bbox) lies outside of its system; is it in another --bbox-crs?")
        }
        return (box, crs ?? .webMercator)
    }
}
