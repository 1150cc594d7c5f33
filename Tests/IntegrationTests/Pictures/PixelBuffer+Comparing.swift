import Portolan
import PortolanRaster
import PortolanTesting
import Testing

extension PixelBuffer {
    /// The picture on white paper: what is transparent by `255 - alpha` lets as much white through.
    var onWhite: PixelBuffer {
        var picture = self
        for y in 0..<height {
            for x in 0..<width {
                let pixel = self[x, y], white = 255 - pixel.alpha
                picture[x, y] = Pixel(
                    red: pixel.red + white, green: pixel.green + white, blue: pixel.blue + white, alpha: 255)
            }
        }
        return picture
    }

    /// How many colours the picture has, up to a few: one colour shows nothing.
    var isBlank: Bool { Set(pixels.prefix(1)).isSuperset(of: pixels) }

    /// The mean difference of the three colours, 0 to 255, or `nil` when the sizes differ.
    func meanDifference(from other: PixelBuffer) -> Double? {
        guard size == other.size else { return nil }
        var sum = 0
        for y in 0..<height {
            for x in 0..<width {
                let a = self[x, y], b = other[x, y]
                sum += abs(Int(a.red) - Int(b.red)) + abs(Int(a.green) - Int(b.green))
                sum += abs(Int(a.blue) - Int(b.blue))
            }
        }
        return Double(sum) / Double(3 * size.pixelCount)
    }

    /// The part whose top left pixel is at (x, y).
    func part(x: Int, y: Int, size: ImageSize) -> PixelBuffer {
        var part = PixelBuffer(size: size)
        for row in 0..<size.height {
            for column in 0..<size.width { part[column, row] = self[x + column, y + row] }
        }
        return part
    }

    /// Puts a picture in, with its top left pixel at (x, y); what does not fit is left out.
    mutating func put(_ picture: PixelBuffer, x: Int, y: Int) {
        for row in max(0, -y)..<max(0, -y, min(picture.height, height - y)) {
            for column in max(0, -x)..<max(0, -x, min(picture.width, width - x)) {
                self[x + column, y + row] = picture[column, row]
            }
        }
    }
}

/// Expects two pictures to be equal to the last bit; a failure tells the difference rather than the pixels.
func expectSame(_ one: PixelBuffer, _ other: PixelBuffer, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let difference = PictureDifference(one, other) else {
        Issue.record("the sizes differ: \(one.size) and \(other.size)", sourceLocation: sourceLocation)
        return
    }
    let words = "\(difference)"
    #expect(words == "0 pixels differ, by at most 0", sourceLocation: sourceLocation)
}

/// Expects two pictures to be equal up to rounding.
func expectNear(
    _ one: PixelBuffer, _ other: PixelBuffer, by limit: Int, sourceLocation: SourceLocation = #_sourceLocation
) {
    let largest = PictureDifference(one, other)?.largest ?? 256
    #expect(largest <= limit, sourceLocation: sourceLocation)
}
