public import PortolanRaster

/// An encoder for GIFs, which all browsers and mail programs play.
///
/// Of each picture only the rectangle that differs from the previous one is stored, with unchanged pixels transparent.
/// The first picture's palette serves all pictures whose colours it contains closely enough; others have palettes of
/// their own. Up to 255 colours in a picture are exact. Of more, the frequent ones are exact, and the others are those
/// of a median cut, without dithering. Transparent pixels are blended over white.
///
/// A GIF counts time in hundredths of a second: durations are rounded so that the total stays correct, and no picture is
/// shorter than two hundredths, which browsers would slow down. Source: Graphics Interchange Format, version 89a
/// (CompuServe, 1990).
public struct GIFEncoder: AnimationEncoder {
    private struct Frame {
        let columns: Range<Int>, rows: Range<Int>
        /// The palette of this picture, or `nil` for that of all.
        let palette: GIFPalette?
        /// The compressed indexes.
        let data: [UInt8]
        var duration: Duration
    }

    /// The largest difference of a channel to a colour of the shared palette.
    private static let closeness = 6
    /// The largest side that the format has.
    private static let largestSide = 65_535

    private let playCount: Int
    private var palette: GIFPalette?
    private var frames: [Frame] = []
    private var last: PixelBuffer?

    /// Creates an animation without pictures.
    ///
    /// - Parameter playCount: the number of repetitions; 0 for an endless loop.
    public init(playCount: Int = 0) { self.playCount = min(max(playCount, 0), 65_536) }

    /// Adds a picture.
    ///
    /// - Parameters:
    ///   - image: a picture of the same size as the previous ones.
    ///   - duration: its duration, up to ten minutes.
    /// - Throws: ``CodecError`` with the code `unsupported` for a picture of another size, or `limitExceeded` for a side
    ///   over 65,535 pixels.
    /// - Complexity: O(pixels + colours · log colours).
    public mutating func add(_ image: PixelBuffer, for duration: Duration) throws(CodecError) {
        guard max(image.width, image.height) <= Self.largestSide else {
            throw CodecError(
                .limitExceeded, format: .gif,
                detail: "the image is too large for GIF; the limit per side is 65535 pixels")
        }
        var image = image
        if image.pixels.contains(where: { $0 < 0xff00_0000 }) { image = image.over(.white) }
        if let last { try AnimationChange.check(image, fits: last, .gif) }
        guard let change = AnimationChange(from: last, to: image) else {
            frames[frames.count - 1].duration += duration
            return
        }
        last = image
        let colors = GIFColors(change.pixels)
        var own: GIFPalette?
        if let palette {
            if palette.error(of: colors) > Self.closeness { own = GIFPalette(colors) }
        } else {
            palette = GIFPalette(colors)
        }
        guard let used = own ?? palette else { return }
        let indexes = used.indexes(of: change.pixels, colors)
        frames.append(
            Frame(
                columns: change.columns, rows: change.rows, palette: own,
                data: LZWCompressor.compressed(indexes, codeSize: used.codeSize), duration: duration))
    }

    /// The number of bytes of the compressed pictures so far.
    public var byteCount: Int { frames.reduce(0) { $0 + $1.data.count } }

    /// Returns the animation as a file.
    ///
    /// - Throws: ``CodecError`` with the code `unsupported` if it has no pictures.
    public func finish() throws(CodecError) -> [UInt8] {
        guard let palette, let last else {
            throw CodecError(.unsupported, format: .gif, detail: "an animation without pictures")
        }
        var bytes = Array("GIF89a".utf8)
        func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
        bytes += number(last.width) + number(last.height) + [0x80 | 0x70 | palette.sizeField, 0, 0]
        bytes += palette.table
        if frames.count > 1, playCount != 1 {
            bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + number(max(playCount - 1, 0)) + [0]
        }
        var time = Duration.zero, shown = 0
        for frame in frames {
            time += min(frame.duration, .seconds(600))
            let delay = min(max(Int((time / .milliseconds(10)).rounded()) - shown, 2), 65_535)
            shown += delay
            // The picture stays until the next one.
            bytes += [0x21, 0xF9, 4, 1 << 2 | 1] + number(delay) + [GIFPalette.transparentIndex, 0]
            bytes += [0x2C] + number(frame.columns.lowerBound) + number(frame.rows.lowerBound)
            bytes += number(frame.columns.count) + number(frame.rows.count)
            bytes.append(frame.palette.map { 0x80 | $0.sizeField } ?? 0)
            bytes += frame.palette?.table ?? []
            bytes.append(UInt8((frame.palette ?? palette).codeSize))
            bytes += frame.data
        }
        bytes.append(0x3B)
        return bytes
    }
}

extension PixelBuffer {
    /// Returns the picture over a colour.
    fileprivate func over(_ color: MapColor) -> PixelBuffer {
        var canvas = Canvas(size: size, background: color)
        canvas.draw(PaintImage(self), atX: 0, y: 0, opacity: 1)
        return canvas.buffer
    }
}
