import ArgumentParser
import Portolan
import PortolanRaster

/// The options of the output and its completeness.
struct PictureOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write a .png, .jpg, .webp, .svg or .pdf file; '-' is PNG on stdout.", valueName: "file"),
        completion: .file(extensions: ["png", "jpg", "webp", "svg", "pdf"]))
    var output: String?

    @Flag(help: "Write a PNG with at most 256 colours.")
    var png8 = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Set the JPEG (default: 85) or WebP (default: lossless) quality, 1 to 100.", valueName: "n"))
    var quality: Int?

    @Flag(help: "Write SVG text with named fonts, not as outlines.")
    var svgText = false

    @Flag(help: "Link the tiles and images in an SVG; keys are visible.")
    var svgLinks = false

    @Flag(help: "Write a world file beside it: map.pgw for map.png.")
    var worldFile = false

    @Option(
        help: ArgumentHelp(
            "Write a JSON report: what was fetched, what is missing and why.", valueName: "file"))
    var report: String?

    @Flag(help: "Write no picture if anything is missing or a feature file is invalid.")
    var strict = false

    @Flag(help: "Write no picture if a label is left out.")
    var strictLabels = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Write no picture if more than N% of the resources are missing.", valueName: "N%"))
    var maxMissing: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Paint with at most N threads, 1 to 256 (default: one per processor).", valueName: "n"))
    var threads: Int?

    @Flag(help: "Print no progress and no warnings.")
    var quiet = false

    /// The maximum number of threads, or `nil` for the default.
    func threadCount() throws(CommandFailure) -> Int? {
        guard let threads else { return nil }
        guard (1...256).contains(threads) else {
            throw CommandFailure(.usage, "--threads \(threads): must be between 1 and 256")
        }
        return threads
    }

    /// The output format.
    func format(of file: OutputFile) throws(CommandFailure) -> PictureFormat {
        let format = try PictureFormat(of: file)
        if format != .svg, svgText || svgLinks {
            let option = svgText ? "--svg-text" : "--svg-links"
            throw CommandFailure(
                .usage, "\(option) needs an SVG, but -o \(file.path) is another format; use a .svg file")
        }
        if let quality {
            guard (1...100).contains(quality) else {
                throw CommandFailure(.usage, "--quality \(quality): must be between 1 and 100")
            }
            switch format {
            case .jpeg: return .jpeg(quality: quality)
            case .webp: return .webp(.lossy(quality: quality))
            case .png, .png8, .svg, .pdf:
                throw CommandFailure(
                    .usage,
                    "--quality needs JPEG or WebP, but -o \(file.path) is another format; use a .jpg or .webp file"
                )
            }
        }
        guard png8 else { return format }
        guard format == .png else {
            throw CommandFailure(
                .usage, "--png8 needs PNG, but -o \(file.path) is another format; use a .png file")
        }
        return .png8
    }

    /// The SVG options.
    var svgOptions: SVGOptions {
        SVGOptions(text: svgText ? .text : .outlines, images: svgLinks ? .linked : .embedded)
    }

    /// The share of resources that may be missing, 0 to 1.
    func maximumMissing() throws(CommandFailure) -> Double {
        guard let maxMissing else { return strict ? 0 : 1 }
        let digits = maxMissing.hasSuffix("%") ? maxMissing.dropLast() : maxMissing[...]
        guard let share = Double(digits), (0...100).contains(share) else {
            throw CommandFailure(.usage, "--max-missing \(maxMissing): expected N% from 0% to 100%")
        }
        return strict ? 0 : share / 100
    }
}

/// The picture formats.
enum PictureFormat: Equatable {
    case png
    case jpeg(quality: Int)
    case webp(WebPEncoder.Compression)
    /// PNG with a palette.
    case png8
    /// Shapes, text and images.
    case svg
    /// A page with shapes, text, images and layers.
    case pdf

    /// Whether its files state a physical size.
    var hasPhysicalSize: Bool { if case .webp = self { false } else { true } }

    /// The format for the extension of a file.
    init(of file: OutputFile) throws(CommandFailure) {
        if file.isStandardOutput {
            self = .png
            return
        }
        switch file.pathExtension {
        case "png": self = .png
        case "jpg", "jpeg": self = .jpeg(quality: 85)
        case "webp": self = .webp(.lossless)
        case "svg": self = .svg
        case "pdf": self = .pdf
        default:
            throw CommandFailure(
                .usage,
                "-o \(file.path): unknown extension; use .png, .jpg, .webp, .svg or .pdf, or '-' for PNG on standard output"
            )
        }
    }

    /// Encodes a picture, in pieces if it is large.
    ///
    /// JPEG has no transparency, so transparent pixels get
    /// `background`, or white.
    func encode(
        _ result: RenderResult, background: MapColor, svg options: SVGOptions, for file: OutputFile,
        _ add: ([UInt8]) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        do {
            switch self {
            case .png: try result.encodePNG(add)
            case .png8: try result.encodePalettePNG(add)
            case .jpeg(let quality):
                try result.encodeJPEG(
                    quality: quality, background: background.alpha == 255 ? background : .white, add)
            case .webp(let compression): try add(WebPEncoder.encode(result.pageImage, compression: compression))
            case .svg: try add(result.svg(options))
            case .pdf: try result.encodePDF(PDFOptions.ofEnvironment(), add)
            }
        } catch let error as CommandFailure {
            throw error
        } catch { throw CommandFailure(.cannotCreate, "cannot write \(file.path): \(error)") }
    }
}
