import ArgumentParser
import Portolan

/// `portolan render`: draws one picture.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draws a map into a picture.",
        discussion: """
            EXAMPLES
              A route, as large as fits, over a map service:
                portolan render -l 'wms:https://example.org/wms;layers=base' -l route.geojson -o map.png

              A place at a zoom level, on tiles, twice as dense:
                portolan render -l 'xyz:https://example.org/{z}/{x}/{y}.png' --center 24.94,60.17 --zoom 14 \\
                  --pixel-ratio 2 -o helsinki.png

              An extent in another CRS, with a report of what is missing:
                portolan render -l 'wms:https://example.org/wms;layers=base' --crs EPSG:25830 \\
                  --bbox 660000,4600000,690000,4625000 -o zaragoza.jpg --report zaragoza.json

            EXIT CODES
              0 drawn whole; 3 drawn with something missing; 64 usage; 65 bad input data; 66 input file missing;
              69 service unavailable, nothing drawn; 73 output cannot be made; 130 interrupted.
            """)

    @OptionGroup var map: MapOptions
    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions

    @Option(
        name: [.short, .long],
        help: "The picture: a .png or .jpg file, written whole or not at all, or '-' for PNG on standard output.",
        completion: .file(extensions: ["png", "jpg"]))
    var output: String

    @Option(help: "A file to write a report to, as JSON: what was fetched, what is missing and why.")
    var report: String?

    @Flag(help: "Write no picture when something is missing.")
    var strict = false

    @Option(help: "Write no picture when more than this share is missing, as N%.")
    var maxMissing: String?

    @Flag(help: "Show no progress and no warnings.")
    var quiet = false

    func run() async throws {
        let file = OutputFile(path: output)
        let format = try format(of: file)
        var options = try furniture.options()
        options.maximumMissing = try maximumMissing()
        try file.check()
        if let report { try OutputFile(path: report).check() }
        let status = try await Interruption.cancelling { [options] in
            try await draw(to: file, as: format, options: options)
        }
        if status != .drawn { throw ExitCode(status.rawValue) }
    }

    private enum Format { case png, jpeg }

    private func format(of file: OutputFile) throws(CommandFailure) -> Format {
        if file.isStandardOutput { return .png }
        switch file.pathExtension {
        case "png": return .png
        case "jpg", "jpeg": return .jpeg
        default: throw CommandFailure(.usage, "-o \(output): the file's name must end in .png or .jpg")
        }
    }

    private func maximumMissing() throws(CommandFailure) -> Double {
        guard let maxMissing else { return strict ? 0 : 1 }
        let digits = maxMissing.hasSuffix("%") ? maxMissing.dropLast() : maxMissing[...]
        guard let share = Double(digits), (0...100).contains(share) else {
            throw CommandFailure(.usage, "--max-missing \(maxMissing) is not of the form N% from 0% to 100%")
        }
        return strict ? 0 : share / 100
    }

    private func draw(to file: OutputFile, as format: Format, options: RenderOptions) async throws -> ExitStatus {
        let map = try await map.map()
        if options.maximumMissing == 0, let lost = map.missing.first?.failed.first {
            throw CommandFailure(.unavailable, lost.error)
        }
        let renderer = MapRenderer(configuration: map.configuration)
        let bar = ProgressBar(isQuiet: quiet)
        var result: RenderResult
        do {
            result = try await renderer.render(map.layers, in: map.viewport, options: options) { bar.show($0) }
            bar.finish()
        } catch {
            bar.finish()
            if var report = error.report {
                report.add(map.missing, warnings: map.warnings)
                try write(report)
            }
            throw CommandFailure(error.code == .noFont ? .badData : .unavailable, error.description)
        }
        let clock = ContinuousClock()
        var bytes: [UInt8] = []
        let encoding = try clock.measure {
            bytes = try encode(result.image, as: format, background: options.background)
        }
        try file.write(bytes)
        var report = result.report
        report.add(map.missing, warnings: map.warnings)
        report.setEncoding(encoding)
        try write(report)
        if !quiet { tell(report) }
        return report.complete ? .drawn : .incomplete
    }

    private func encode(_ image: PixelBuffer, as format: Format, background: Color) throws(CommandFailure) -> [UInt8] {
        do {
            switch format {
            case .png: return try PNGEncoder.encode(image)
            case .jpeg: return try JPEGEncoder.encode(image, background: background.alpha == 255 ? background : .white)
            }
        } catch { throw CommandFailure(.cannotCreate, "\(output): \(error)") }
    }

    private func write(_ report: RenderReport) throws(CommandFailure) {
        guard let path = self.report else { return }
        try OutputFile(path: path).write(JSONText.bytes(report))
    }

    private func tell(_ report: RenderReport) {
        for warning in report.warnings { StandardError.warn(warning) }
        for layer in report.layers where !layer.failed.isEmpty {
            let first = layer.failed[0]
            StandardError.warn(
                "layer '\(layer.name)': \(layer.failed.count) of \(layer.requested) missing; "
                    + "\(first.resource): \(first.error)")
        }
    }
}
