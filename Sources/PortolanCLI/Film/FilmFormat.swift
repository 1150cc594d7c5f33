import Portolan
import PortolanCodecs

/// The formats of films.
enum FilmFormat: Equatable {
    case animatedPNG
    case gif
    case webP(WebPEncoder.Compression)
    /// A film that `ffmpeg` encodes.
    case movie(MovieEncoder.Container)

    /// The format for the extension of a file.
    init(of file: OutputFile, quality: Int?) throws(CommandFailure) {
        if let quality, !(1...100).contains(quality) {
            throw CommandFailure(.usage, "--quality \(quality): must be between 1 and 100")
        }
        switch file.isStandardOutput ? "" : file.pathExtension {
        case "png", "apng": self = .animatedPNG
        case "gif": self = .gif
        case "webp": self = .webP(quality.map { .lossy(quality: $0) } ?? .lossless)
        case "mp4": self = .movie(.mp4)
        case "webm": self = .movie(.webM)
        default:
            throw CommandFailure(
                .usage, "-o \(file.path): unknown extension; use .gif, .png, .webp, .mp4 or .webm")
        }
        if quality != nil, self == .animatedPNG || self == .gif {
            throw CommandFailure(.usage, "--quality needs WebP, MP4 or WebM, but -o \(file.path) is another format")
        }
    }

    /// The usual number of pictures per second.
    var usualRate: Double { if case .movie = self { 30 } else { 15 } }
}

/// A film in progress.
struct FilmWriter {
    private enum Target {
        case animation(any AnimationEncoder)
        case movie(MovieEncoder)
    }

    /// The largest film that is kept in memory, in bytes.
    private static let largest = 1 << 30

    private var target: Target

    /// Begins a film.
    ///
    /// - Parameters:
    ///   - rate: pictures per second, for movies.
    ///   - loops: the number of repetitions; 0 for an endless loop.
    init(_ format: FilmFormat, size: ImageSize, rate: Double, loops: Int, quality: Int?) throws(CommandFailure) {
        target =
            switch format {
            case .animatedPNG: .animation(AnimatedPNGEncoder(playCount: loops))
            case .gif: .animation(GIFEncoder(playCount: loops))
            case .webP(let compression): .animation(AnimatedWebPEncoder(playCount: loops, compression: compression))
            case .movie(let container):
                .movie(try MovieEncoder(container, size: size, rate: rate, quality: quality))
            }
    }

    /// Adds a picture.
    mutating func add(_ image: PixelBuffer, for duration: Duration) throws(CommandFailure) {
        switch target {
        case .movie(let movie): try movie.add(image, for: duration)
        case .animation(var animation):
            do throws(CodecError) { try animation.add(image, for: duration) } catch {
                throw CommandFailure(.cannotCreate, "cannot encode the film: \(error.detail)")
            }
            guard animation.byteCount <= Self.largest else {
                throw CommandFailure(
                    .cannotCreate, "the film exceeds 1 GiB; make it smaller or shorter, or write an .mp4")
            }
            target = .animation(animation)
        }
    }

    /// Returns the film as a file.
    func finish() throws(CommandFailure) -> [UInt8] {
        switch target {
        case .movie(let movie): return try movie.finish()
        case .animation(let animation):
            do throws(CodecError) { return try animation.finish() } catch {
                throw CommandFailure(.cannotCreate, "cannot encode the film: \(error.detail)")
            }
        }
    }

    /// Ends an encoder that is still running, after a failure.
    func cancel() { if case .movie(let movie) = target { movie.cancel() } }
}
