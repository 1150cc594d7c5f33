public import PortolanRaster

/// An encoder for animated WebPs.
///
/// Of each picture only the rectangle that differs from the previous one is stored, with unchanged pixels transparent.
/// Needs the trait `Images`. Source: WebP Container Specification (RFC 9649, section 2.7.1).
public struct AnimatedWebPEncoder: AnimationEncoder {
    private struct Frame {
        let x: Int, y: Int, width: Int, height: Int
        /// The image chunks.
        let data: [UInt8]
        let isOver: Bool
        var duration: Duration
    }

    private let playCount: Int
    private let compression: WebPEncoder.Compression
    private var frames: [Frame] = []
    private var last: PixelBuffer?

    /// Creates an animation without pictures.
    ///
    /// - Parameter playCount: the number of repetitions; 0 for an endless loop.
    public init(playCount: Int = 0, compression: WebPEncoder.Compression = .lossless) {
        self.playCount = min(max(playCount, 0), 65_535)
        self.compression = compression
    }

    /// Adds a picture.
    ///
    /// - Parameters:
    ///   - image: a picture of the same size as the previous ones.
    ///   - duration: its duration, in whole milliseconds up to four hours.
    /// - Throws: ``CodecError`` with the code `unsupported` for a picture of another size, and the errors of
    ///   ``WebPEncoder/encode(_:compression:)``.
    /// - Complexity: O(pixels); tens of times slower than a PNG.
    public mutating func add(_ image: PixelBuffer, for duration: Duration) throws(CodecError) {
        if let last { try AnimationChange.check(image, fits: last, .webp) }
        // Positions are stored as halves.
        guard let change = AnimationChange(from: last, to: image, alignment: 2) else {
            frames[frames.count - 1].duration += duration
            return
        }
        last = image
        guard let size = ImageSize(width: change.columns.count, height: change.rows.count),
            let part = PixelBuffer(size: size, pixels: change.pixels)
        else { return }
        let file = try WebPEncoder.encode(part, compression: compression)
        frames.append(
            Frame(
                x: change.columns.lowerBound, y: change.rows.lowerBound, width: size.width, height: size.height,
                data: Self.imageChunks(of: file), isOver: change.isOver, duration: duration))
    }

    /// The number of bytes of the compressed pictures so far.
    public var byteCount: Int { frames.reduce(0) { $0 + $1.data.count } }

    /// Returns the animation as a file.
    ///
    /// - Throws: ``CodecError`` with the code `unsupported` if it has no pictures, or `limitExceeded` for more than 4 GiB.
    public func finish() throws(CodecError) -> [UInt8] {
        guard let last else {
            throw CodecError(.unsupported, format: .webp, detail: "an animation without pictures")
        }
        var body = Array("WEBP".utf8)
        // An animation, possibly with transparency.
        let extended = [0x12, 0, 0, 0] + Self.number(last.width - 1, 3) + Self.number(last.height - 1, 3)
        body += Self.chunk("VP8X", extended)
        body += Self.chunk("ANIM", [255, 255, 255, 255] + Self.number(playCount, 2))
        for frame in frames {
            let milliseconds = Int(min(max(frame.duration / .milliseconds(1), 0), 16_777_215))
            var control = Self.number(frame.x / 2, 3) + Self.number(frame.y / 2, 3)
            control += Self.number(frame.width - 1, 3) + Self.number(frame.height - 1, 3)
            control += Self.number(milliseconds, 3) + [frame.isOver ? 0 : 2]
            body += Self.chunk("ANMF", control + frame.data)
        }
        guard body.count < 1 << 32 - 10 else {
            throw CodecError(.limitExceeded, format: .webp, detail: "the animation exceeds 4 GiB")
        }
        return Array("RIFF".utf8) + Self.number(body.count, 4) + body
    }

    /// Returns the chunks of a file with a single image, without those about the whole file.
    private static func imageChunks(of file: [UInt8]) -> [UInt8] {
        var chunks: [UInt8] = [], start = 12
        while start + 8 <= file.count {
            let size = (0..<4).reduce(0) { $0 | Int(file[start + 4 + $1]) << (8 * $1) }
            let end = min(start + 8 + size + size % 2, file.count)
            if file[start..<start + 4].elementsEqual("VP8X".utf8) == false { chunks += file[start..<end] }
            start = end
        }
        return chunks
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }
}
