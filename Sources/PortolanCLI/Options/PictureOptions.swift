import ArgumentParser
import Portolan
import PortolanRaster

/// The options that say where a picture goes and how whole it must be.
struct PictureOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The picture: a .png, .jpg, .webp or .svg file, written whole or not at all, or '-' for PNG on standard output.",
            valueName: "file"),
        completion: .file(extensions: ["png", "jpg", "webp", "svg"]))
    var output: String?

    @Flag(
        help: ArgumentHelp(
            "Write a PNG of at most 256 colours with their opacity, often a third of the size.",
            discussion: "Exact when the picture has no more colours, otherwise the nearest of a palette made for it."))
    var png8 = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How much of the picture a JPEG (default: 85) or a WebP keeps, 1 to 100.",
            discussion: "Without it a WebP keeps every pixel.", valueName: "N"))
    var quality: Int?

    @Flag(
        help: ArgumentHelp(
            "Write text in an SVG as text that names its fonts, small and easy to edit.",
            discussion: "Without it text is written as the outlines of its letters, which look the same everywhere."))
    var svgText = false

    @Flag(
        help: ArgumentHelp(
            "Write the addresses of tiles and maps of servers into an SVG instead of their pixels.",
            discussion: "An address holds its whole query, which may have a key for the service."))
    var svgLinks = false

    @Flag(
        help: ArgumentHelp(
            "Write a world file beside the picture, for GIS programs: map.pgw for map.png, map.jgw for map.jpg, map.wpw for map.webp.",
            discussion: "It says where the pixels lie, in units of --crs, and not which CRS that is."))
    var worldFile = false

    @Option(
        help: ArgumentHelp(
            "A file for a report as JSON ('-': standard output): what was fetched, what is missing and why.",
            discussion: "A key that has no value, such as the attribution of a layer without one, is left out.",
            valueName: "file"))
    var report: String?

    @Flag(
        help: ArgumentHelp(
            "Write no picture when something is missing.",
            discussion: """
                A layer of a service or a pyramid that has nothing where the view is counts as missing: exit status 69. A \
                file of features that breaks its standard is refused, too, and not read as far as it can be.
                """
        ))
    var strict = false

    @Flag(help: "Write no picture when a label finds no place: exit status 69. The report tells how many, and why.")
    var strictLabels = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Write no picture when more than this share is missing, 0% to 100%.", valueName: "N%"))
    var maxMissing: String?

    @Option(
        parsing: .unconditional,
        help: "Threads that may paint, 1 to 256 (default: one a processor); the picture does not depend on it.")
    var threads: Int?

    @Flag(help: "Show no progress and no warnings.")
    var quiet = false

    /// How many threads may paint, or `nil` for as many as usual.
    func threadCount() throws(CommandFailure) -> Int? {
        guard let threads else { return nil }
        guard (1...256).contains(threads) else {
            throw CommandFailure(.usage, "--threads \(threads) is not between 1 and 256")
        }
        return threads
    }

    /// What the picture is written as.
    func format(of file: OutputFile) throws(CommandFailure) -> PictureFormat {
        let format = try PictureFormat(of: file)
        if format != .svg, svgText || svgLinks {
            let option = svgText ? "--svg-text" : "--svg-links"
            throw CommandFailure(
                .usage, "\(option) is for SVG and -o \(file.path) asks for another format; name a .svg file")
        }
        if let quality {
            guard (1...100).contains(quality) else {
                throw CommandFailure(.usage, "--quality \(quality) is not between 1 and 100")
            }
            switch format {
            case .jpeg: return .jpeg(quality: quality)
            case .webp: return .webp(.lossy(quality: quality))
            case .png, .png8, .svg:
                throw CommandFailure(
                    .usage,
                    "--quality is for JPEG and WebP and -o \(file.path) asks for another format; name a .jpg or .webp file"
                )
            }
        }
        guard png8 else { return format }
        guard format == .png else {
            throw CommandFailure(
                .usage, "--png8 is for PNG and -o \(file.path) asks for another format; name a .png file")
        }
        return .png8
    }

    /// How an SVG is made.
    var svgOptions: SVGOptions {
        SVGOptions(text: svgText ? .text : .outlines, images: svgLinks ? .linked : .embedded)
    }

    /// The share of the needed resources that may be missing, 0 to 1.
    func maximumMissing() throws(CommandFailure) -> Double {
        guard let maxMissing else { return strict ? 0 : 1 }
        let digits = maxMissing.hasSuffix("%") ? maxMissing.dropLast() : maxMissing[...]
        guard let share = Double(digits), (0...100).contains(share) else {
            throw CommandFailure(.usage, "--max-missing \(maxMissing) is not of the form N% from 0% to 100%")
        }
        return strict ? 0 : share / 100
    }
}

/// The formats that pictures are written in.
enum PictureFormat: Equatable {
    case png
    case jpeg(quality: Int)
    case webp(WebPCompression)
    /// PNG with a palette.
    case png8
    /// Shapes, text and images.
    case svg

    /// The format that the name of a file asks for.
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
        default:
            throw CommandFailure(
                .usage, "-o \(file.path): the name must end in .png, .jpg, .webp or .svg; '-' is PNG on standard output"
            )
        }
    }

    /// Gives the bytes of a picture, those of a large one piece by piece; JPEG has no transparency, so that what shines through is
    /// `background`, or white.
    func encode(
        _ result: RenderResult, background: Color, svg options: SVGOptions, for file: OutputFile,
        _ add: ([UInt8]) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        do {
            switch self {
            case .png: try result.encodePNG(add)
            case .png8: try add(PNGEncoder.encode(result.image, colors: .palette))
            case .jpeg(let quality):
                try result.encodeJPEG(
                    quality: quality, background: background.alpha == 255 ? background : .white, add)
            case .webp(let compression): try add(WebPEncoder.encode(result.image, compression: compression))
            case .svg: try add(result.svg(options))
            }
        } catch let error as CommandFailure {
            throw error
        } catch { throw CommandFailure(.cannotCreate, "\(file.path) cannot be made: \(error)") }
    }
}
