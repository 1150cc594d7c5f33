import ArgumentParser
import Foundation
import Portolan
import PortolanPaint

/// `portolan atlas`: writes the pages of a map that is printed in parts.
struct AtlasCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "atlas",
        abstract: "Writes a map in pages: over a grid, or along a route.",
        usage: "portolan atlas [<map.json>] [-l <layer>]... [<options>] -o <atlas.pdf>",
        discussion: """
            Takes the layers, view and furniture of render. The pages are those of a grid (--grid 3x4), a grid at a scale (--scale \
            1:25000), or a strip along a route (--along route.gpx --scale 1:25000). The paper is A4 unless --paper or --size is set. \
            All pages have the scale of the middle of the map or route; in a projection such as UTM it is the same everywhere.

            The first page is an overview with the outlines of the others. A PDF has an outline, page labels, and links between pages. \
            Other files are numbered: -o page-%02d.png, with the overview as number 0.

            EXAMPLES
              A city in three columns and two rows of A4 pages:
                portolan atlas -l streets.geojson --grid 3x2 --landscape -o city.pdf

              Strip maps along a hike, turned so that the route runs along the page:
                portolan atlas -l 'xyz:https://example.org/{z}/{x}/{y}.png' \\
                  -l hike.gpx --along hike.gpx --rotate --scale 1:25000 \\
                  --crs EPSG:32635 --frame utm --title 'The hike' -o hike.pdf

            EXIT CODES
              0 complete; 3 written, but incomplete; others as in render
            """)

    @OptionGroup var map: MapOptions

    @Option(help: ArgumentHelp("Divide the extent into this many columns and rows of pages.", valueName: "CxR"))
    var grid: String?

    @Option(
        help: ArgumentHelp(
            "Follow the lines of this file or URL, page by page. Draw it with -l.", valueName: "route"))
    var along: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Repeat this share of a page on the next, 0% to 50% (default: 10%).", valueName: "N%"))
    var overlap: String?

    @Flag(help: "Rotate the pages of --along, so that the route runs along their longer side.")
    var rotate = false

    @Flag(help: "Write no overview page.")
    var noOverview = false

    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write a .pdf file, or numbered .png, .jpg, .webp or .svg files: page-%02d.png.", valueName: "file"),
        completion: .file(extensions: ["pdf", "png"]))
    var output: String?

    @Flag(help: "Write nothing if anything is missing or a feature file is invalid.")
    var strict = false

    @Flag(help: "Print no progress and no warnings.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: nil) }

    func run() async throws {
        guard let output else {
            throw CommandFailure(.usage, "missing output file; add -o atlas.pdf (see portolan atlas --help)")
        }
        let target = try AtlasTarget(output)
        let options = try furniture.options(), share = try overlapShare(), columns = try gridSize()
        guard along == nil || columns == nil else {
            throw CommandFailure(.usage, "--grid and --along cannot be combined; use one")
        }
        if rotate, along == nil { throw CommandFailure(.usage, "--rotate needs --along; add it") }
        let view = map.view, isScaled = view.scale != nil || view.zoom != nil || view.resolution != nil
        if map.document == nil, !isScaled, columns == nil {
            throw CommandFailure(
                .usage,
                along == nil ? "state the pages with --grid, --along or --scale" : "--along needs --scale; add it")
        }
        if columns != nil, isScaled {
            throw CommandFailure(.usage, "--grid cannot be combined with --scale, --zoom or --resolution; use one")
        }
        if view.rotation != nil {
            throw CommandFailure(.usage, "--rotation cannot be combined with an atlas; use --along with --rotate")
        }
        let status = try await Interruption.cancelling {
            try await write(to: target, options, share: share, columns: columns)
        }
        if status != .drawn { throw ExitCode(status.rawValue) }
    }

    private func write(
        to target: AtlasTarget, _ options: RenderOptions, share: Double, columns: (Int, Int)?
    ) async throws -> ExitStatus {
        var route: AtlasRoute?
        if let along { route = try await AtlasRoute(along, network) }
        let map = try await map.map(
            network, center: route?.center, isStrict: strict, furniture: furniture, isAtlas: true)
        if map.layers.isEmpty, let failure = map.failure { throw failure }
        var options = options
        furniture.add(map.furniture, on: map.page, boxCRS: map.request.boxCRS, to: &options)
        if furniture.hasProfile || map.furniture.profile != nil, !quiet {
            StandardError.warn([
                MapWarning(
                    .data, MapWarning.Subject(member: "profile"), effect: .omitted,
                    message: "the pages of an atlas have no elevation profile; use portolan render or portolan profile")
            ])
        }
        options.deadline = map.deadline.duration
        if strict { options.maximumMissing = 0 }
        let atlas = try atlas(of: map, route: route, share: share, columns: columns)
        let renderer = MapRenderer(configuration: map.configuration)
        let bar = ProgressBar(isQuiet: quiet)
        var reports: [RenderReport]
        do {
            reports = try await target.write(atlas, map.layers, options: options, by: renderer) { bar.show($0) }
            bar.finish()
            await renderer.flush()
        } catch let error as MapError {
            bar.finish()
            await renderer.flush()
            throw CommandFailure(
                .unavailable, error.description,
                httpStatus: error.report?.layers.lazy.compactMap(\.failed.first).first?.status)
        }
        for index in reports.indices { reports[index].add(index == 0 ? map.missing : [], warnings: []) }
        if !quiet { warn(reports, map.warnings, pages: atlas) }
        return reports.allSatisfy(\.complete) ? .drawn : .incomplete
    }

    private func atlas(
        of map: MapOptions.Map, route: AtlasRoute?, share: Double, columns: (Int, Int)?
    ) throws -> Atlas {
        do {
            if let route {
                return try Atlas(
                    along: try route.lines(in: map.viewport.crs), on: map.viewport, overlap: share, isRotated: rotate,
                    hasOverview: !noOverview)
            }
            let extent: Extent
            do { extent = try map.request.extent(of: map.layers) } catch { throw CommandFailure(error) }
            guard let (wide, high) = columns else {
                return try Atlas(covering: extent, on: map.viewport, overlap: share, hasOverview: !noOverview)
            }
            return try Atlas(
                columns: wide, rows: high, of: extent, on: map.viewport, overlap: share, hasOverview: !noOverview)
        } catch let error as MapError { throw CommandFailure(.usage, error.message) }
    }

    private func overlapShare() throws(CommandFailure) -> Double {
        guard let overlap else { return 0.1 }
        let digits = overlap.last == "%" ? overlap.dropLast() : overlap[...]
        guard let percent = Double(digits), (0...50).contains(percent) else {
            throw CommandFailure(.usage, "--overlap \(overlap): expected N% from 0% to 50%")
        }
        return percent / 100
    }

    private func gridSize() throws(CommandFailure) -> (Int, Int)? {
        guard let grid else { return nil }
        let sides = grid.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let columns = sides[0], let rows = sides[1], (1...100).contains(columns),
            (1...100).contains(rows)
        else { throw CommandFailure(.usage, "--grid \(grid): expected columns and rows like 3x4, each 1 to 100") }
        return (columns, rows)
    }

    /// Prints each warning once, with the pages that lack resources.
    private func warn(_ reports: [RenderReport], _ warnings: [MapWarning], pages: Atlas) {
        var seen: Set<String> = []
        // Many layers are outside of some pages.
        let all = (warnings + reports.flatMap(\.warnings)).filter {
            $0.code != .outsideView && $0.code != .blank && seen.insert($0.description).inserted
        }
        StandardError.warn(all)
        for (page, report) in zip(pages.pages, reports) {
            let name = page.number.map { "page \($0)" } ?? "overview"
            for layer in report.layers {
                guard let first = layer.failed.first else { continue }
                StandardError.warn(
                    "\(name), layer '\(layer.name)': \(layer.failed.count) of \(layer.requested) missing; "
                        + "\(first.resource): \(first.error)")
            }
        }
    }
}
