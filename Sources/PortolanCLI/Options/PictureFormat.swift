import Portolan

/// The formats that pictures are written in.
enum PictureFormat {
    case png, jpeg
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
        case "jpg", "jpeg": self = .jpeg
        case "svg": self = .svg
        default:
            throw CommandFailure(
                .usage, "-o \(file.path): the name must end in .png, .jpg or .svg; '-' is PNG on standard output")
        }
    }

    /// The bytes of a picture; JPEG has no transparency, so that what shines through is `background`, or white.
    func encode(
        _ result: RenderResult, background: Color, svg options: SVGOptions, for file: OutputFile
    ) throws(CommandFailure) -> [UInt8] {
        let image = result.image
        do {
            switch self {
            case .png: return try PNGEncoder.encode(image)
            case .png8: return try PNGEncoder.encode(image, colors: .palette)
            case .jpeg: return try JPEGEncoder.encode(image, background: background.alpha == 255 ? background : .white)
            case .svg: return try result.svg(options)
            }
        } catch { throw CommandFailure(.cannotCreate, "\(file.path) cannot be made: \(error)") }
    }
}
