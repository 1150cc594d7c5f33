import Foundation
import PortolanCodecs
import PortolanRaster
import TestHelpers
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
    static let webp = all(ending: ".webp")
    static let gif = all(ending: ".gif")

    func bytes() throws -> [UInt8] { try [UInt8](Data(contentsOf: Self.folder.appending(path: name))) }

    /// The file extension.
    var ending: String { String(name[(name.lastIndex(of: ".").map(name.index(after:)) ?? name.endIndex)...]) }

    /// Where the first image of a GIF ends, behind the empty block, found by the specification alone; `nil` of others.
    func gifImageEnd() throws -> Int? {
        guard ending == "gif" else { return nil }
        let bytes = try bytes()
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        func blocks(from start: Int) -> Int {
            var place = start
            while bytes[place] != 0 { place += Int(bytes[place]) + 1 }
            return place + 1
        }
        var place = 13 + table(bytes[10])
        while bytes[place] == 0x21 { place = blocks(from: place + 2) }
        return blocks(from: place + 11 + table(bytes[place + 9]))
    }

    /// The expected colours, row by row.
    func colors() throws -> [MapColor] {
        let file = Self.folder.appending(path: String(name.prefix { $0 != "." }) + ".rgba")
        let samples = try [UInt8](Data(contentsOf: file))
        return stride(from: 0, to: samples.count, by: 4).map {
            MapColor(red: samples[$0], green: samples[$0 + 1], blue: samples[$0 + 2], alpha: samples[$0 + 3])
        }
    }
}

/// The largest difference of a channel between pixels and colours, the latter premultiplied.
func largestDifference(_ image: PixelBuffer, _ colors: [MapColor]) -> Int {
    guard image.pixels.count == colors.count else { return 256 }
    return zip(image.pixels, colors).map { bits, color in
        let a = Pixel(bits: bits)
        let b = Pixel(color)
        return zip([a.red, a.green, a.blue, a.alpha], [b.red, b.green, b.blue, b.alpha])
            .map { abs(Int($0) - Int($1)) }.max() ?? 0
    }.max() ?? 0
}

/// How many of a thousand damaged copies of a file are refused, each with an error of its format.
func failures(of fixture: Fixture, format: String, header: Int = 12) throws -> Int {
    var generator = SeededGenerator(seed: 5), failures = 0
    let bytes = try fixture.bytes()
    for _ in 0..<1000 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            damaged[Int.random(in: header..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        do {
            let image = try ImageDecoders.standard.decode(damaged, limits: .init(maximumPixelCount: 1 << 16))
            #expect(image.pixels.count == image.size.pixelCount)
        } catch {
            #expect(error.format == format)
            failures += 1
        }
    }
    return failures
}
