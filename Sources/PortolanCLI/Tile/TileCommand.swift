import ArgumentParser
import Foundation
import Portolan
import PortolanArchives
import PortolanPlan
import PortolanWeb

/// `portolan tile`: makes vector tiles from features.
struct TileCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "tile",
        abstract: "Makes an archive of vector tiles from features.",
        usage: "portolan tile <in> … -o <out> [<options>]",
        discussion: """
            Each input becomes a layer: any feature file or service that portolan convert reads. The layer has the name of the file; \
            NAME=FILE sets another. Writes Mapbox Vector Tiles to PMTiles, or to MBTiles if the name of the output ends in .mbtiles. \
            An existing file is replaced when the new one is complete.

            A unit is the 4096th part of the side of a tile. Lines and polygons are simplified for each zoom level. Polygons of less \
            than 4 square units are joined, except at the finest level. Coarse levels have fewer points (--drop-rate). A tile that \
            exceeds 500,000 bytes or 200,000 features loses some of them (--drop). The report and the metadata of the archive state \
            how many features each level leaves out.

            EXAMPLES
              portolan tile streets.geojson buildings.fgb -o city.pmtiles

              Chosen zooms, names and attributes:
                portolan tile roads=streets.shp --zooms 6-14 --attributes name,kind -o roads.mbtiles

              A feature service:
                portolan tile 'wfs:https://a.test/wfs;layers=parcels' --zooms 12-16 -o parcels.pmtiles

            EXIT CODES
              0   written
              3   written, but features of a service are missing
              64  usage
              65  invalid data, or a tile exceeds a limit with --drop none
              66  no such file
              73  cannot write the file
            """)

    @Argument(
        help: ArgumentHelp(
            "Files or URLs with features, service layers (wfs:, oaf:), or '-' for standard input; NAME=… names a layer.",
            valueName: "in"))
    var sources: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write this archive.", valueName: "file.pmtiles|file.mbtiles"),
        completion: .file(extensions: ["pmtiles", "mbtiles"]))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Make these zoom levels, 0 to 22 (default: from 0 to the level that shows all details, at most 16).",
            valueName: "a-b"))
    var zooms: String?

    @Option(help: "Read this layer of GeoPackages with several.")
    var layer: String?

    @OptionGroup(title: "Tiles") var tiles: TileMakingOptions

    @Option(help: "Set the name of the tiles (default: the name of the output).")
    var name: String?

    @Option(help: "Set the attribution.")
    var attribution: String?

    @Option(
        help: ArgumentHelp(
            "Write a JSON report: tiles, sizes, and what each level leaves out.", valueName: "file"))
    var report: String?

    @Flag(name: .shortAndLong, help: "Print errors only.")
    var quiet = false

    @OptionGroup(title: "Tables") var tables: TableOptions

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: .seconds(3600)) }

    func run() async throws {
        let target = try TileTarget(output)
        let inputs = try TileInput.all(sources), settings = try tiles.settings()
        let levels = try zooms.map { (text) throws(CommandFailure) in
            try ZoomText.range(text, within: FeatureTilePyramid.possibleLevels)
        }
        let report = report.map(OutputFile.init(path:))
        try report?.check()
        guard report.map({ !$0.isSame(as: target.file) }) ?? true else {
            throw CommandFailure(.usage, "the tiles and the report cannot both be written to \(target.file.path)")
        }
        let start = ContinuousClock.now
        var read: [FeatureTilePyramid.Source] = [], losses: [String] = []
        for input in inputs {
            let (collection, missing) = try await FeatureInput(source: input.source, layer: layer, tables: tables)
                .read(network)
            if !quiet { StandardError.warn(collection.warnings) }
            losses += missing
            read.append(FeatureTilePyramid.Source(name: input.name, collection: collection))
        }
        let sources = read, readTime = ContinuousClock.now - start
        let finished = try await Interruption.cancelling(consequence: "\(target.file.path) was not written") {
            try await make(sources, levels, settings, target)
        }
        var made = finished
        made.read = readTime
        made.warnings = losses + warnings(of: made, settings)
        if let report { try report.write(try JSONText.bytes(made.report)) }
        if !quiet {
            StandardError.write("portolan: \(made.summary)\n")
            made.warnings.forEach { StandardError.warn($0) }
        }
        if !losses.isEmpty { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    private func make(
        _ sources: [FeatureTilePyramid.Source], _ levels: ClosedRange<Int>?, _ settings: FeatureTileSettings,
        _ target: TileTarget
    ) async throws -> TileOutcome {
        let start = ContinuousClock.now
        let pyramid: FeatureTilePyramid
        do { pyramid = try await FeatureTilePyramid(sources, levels: levels, settings) } catch {
            throw CommandFailure(error)
        }
        if limits.memoryLimit != nil {
            let needed = pyramid.layers.reduce(0) { $0 + $1.byteCount }
            do { _ = try limits.memory().charge(needed) } catch {
                throw (error as? CommandFailure) ?? CommandFailure.tooLarge("the features: \(error)")
            }
        }
        let prepared = ContinuousClock.now - start
        var metadata = MBTilesMetadata(name: name ?? target.file.stem, format: "pbf", attribution: attribution)
        metadata.others["generator"] = .string("Portolan \(BuildDescription.version)")
        let bar = ProgressBar(isQuiet: quiet)
        defer { bar.finish() }
        do {
            let counts = try await pyramid.write(to: target.begin, metadata) {
                bar.show(MapRenderer.Progress(done: $0, total: $1))
            }
            return TileOutcome(
                path: target.file.path, pyramid: pyramid, counts: counts, prepared: prepared,
                made: ContinuousClock.now - start - prepared)
        } catch { throw CommandFailure(error) }
    }

    /// The warnings about content that is not in the tiles, and about options without an effect.
    private func warnings(of made: TileOutcome, _ settings: FeatureTileSettings) -> [String] {
        var warnings: [String] = []
        let reduced = zip(made.pyramid.levels, made.counts).filter { $1.dropped > 0 }
        if let first = reduced.first, let last = reduced.last {
            let count = reduced.reduce(0) { $0 + $1.1.dropped }, tiles = reduced.reduce(0) { $0 + $1.1.reduced }
            warnings.append(
                "zooms \(first.0) to \(last.0): \(count) features left out of \(tiles) tiles that exceed a limit; "
                    + "--report lists them by zoom")
        }
        for layer in made.pyramid.layers where layer.attributes.lostIdentifierCount > 0 {
            warnings.append(
                "layer '\(layer.name)': identifiers left out of \(layer.attributes.lostIdentifierCount) features; "
                    + "tiles have whole numbers only")
        }
        if case .only(let names) = settings.attributes {
            let known = Set(made.pyramid.layers.flatMap { $0.attributes.fields.map(\.name) })
            for name in names.sorted() where !known.contains(name) {
                warnings.append("--attributes \(name): no feature has it")
            }
        }
        return warnings
    }
}
