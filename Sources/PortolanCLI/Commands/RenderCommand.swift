import ArgumentParser
import Portolan
import PortolanPaint

/// `portolan render`: draws one picture.
struct RenderCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draws a map into a picture.",
        usage: "portolan render [<map.json>] [-l <layer>]... [<options>] -o <file>",
        discussion: """
            EXAMPLES
              A route, as large as fits, over a map service:
                portolan render -l 'wms:https://example.org/wms;layers=base' \\
                  -l route.geojson -o map.png

              A place at a zoom level, on tiles, twice as dense:
                portolan render -l 'xyz:https://example.org/{z}/{x}/{y}.png' \\
                  --center 24.94,60.17 --zoom 14 --pixel-ratio 2 -o helsinki.png

              All of a file of tiles:
                portolan render -l mbtiles:helsinki.mbtiles -o helsinki.png

              A map document, larger than it says, to another program:
                portolan render map.json --size 2000x1500 -o - | display

              What has been drawn before, without the network:
                portolan render map.json --offline -o again.png

              An extent in another CRS, with a report of what is missing:
                portolan render -l 'wms:https://example.org/wms;layers=base' \\
                  --crs EPSG:25830 --bbox 660000,4600000,690000,4625000 \\
                  -o zaragoza.jpg --report zaragoza.json

              Shapes and text to be edited, with the fonts named:
                portolan render -l route.geojson -o route.svg --svg-text

              Labels in a font of your own, Devanagari in an installed one, few colours:
                portolan render -l 'places.geojson;label=name' --font Title.otf \\
                  --font 'Noto Sans Devanagari' --png8 -o places.png

            EXIT CODES
              0   drawn whole
              3   drawn with something missing
              64  usage: invalid command line
              65  bad input data
              66  input file missing
              69  service unavailable, nothing drawn
              73  output cannot be made
              130 interrupted
            """)

    @OptionGroup var map: MapOptions
    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions
    @OptionGroup(title: "Output") var picture: PictureOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .draws }

    func run() async throws { try await run(under: nil) }

    /// Draws the map, with a layer that another command puts on top.
    func run(under top: MapLayer?, infoBar: InfoBar? = nil, panel: FactsPanel? = nil) async throws {
        guard let output = picture.output else {
            throw CommandFailure(.usage, "say where the picture goes, as in -o map.png; see portolan render --help")
        }
        let file = OutputFile(path: output)
        let format = try picture.format(of: file)
        var options = try furniture.options()
        options.infoBar = infoBar
        options.panel = panel
        options.maximumMissing = try picture.maximumMissing()
        _ = try picture.threadCount()
        try file.check()
        let world = picture.worldFile ? try WorldFile(of: file) : nil
        try world?.file.check()
        if let report = picture.report.map(OutputFile.init(path:)) {
            try report.check()
            guard !report.isSame(as: file), world.map({ !report.isSame(as: $0.file) }) ?? true else {
                throw CommandFailure(.usage, "the picture and the report cannot both go to \(output)")
            }
        }
        let status = try await Interruption.cancelling { [options] in
            try await draw(to: file, as: format, options: options, under: top)
        }
        if status != .drawn { throw ExitCode(status.rawValue) }
    }

    private func draw(
        to file: OutputFile, as format: PictureFormat, options: RenderOptions, under top: MapLayer?
    ) async throws -> ExitStatus {
        let map = try await map.map(
            network, isStrict: picture.strict, under: top.map { [$0] } ?? [],
            foot: options.infoBar == nil ? 0 : InfoBar.height, hasPanel: options.panel != nil,
            title: options.title, showsLegend: options.showsLegend)
        var configuration = map.configuration
        if let threads = try picture.threadCount() { configuration.paintingThreadCount = threads }
        let renderer = MapRenderer(configuration: configuration)
        // What is said beside the document wins.
        var options = options
        var furniture = map.furniture
        if self.furniture.title != nil { furniture.title = nil }
        if self.furniture.attribution != nil { furniture.attribution = nil }
        if self.furniture.theme != nil { furniture.theme = nil }
        if self.furniture.background != nil { furniture.background = nil }
        if self.furniture.graticule != nil { furniture.graticule = nil }
        options.apply(furniture)
        options.deadline = map.deadline.remaining
        let bar = ProgressBar(isQuiet: picture.quiet)
        var result: RenderResult
        do {
            result = try await renderer.render(map.layers, in: map.viewport, options: options) { bar.show($0) }
            bar.finish()
            await renderer.flush()
        } catch {
            bar.finish()
            await renderer.flush()
            if var report = error.report {
                // Why nothing came may stand in what is told before.
                StandardError.keep(map.warnings + report.warnings)
                report.add(map.missing, warnings: map.warnings)
                try OutputFile.write(documents(report))
            }
            // What a style asks for in vain is no fault of a service.
            let isOfStyle = error.report.map { !$0.layers.flatMap(\.failed).contains { $0.style == nil } } ?? false
            throw CommandFailure(
                error.code == .noFont || [.nothingDrawn, .timedOut].contains(error.code) && isOfStyle
                    ? .badData : .unavailable,
                error.code == .noFont ? "\(error); install a font, or draw without text" : error.description,
                httpStatus: error.report?.firstFailure?.status)
        }
        var report = result.report
        report.add([], warnings: renderer.cacheWarnings)
        report.add(map.missing, warnings: map.warnings)
        if let reason = refusal(of: report, drawn: map.layers, allowing: options.maximumMissing) {
            try OutputFile.write(documents(report))
            if map.layers.isEmpty, let failure = map.failure { throw failure.saying(reason) }
            throw CommandFailure(.unavailable, reason, httpStatus: report.firstFailure?.status)
        }
        let clock = ContinuousClock()
        var results: [(file: OutputFile, bytes: [UInt8])] = []
        func encode(_ add: ([UInt8]) throws(CommandFailure) -> Void) throws(CommandFailure) {
            try format.encode(result, background: options.background, svg: picture.svgOptions, for: file, add)
        }
        let encoding = try clock.measure {
            // A large picture is painted while it is written.
            if result.isPaintedInBands { return try file.write(pieces: encode) }
            var bytes: [UInt8] = []
            try encode { bytes += $0 }
            results.append((file, bytes))
        }
        report.setEncoding(encoding)
        if picture.worldFile { results.append((try WorldFile(of: file).file, WorldFile.bytes(of: map.viewport))) }
        try OutputFile.write(results + documents(report))
        if !picture.quiet { tell(report) }
        return report.complete ? .drawn : .incomplete
    }

    /// Why a picture is not worth writing, with the layers counted in that gave nothing; `nil` when it is.
    private func refusal(of report: RenderReport, drawn layers: [MapLayer], allowing share: Double) -> String? {
        if picture.strict, let warning = report.layersWithNothing.first {
            return "\(warning); refused by --strict"
        }
        if picture.strictLabels {
            let dropped = report.layers.compactMap(\.droppedLabels)
            let count = dropped.reduce(0) { $0 + $1.count }
            let names = dropped.flatMap(\.names).prefix(3).map { "'\(PlainText.oneLine($0))'" }.joined(separator: ", ")
            if count > 0 { return "\(count) labels are left out (\(names)); refused by --strict-labels" }
        }
        guard !report.complete else { return nil }
        let missing = report.failedCount, requested = report.requestedCount
        let reason = report.firstLoss ?? "the legend is missing"
        if layers.isEmpty { return "nothing could be drawn; \(reason)" }
        if share == 0 { return "the picture is not complete; \(reason)" }
        guard Double(missing) > share * Double(requested) else { return nil }
        return "\(missing) of \(requested) resources are missing; \(reason)"
    }

    /// The report, where one is wanted.
    private func documents(_ report: RenderReport) throws(CommandFailure) -> [(file: OutputFile, bytes: [UInt8])] {
        guard let path = picture.report else { return [] }
        return [(OutputFile(path: path), try JSONText.bytes(report))]
    }

    private func tell(_ report: RenderReport) {
        StandardError.warn(report.warnings)
        for layer in report.layers where !layer.failed.isEmpty {
            let legends = layer.failed.filter(\.isLegend)
            if let legend = legends.first, legends.count == layer.failed.count {
                StandardError.warn(
                    "layer '\(layer.name)': its legend is missing on the picture; "
                        + "\(legend.cause?.place ?? legend.resource): \(legend.error)")
                continue
            }
            // Of a style each layer that is missing is named.
            for failure in layer.failed where failure.code == .notDrawn {
                StandardError.warn("layer '\(layer.name)': \(failure.error)")
            }
            guard let first = layer.failed.first(where: { $0.code != .notDrawn }) else { continue }
            // Its lines and areas are drawn all the same.
            let icons = first.isIcon ? "icons " : ""
            StandardError.warn(
                "layer '\(layer.name)': \(layer.failed.count { $0.code != .notDrawn }) of \(layer.requested) \(icons)missing; "
                    + "\(first.resource): \(first.error)")
        }
    }
}

extension RenderReport {
    /// The failure that messages name.
    fileprivate var firstFailure: Failure? { layers.lazy.compactMap(\.failed.first).first }

    /// What is told of the layers of services and pyramids that have nothing where the view is.
    fileprivate var layersWithNothing: [MapWarning] {
        warnings.filter { warning in
            guard let layer = layers.first(where: { $0.name == warning.layer }),
                !["features", "points"].contains(layer.kind)
            else {
                return false
            }
            return warning.code == .outsideView || (warning.code == .blank && layer.requested == 0)
        }
    }
}
