import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

@Suite struct GIFEncoderTests {
    /// The images of a file, read as the standard describes it.
    private struct File {
        struct Image {
            var delay = 0, transparent: Int?
            var x = 0, y = 0, width = 0, height = 0
            var pixels: [UInt32?] = []
        }

        var width = 0, height = 0
        var images: [Image] = []
        var loops: Int?

        init(_ bytes: [UInt8]) throws {
            var at = 13
            func number(_ index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
            (width, height) = (number(6), number(8))
            #expect(bytes.starts(with: "GIF89a".utf8) && bytes[10] & 0x80 != 0)
            func table(_ bits: UInt8) -> [UInt32] {
                let count = 2 << Int(bits & 7)
                defer { at += 3 * count }
                return (0..<count).map { (index: Int) -> UInt32 in
                    let entry = at + 3 * index
                    let red = UInt32(bytes[entry]), green = UInt32(bytes[entry + 1]), blue = UInt32(bytes[entry + 2])
                    return 0xff00_0000 | red | green << 8 | blue << 16
                }
            }
            func blocks() -> [UInt8] {
                var data: [UInt8] = []
                while bytes[at] > 0 {
                    data += bytes[(at + 1)...(at + Int(bytes[at]))]
                    at += Int(bytes[at]) + 1
                }
                at += 1
                return data
            }
            let all = table(bytes[10])
            var image = Image()
            while bytes[at] != 0x3B {
                if bytes[at] == 0x21 {
                    let kind = bytes[at + 1]
                    at += 2
                    let data = blocks()
                    if kind == 0xF9 {
                        image.delay = Int(data[1]) | Int(data[2]) << 8
                        image.transparent = data[0] & 1 == 1 ? Int(data[3]) : nil
                    } else if data.starts(with: "NETSCAPE2.0".utf8) {
                        loops = Int(data[12]) | Int(data[13]) << 8
                    }
                    continue
                }
                try #require(bytes[at] == 0x2C)
                (image.x, image.y) = (number(at + 1), number(at + 3))
                (image.width, image.height) = (number(at + 5), number(at + 7))
                let flags = bytes[at + 9]
                at += 10
                let colors = flags & 0x80 != 0 ? table(flags) : all, size = Int(bytes[at])
                at += 1
                let indexes = Self.indexes(blocks(), size)
                #expect(indexes.count == image.width * image.height)
                image.pixels = indexes.map { $0 == image.transparent ? nil : colors[$0] }
                images.append(image)
                image = Image()
            }
        }

        /// Decompresses indexes (appendix F).
        private static func indexes(_ data: [UInt8], _ bits: Int) -> [Int] {
            let clear = 1 << bits
            var size = bits + 1, table: [[Int]] = [], last: [Int]?, result: [Int] = [], position = 0
            func code() -> Int {
                var code = 0
                for bit in 0..<size where position + bit < data.count * 8 {
                    code |= Int(data[(position + bit) / 8] >> UInt8((position + bit) % 8) & 1) << bit
                }
                position += size
                return code
            }
            while position < data.count * 8 {
                let next = code()
                if next == clear {
                    table = (0..<clear).map { [$0] } + [[], []]
                    (size, last) = (bits + 1, nil)
                    continue
                }
                if next == clear + 1 { break }
                let known = last ?? []
                let text = next < table.count ? table[next] : known + [known[0]]
                result += text
                if last != nil, table.count < 4096 { table.append(known + [text[0]]) }
                if table.count == 1 << size, size < 12 { size += 1 }
                last = text
            }
            return result
        }

        /// The pictures as a player shows them.
        var pictures: [[UInt32]] {
            var shown = [UInt32](repeating: 0, count: width * height)
            return images.map { image in
                for (index, pixel) in image.pixels.enumerated() {
                    guard let pixel else { continue }
                    shown[(image.y + index / image.width) * width + image.x + index % image.width] = pixel
                }
                return shown
            }
        }
    }

    /// A picture of few or many colours with a square at a position.
    private static func picture(_ width: Int, _ height: Int, at position: Int, many: Bool) throws -> PixelBuffer {
        var picture = PixelBuffer(size: try #require(ImageSize(width: width, height: height)))
        for y in 0..<height {
            for x in 0..<width {
                let isInside = (position..<position + 8).contains(x) && (2..<9).contains(y)
                let color =
                    isInside
                    ? MapColor(red: 200, green: 30, blue: UInt8(position % 256))
                    : many
                        ? MapColor(red: UInt8(x % 256), green: UInt8(y * 3 % 256), blue: UInt8((x + y) % 256))
                        : MapColor(red: UInt8(x / 16 % 4 * 60), green: 120, blue: UInt8(y / 16 % 4 * 50))
                picture[x, y] = Pixel(color)
            }
        }
        return picture
    }

    private static func largestDifference(_ one: [UInt32], _ other: [UInt32]) -> Int {
        var most = 0
        for (left, right) in zip(one, other) {
            for shift: UInt32 in [0, 8, 16] {
                let difference = Int(left >> shift & 255) - Int(right >> shift & 255)
                most = max(most, abs(difference))
            }
        }
        return most
    }

    @Test func `pictures of few colours are exact or close, and only differences are stored`() throws {
        var animation = GIFEncoder(playCount: 3)
        let pictures = try (0..<12).map { try Self.picture(150, 90, at: 4 + 3 * $0, many: false) }
        for picture in pictures { try animation.add(picture, for: .milliseconds(70)) }
        let file = try File(animation.finish())
        #expect((file.width, file.height) == (150, 90) && file.loops == 2 && file.images.count == 12)
        // The square's colour changes a little, which the shared palette has closely enough.
        for (shown, picture) in zip(file.pictures, pictures) {
            #expect(Self.largestDifference(shown, picture.pixels) <= 6)
        }
        #expect(file.pictures.first == pictures.first?.pixels)
        #expect(file.images.dropFirst().allSatisfy { $0.width <= 11 && $0.height <= 7 })
        #expect(file.images.map(\.delay) == [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7])
    }

    @Test func `pictures of many colours are close, and no code is lost in long data`() throws {
        var animation = GIFEncoder()
        let pictures = try (0..<4).map { try Self.picture(400, 300, at: 10 + 40 * $0, many: true) }
        for picture in pictures { try animation.add(picture, for: .milliseconds(33)) }
        let file = try File(animation.finish())
        for (shown, picture) in zip(file.pictures, pictures) {
            #expect(Self.largestDifference(shown, picture.pixels) <= 40)
        }
        // The total is right although a picture is 3.3 hundredths.
        #expect(file.images.map(\.delay) == [3, 4, 3, 3] && file.loops == 0)
    }

    @Test func `the first picture is what giflib reads, and equal pictures last longer`() throws {
        let picture = try Self.picture(40, 30, at: 4, many: false)
        var animation = GIFEncoder()
        for _ in 0..<3 { try animation.add(picture, for: .milliseconds(100)) }
        let bytes = try animation.finish()
        #expect(try File(bytes).images.map(\.delay) == [30])
        #if Images
        #expect(try ImageDecoders.standard.decode(bytes) == picture)
        #endif
    }

    @Test func `transparent pixels are blended over white`() throws {
        var picture = PixelBuffer(size: try #require(ImageSize(width: 4, height: 2)))
        picture[1, 1] = Pixel(.black)
        var animation = GIFEncoder()
        try animation.add(picture, for: .seconds(1))
        let shown = try #require(File(animation.finish()).pictures.first)
        #expect(shown == [0, 1, 2, 3, 4, 5, 6, 7].map { $0 == 5 ? 0xff00_0000 : 0xffff_ffff })
    }

    @Test func `the same pictures give the same bytes`() throws {
        func bytes() throws -> [UInt8] {
            var animation = GIFEncoder()
            for position in [10, 50] {
                try animation.add(try Self.picture(200, 150, at: position, many: true), for: .milliseconds(40))
            }
            return try animation.finish()
        }
        #expect(try bytes() == bytes())
    }

    @Test func `frames of another size and animations without frames are rejected`() throws {
        var animation = GIFEncoder()
        #expect(throws: CodecError.self) { try animation.finish() }
        try animation.add(try Self.picture(20, 20, at: 2, many: false), for: .milliseconds(1))
        let error = #expect(throws: CodecError.self) {
            try animation.add(try Self.picture(21, 20, at: 2, many: false), for: .milliseconds(1))
        }
        #expect(error?.code == .unsupported)
    }
}
