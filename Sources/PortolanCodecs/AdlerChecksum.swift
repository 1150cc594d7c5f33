#if canImport(CPNGShim)
import PortolanRaster

/// The checksum of a zlib stream (RFC 1950, section 2.2), from the pixels of a picture.
enum AdlerChecksum {
    /// The sum of the bytes of a row, and that of each times the number of bytes from it to the end of the row.
    private struct Sums {
        var plain: UInt64 = 0, weighted: UInt64 = 0
    }

    /// Returns the checksum of the rows of a picture, each with a zero before it.
    ///
    /// - Parameters:
    ///   - channels: 3 if all pixels are opaque, otherwise 4.
    ///   - width: at most 10,922 pixels with three channels.
    /// - Complexity: O(pixels).
    static func ofRows(_ pixels: [UInt32], width: Int, channels: Int) -> UInt32 {
        let line = UInt64(width * channels + 1), modulus: UInt64 = 65521
        var low: UInt64 = 1, high: UInt64 = 0
        for start in stride(from: 0, to: pixels.count, by: width) {
            let row = start..<(start + width), sums = channels == 3 ? opaque(pixels, row) : translucent(pixels, row)
            high = (high + line * low + sums.weighted) % modulus
            low = (low + sums.plain) % modulus
        }
        return UInt32(truncatingIfNeeded: high << 16 | low)
    }

    private static func opaque(_ pixels: [UInt32], _ row: Range<Int>) -> Sums {
        // Of eight columns: the sums of all samples, those of the sums before each step, and what green and blue lack to
        // the weight of red.
        var plain = SIMD8<UInt32>(), earlier = SIMD8<UInt32>(), less = SIMD8<UInt32>()
        let stepCount = row.count / 8
        for step in 0..<stepCount {
            let eight = pixels.eight(at: row.lowerBound &+ step &* 8)
            let green = eight &>> 8 & 255, blue = eight &>> 16 & 255
            earlier &+= plain
            plain &+= eight & 255 &+ green &+ blue
            less &+= green &+ blue &+ blue
        }
        var sums = Sums(), rest = UInt64(row.count * 3)
        for column in 0..<8 {
            let sum = UInt64(plain[column])
            // A pixel of the last step has the weight `rest` less the steps before it.
            let last = rest &- UInt64(3 * (8 * max(stepCount - 1, 0) + column))
            sums.plain += sum
            sums.weighted += last &* sum &+ 24 &* UInt64(earlier[column]) &- UInt64(less[column])
        }
        rest -= UInt64(24 * stepCount)
        for index in (row.lowerBound + 8 * stepCount)..<row.upperBound {
            add(pixels[index] & 0xff_ffff, 3, &rest, to: &sums)
        }
        return sums
    }

    private static func translucent(_ pixels: [UInt32], _ row: Range<Int>) -> Sums {
        var sums = Sums(), rest = UInt64(row.count * 4), last: UInt32 = 0, straight: UInt32 = 0
        let pixels = pixels.span
        for index in row {
            if pixels[index] != last {
                last = pixels[index]
                straight = Premultiplication.straight(last)
            }
            add(straight, 4, &rest, to: &sums)
        }
        return sums
    }

    /// Adds a pixel, of which the first byte has the weight `rest`.
    @inline(__always) private static func add(
        _ pixel: UInt32, _ channels: UInt64, _ rest: inout UInt64, to sums: inout Sums
    ) {
        let red = UInt64(pixel & 255), green = UInt64(pixel &>> 8 & 255)
        let blue = UInt64(pixel &>> 16 & 255), alpha = UInt64(pixel &>> 24)
        let sum = red &+ green &+ blue &+ alpha
        sums.plain &+= sum
        sums.weighted &+= rest &* sum &- (green &+ 2 &* blue &+ 3 &* alpha)
        rest &-= channels
    }
}
#endif
