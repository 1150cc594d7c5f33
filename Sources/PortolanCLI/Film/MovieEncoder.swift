import Foundation
import Portolan
import PortolanWeb
import Synchronization

/// The encoder of MP4 and WebM: passes raw pictures to the program `ffmpeg`.
///
/// The encoded bytes are the same for each run with one version of ffmpeg: its number of threads is fixed.
final class MovieEncoder: Sendable {
    /// The container with its codec.
    enum Container: String {
        /// H.264.
        case mp4
        /// VP9.
        case webM = "webm"

        var title: String { self == .mp4 ? "MP4" : "WebM" }
    }

    private let process: Process
    private let input: FileHandle
    private let file: URL
    private let container: Container
    private let rate: Double
    private let errors = Mutex<Data>(Data())
    private let reader = DispatchGroup()

    /// The most bytes of messages that are kept.
    private static let messageLength = 2000

    /// Starts the program.
    ///
    /// - Throws: ``CommandFailure`` if it is not installed, or a side of the picture is odd, which these codecs lack.
    init(_ container: Container, size: ImageSize, rate: Double, quality: Int?) throws(CommandFailure) {
        guard size.width % 2 == 0, size.height % 2 == 0 else {
            let even = "\(size.width + size.width % 2)x\(size.height + size.height % 2)"
            throw CommandFailure(
                .usage, "\(container.title) needs even sides, but the picture has \(size); try --size \(even)")
        }
        guard let program = Self.program(in: ProcessInfo.processInfo.environment["PATH"] ?? "") else {
            throw CommandFailure(
                .unavailable,
                "\(container.title) needs the program ffmpeg, which is not installed; install the package ffmpeg, or write a "
                    + ".gif, .png or .webp")
        }
        self.container = container
        self.rate = rate
        file = FileManager.default.temporaryDirectory
            .appendingPathComponent("portolan-\(UUID().uuidString).\(container.rawValue)")
        Interruption.remove(file.path)
        // A program that ends early is a failed write, not the end of this process.
        _ = signal(SIGPIPE, SIG_IGN)
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = Self.arguments(container, size, rate, quality) + [file.path]
        let pipe = Pipe(), messages = Pipe()
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        input = pipe.fileHandleForWriting
        do { try process.run() } catch {
            throw CommandFailure(.unavailable, "cannot start \(program): \(error.localizedDescription)")
        }
        let handle = messages.fileHandleForReading
        reader.enter()
        Thread.detachNewThread { [self] in
            while let data = try? handle.read(upToCount: 4096), !data.isEmpty {
                errors.withLock { if $0.count < Self.messageLength { $0 += data } }
            }
            reader.leave()
        }
    }

    /// The path of the program in a search path, or `nil`.
    static func program(in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func arguments(
        _ container: Container, _ size: ImageSize, _ rate: Double, _ quality: Int?
    ) -> [String] {
        // ffmpeg counts down: 51 is the worst of H.264, 63 of VP9.
        let worst = container == .mp4 ? 51.0 : 63, usual = container == .mp4 ? 18.0 : 28
        let factor = quality.map { worst * Double(100 - $0) / 100 } ?? usual
        let input = [
            "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba", "-video_size",
            "\(size.width)x\(size.height)", "-framerate", "\(rate)", "-i", "pipe:0",
        ]
        let color = [
            "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", "-colorspace", "bt709",
            "-color_primaries", "bt709", "-color_trc", "bt709",
        ]
        let codec =
            container == .mp4
            ? ["-c:v", "libx264", "-movflags", "+faststart"] : ["-c:v", "libvpx-vp9", "-b:v", "0", "-row-mt", "1"]
        let exact = ["-threads", "4", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
        return input + ["-an"] + color + codec + ["-crf", "\(Int(factor.rounded()))"] + exact
            + ["-f", container.rawValue]
    }

    /// Adds a picture for a duration, in whole pictures of the rate.
    func add(_ image: PixelBuffer, for duration: Duration) throws(CommandFailure) {
        var bytes = Data(capacity: image.byteCount)
        // Pixels are R, G, B, A from the lowest byte; films have no transparency.
        for pixel in image.pixels {
            bytes.append(UInt8(pixel & 255))
            bytes.append(UInt8(pixel >> 8 & 255))
            bytes.append(UInt8(pixel >> 16 & 255))
            bytes.append(255)
        }
        for _ in 0..<max(Int((duration / .seconds(1) * rate).rounded()), 1) {
            do { try input.write(contentsOf: bytes) } catch { throw failure() }
        }
    }

    /// Ends the film and returns its bytes.
    func finish() throws(CommandFailure) -> [UInt8] {
        defer { try? FileManager.default.removeItem(at: file) }
        try? input.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw failure() }
        do { return try LocalFile(at: file.path).bytes(limit: .max) } catch {
            throw CommandFailure(.cannotCreate, "cannot read the film of ffmpeg: \(error)")
        }
    }

    /// Ends the program, and removes what it has written.
    func cancel() {
        if process.isRunning { process.terminate() }
        try? FileManager.default.removeItem(at: file)
    }

    private func failure() -> CommandFailure {
        try? input.close()
        if process.isRunning { process.waitUntilExit() }
        reader.wait()
        let text =
            String(decoding: errors.withLock { $0 }, as: UTF8.self)
            .split(whereSeparator: \.isNewline).last.map(String.init) ?? "status \(process.terminationStatus)"
        try? FileManager.default.removeItem(at: file)
        return CommandFailure(
            .cannotCreate,
            "ffmpeg cannot encode \(container.title): \(text); write a .gif, .png or .webp, or install another ffmpeg")
    }
}
