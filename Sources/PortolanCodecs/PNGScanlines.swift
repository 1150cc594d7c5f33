#if canImport(CPNGShim)
/// Rows of samples as stored in PNG, each after a byte for its filter (PNG 3rd edition, clause 9).
///
/// Filters are suitable for gradients. On maps with flat colours they separate equal bytes that deflate would find, and
/// make files a fifth larger.
struct PNGScanlines {
    /// All rows, concatenated.
    private(set) var bytes: [UInt8]
    /// The bytes per row without the filter byte.
    private let rowCount: Int
    /// The bytes per pixel, which is the distance to a byte's left neighbour.
    private let step: Int

    /// Creates unfiltered rows of straight RGB or RGBA samples.
    ///
    /// - Parameter pixels: premultiplied pixels.
    init(pixels: ArraySlice<UInt32>, width: Int, channels: Int) {
        step = channels
        rowCount = width * channels
        let line = rowCount + 1
        var bytes = [UInt8](repeating: 0, count: line * (pixels.count / width))
        let pixels = pixels.span
        // Memory safety: there are `line` bytes per row at `target`, the filter byte and `channels` for each of `width`
        // pixels; a whole word is stored only if four channels or a following pixel leave room for it.
        unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for row in 0..<(pixels.count / width) {
                var target = unsafe start + (row * line + 1), first = row * width
                // Four opaque pixels are three words.
                while channels == 3, first + 4 <= row * width + width {
                    let a = pixels[first], b = pixels[first + 1], c = pixels[first + 2], d = pixels[first + 3]
                    guard a & b & c & d >= 0xff00_0000 else { break }
                    unsafe target.storeBytes(of: (a & 0xff_ffff | b &<< 24).littleEndian, as: UInt32.self)
                    unsafe target.storeBytes(
                        of: (b &>> 8 & 0xffff | c &<< 16).littleEndian, toByteOffset: 4, as: UInt32.self)
                    unsafe target.storeBytes(
                        of: (c &>> 16 & 0xff | d &<< 8).littleEndian, toByteOffset: 8, as: UInt32.self)
                    unsafe target += 12
                    first += 4
                }
                for index in first..<(row * width + width) {
                    let pixel = pixels[index]
                    // The bytes are already zero.
                    if pixel != 0 {
                        let straight = Premultiplication.straight(pixel)
                        if channels == 4 || index + 1 < row * width + width {
                            unsafe target.storeBytes(of: straight.littleEndian, as: UInt32.self)
                        } else {
                            unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: straight), as: UInt8.self)
                            unsafe target.storeBytes(
                                of: UInt16(truncatingIfNeeded: straight &>> 8).littleEndian, toByteOffset: 1,
                                as: UInt16.self)
                        }
                    }
                    unsafe target += channels
                }
            }
        }
        self.bytes = bytes
    }

    /// Creates the rows of a whole picture.
    init(pixels: [UInt32], width: Int, channels: Int) {
        self.init(pixels: pixels[...], width: width, channels: channels)
    }

    /// Creates rows of palette indices.
    init(indices: [UInt8], width: Int) {
        step = 1
        rowCount = width
        var bytes: [UInt8] = []
        bytes.reserveCapacity(indices.count + indices.count / width)
        for start in stride(from: 0, to: indices.count, by: width) {
            bytes.append(0)
            bytes.append(contentsOf: indices[start..<(start + width)])
        }
        self.bytes = bytes
    }

    /// A sample of the rows: four stripes of sixteen, or all if there are no more.
    var sample: PNGScanlines {
        let line = rowCount + 1, count = bytes.count / line
        guard count > 64 else { return self }
        var copy = self
        copy.bytes = []
        for stripe in 0..<4 {
            let first = stripe * (count - 16) / 3
            copy.bytes += bytes[(first * line)..<((first + 16) * line)]
        }
        return copy
    }

    /// Returns the rows with the filter Sub or Up, whichever gives smaller numbers in a row.
    func filtered() -> [UInt8] {
        var result = bytes
        let line = rowCount + 1
        for start in stride(from: 0, to: bytes.count, by: line) {
            var left = 0, above = 0
            for index in (start + 1)..<(start + line) {
                let byte = bytes[index]
                let before = index - start > step ? bytes[index - step] : 0
                let over = start > 0 ? bytes[index - line] : 0
                left &+= Int(Int8(bitPattern: byte &- before).magnitude)
                above &+= Int(Int8(bitPattern: byte &- over).magnitude)
            }
            let usesLeft = left < above
            result[start] = usesLeft ? 1 : 2
            for index in (start + 1)..<(start + line) {
                if usesLeft {
                    if index - start > step { result[index] = bytes[index] &- bytes[index - step] }
                } else if start > 0 {
                    result[index] = bytes[index] &- bytes[index - line]
                }
            }
        }
        return result
    }
}
#endif
