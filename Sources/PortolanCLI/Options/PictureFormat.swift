import Portolan

/// The formats that pictures are written in.
enum PictureFormat {
    case png, jpeg
    /// PNG with a palette.
    case png8

    /// The format that the name of a file asks for.
    init(of file: OutputFile) throws(CommandFailure) {
        if file.isStandardOutput {
            self = .png
            return
        }
        switch file.pathExtension {
        case "png": self = .png
        case "jpg", "jpeg": self = .jpeg
        default:
            throw CommandFailure(
                .usage, "-o \(file.path): the name must end in .png or .jpg; '-' is PNG on standard output")
        }
    }

    /// The bytes of a picture; JPEG has no transparency, so that what shines through is `background`, or white.
    func encode(_ image: PixelBuffer, background: Color, for file: OutputFile) throws(CommandFailure) -> [UInt8] {
        do {
            switch self {
            case .png: return try PNGEncoder.encode(image)
            case .png8: return try PNGEncoder.encode(image, colors: .palette)
            case .jpeg: return try JPEGEncoder.encode(image, background: background.alpha == 255 ? background : .white)
            }
        } catch { throw CommandFailure(.cannotCreate, "\(file.path) cannot be made: \(error)") }
    }
}
