import ArgumentParser
import Portolan
import PortolanPaint

/// `portolan render`: draws one picture.
struct RenderCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Renders a map to a PNG, JPEG, WebP, SVG or PDF file.",
        usage: "portolan render [<map.json>] [-l <layer>]... [<options>] -o <file>",
        discussion: """
            EXAMPLES
              portolan render -l 'wms:https://example.org/wms;layers=base' \\
                -l route.geojson -o map.png
              portolan render -l 'xyz:https://example.org/{z}/{x}/{y}.png' \\
                --center 24.94,60.17 --zoom 14 --pixel-ratio 2 -o helsinki.png
              portolan render -l hike.gpx --profile --profile-slopes -o hike.png
              portolan render map.json --crs EPSG:25830 --report report.json \\
                --bbox 660000,4600000,690000,4625000 -o zaragoza.jpg

            EXIT CODES
              0 complete; 3 drawn, but incomplete; 64 usage; 65 bad input data;
              66 no input file; 69 service unavailable, nothing drawn;
              73 cannot write; 130 interrupted
            """)

    @OptionGroup var map: MapOptions
    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions
    @OptionGroup(title: "Output") var picture: PictureOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .draws }

    func run() async throws { try await run(under: nil) }

    /// Draws the map, with an optional layer of another command on top.
    func run(under top: MapLayer?, infoBar: Furniture.InfoBar? = nil, panel: Furniture.FactsPanel? = nil) async throws {
        guard let output = picture.output else {
            throw CommandFailure(.usage, "missing output file; add -o map.png (see portolan render --help)")
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
                throw CommandFailure(.usage, "the picture and the report cannot both be written to \(output)")
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
            hasBar: options.infoBar != nil, hasPanel: options.panel != nil,
            furniture: furniture,
            drawsOnce: furniture.inset.isEmpty && furniture.locator == nil && !furniture.hasProfile && !furniture.legend
        )
        var configuration = map.configuration
        if let threads = try picture.threadCount() { configuration.paintingThreadCount = threads }
        let renderer = MapRenderer(configuration: configuration)
        // Options override the document.
        var options = options
        furniture.add(map.furniture, on: map.page, boxCRS: map.request.boxCRS, to: &options)
        if map.page?.paper != nil, !format.hasPhysicalSize {
            StandardError.warn([
                MapWarning(
                    .oddValue, MapWarning.Subject(member: "--paper"),
                    message: "a WebP file states no physical size; print it at "
                        + "\(Int((map.viewport.pixelRatio * 96).rounded())) dots per inch, or write a .png file")
            ])
        }
        options.profile = try await furniture.profilePanel(of: map.layers, over: map.furniture.profile, network)
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
                // Earlier warnings may explain the failure.
                StandardError.keep(map.warnings + report.warnings)
                report.add(map.missing, warnings: map.warnings)
                try OutputFile.write(documents(report))
            }
            // Missing images of a style are not failures of a service.
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
        if picture.worldFile {
            results.append((try WorldFile(of: file).file, WorldFile.bytes(of: map.viewport, on: map.page)))
        }
        try OutputFile.write(results + documents(report))
        if !picture.quiet { tell(report) }
        return report.complete ? .drawn : .incomplete
    }

    /// The number of points without their names from which the command says what can be done.
    private static let manyUnnamedPoints = 10

    /// The reason not to write an incomplete picture, or `nil`.
    ///
    /// Layers that failed to open count as missing.
    private func refusal(of report: RenderReport, drawn layers: [MapLayer], allowing share: Double) -> String? {
        if picture.strict, let warning = report.layersWithNothing.first {
            return "\(warning) (refused by --strict)"
        }
        if picture.strictLabels {
            let dropped = report.layers.compactMap(\.droppedLabels)
            let count = dropped.reduce(0) { $0 + $1.count }
            let names = dropped.flatMap(\.names).prefix(3).map { "'\(PlainText.oneLine($0))'" }.joined(separator: ", ")
            if count > 0 { return "\(count) labels left out (\(names)) (refused by --strict-labels)" }
        }
        guard !report.complete else { return nil }
        let missing = report.failedCount, requested = report.requestedCount
        let reason = report.firstLoss ?? "the legend is missing"
        if layers.isEmpty { return "nothing drawn; \(reason)" }
        if share == 0 { return "the picture is incomplete; \(reason)" }
        guard Double(missing) > share * Double(requested) else { return nil }
        return "\(missing) of \(requested) resources missing; \(reason)"
    }

    /// Writes the report, if requested.
    private func documents(_ report: RenderReport) throws(CommandFailure) -> [(file: OutputFile, bytes: [UInt8])] {
        guard let path = picture.report else { return [] }
        return [(OutputFile(path: path), try JSONText.bytes(report))]
    }

    private func tell(_ report: RenderReport) {
        StandardError.warn(report.warnings)
        for layer in report.layers {
            guard let count = layer.droppedLabels?.unnamedPoints, count >= Self.manyUnnamedPoints else { continue }
            StandardError.warn(
                "layer '\(layer.name)': no place for the names of \(count) points; "
                    + "';declutter=true' draws only the points whose names have a place")
        }
        for layer in report.layers where !layer.failed.isEmpty {
            let legends = layer.failed.filter(\.isLegend)
            if let legend = legends.first, legends.count == layer.failed.count {
                StandardError.warn(
                    "layer '\(layer.name)': missing legend; "
                        + "\(legend.cause?.place ?? legend.resource): \(legend.error)")
                continue
            }
            // Each missing layer of a style is named.
            for failure in layer.failed where failure.code == .notDrawn {
                StandardError.warn("layer '\(layer.name)': \(failure.error)")
            }
            guard let first = layer.failed.first(where: { $0.code != .notDrawn }) else { continue }
            // The lines and areas of the layer are still drawn.
            let icons = first.isIcon ? "icons " : ""
            StandardError.warn(
                "layer '\(layer.name)': \(layer.failed.count { $0.code != .notDrawn }) of \(layer.requested) \(icons)missing; "
                    + "\(first.resource): \(first.error)")
        }
    }
}

extension RenderReport {
    /// The failure that messages describe.
    fileprivate var firstFailure: Failure? { layers.lazy.compactMap(\.failed.first).first }

    /// The warnings about layers of services and pyramids without data in the view.
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
