#if canImport(CPNGShim)
public import PortolanRaster

/// An encoder for animated PNGs: browsers play them, other programs show the first picture.
///
/// Of each picture only the rectangle that differs from the previous one is stored, with unchanged pixels transparent.
/// A picture without any difference extends the duration of the previous one. Samples have 8 bits, RGBA. Source: PNG
/// (Third Edition), clauses 4.9 and 11.3.6.
public struct AnimatedPNGEncoder: AnimationEncoder {
    /// A stored picture.
    private struct Frame {
        let x: Int, y: Int, width: Int, height: Int
        let data: [UInt8]
        /// Whether it is blended over the previous content, and transparent where that stays.
        let isOver: Bool
        var duration: Duration
    }

    private let playCount: Int
    private let compression: PNGEncoder.Compression
    private var frames: [Frame] = []
    private var last: PixelBuffer?

    /// Creates an animation without pictures.
    ///
    /// - Parameter playCount: the number of repetitions; 0 for an endless loop.
    public init(playCount: Int = 0, compression: PNGEncoder.Compression = .balanced) {
        self.playCount = min(max(playCount, 0), Int(Int32.max))
        self.compression = compression
    }

    /// Adds a picture.
    ///
    /// - Parameters:
    ///   - image: a picture of the same size as the previous ones.
    ///   - duration: its duration, in whole milliseconds up to a minute.
    /// - Throws: ``CodecError`` with the code `unsupported` for a picture of another size, or `outOfMemory`.
    /// - Complexity: O(pixels).
    public mutating func add(_ image: PixelBuffer, for duration: Duration) throws(CodecError) {
        if let last { try AnimationChange.check(image, fits: last, .png) }
        guard let change = AnimationChange(from: last, to: image) else {
            frames[frames.count - 1].duration += duration
            return
        }
        last = image
        let lines = PNGScanlines(pixels: change.pixels, width: change.columns.count, channels: 4)
        frames.append(
            Frame(
                x: change.columns.lowerBound, y: change.rows.lowerBound, width: change.columns.count,
                height: change.rows.count,
                data: try PNGEncoder.compressed(lines, compression: compression, isIndexed: false),
                isOver: change.isOver, duration: duration))
    }

    /// The number of bytes of the compressed pictures so far.
    public var byteCount: Int { frames.reduce(0) { $0 + $1.data.count } }

    /// Returns the animation as a file.
    ///
    /// - Throws: ``CodecError`` with the code `unsupported` if it has no pictures.
    public func finish() throws(CodecError) -> [UInt8] {
        guard let first = frames.first else {
            throw CodecError(.unsupported, format: .png, detail: "an animation without pictures")
        }
        var file = PNGFile()
        file.addHeader(width: first.width, height: first.height, colorType: 6)
        file.add("acTL", PNGFile.number(UInt32(frames.count)) + PNGFile.number(UInt32(playCount)))
        // Frame control and frame data chunks share their sequence numbers.
        var number: UInt32 = 0
        for (place, frame) in frames.enumerated() {
            file.add("fcTL", PNGFile.number(number) + Self.control(frame))
            number += 1
            if place == 0 {
                file.add("IDAT", frame.data)
            } else {
                file.add("fdAT", PNGFile.number(number) + frame.data)
                number += 1
            }
        }
        file.add("IEND", [])
        return file.bytes
    }

    /// Returns the frame control chunk: position, duration and blending; the frame stays until the next one.
    private static func control(_ frame: Frame) -> [UInt8] {
        let place = [frame.width, frame.height, frame.x, frame.y].flatMap { PNGFile.number(UInt32($0)) }
        // The delay in thousandths of a second.
        let times = [Int(min(max(frame.duration / .milliseconds(1), 0), 60_000)), 1000]
        return place + times.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } + [0, frame.isOver ? 1 : 0]
    }
}
#endif
