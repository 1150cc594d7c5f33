import Foundation
import PortolanRaster
import Testing

/// A picture file of the fixtures folder with the pixels it has to give.
struct Fixture: CustomTestStringConvertible, Sendable {
    let name: String

    var testDescription: String { name }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// All pictures whose file name ends so, sorted.
    static func all(ending suffix: String) -> [Fixture] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { Fixture(name: $0) }
    }

    static let png = all(ending: ".png")
    static let jpeg = all(ending: ".jpg")

    func bytes() throws -> [UInt8] { try [UInt8](Data(contentsOf: Self.folder.appending(path: name))) }

    /// The expected colours, row by row.
    func colors() throws -> [Color] {
        let file = Self.folder.appending(path: String(name.prefix { $0 != "." }) + ".rgba")
        let samples = try [UInt8](Data(contentsOf: file))
        return stride(from: 0, to: samples.count, by: 4).map {
            Color(red: samples[$0], green: samples[$0 + 1], blue: samples[$0 + 2], alpha: samples[$0 + 3])
        }
    }
}

/// The largest difference of a channel between pixels and colours, the latter premultiplied.
func largestDifference(_ image: PixelBuffer, _ colors: [Color]) -> Int {
    guard image.pixels.count == colors.count else { return 256 }
    return zip(image.pixels, colors).map { bits, color in
        let a = Pixel(bits: bits)
        let b = Pixel(color)
        return zip([a.red, a.green, a.blue, a.alpha], [b.red, b.green, b.blue, b.alpha])
            .map { abs(Int($0) - Int($1)) }.max() ?? 0
    }.max() ?? 0
}
