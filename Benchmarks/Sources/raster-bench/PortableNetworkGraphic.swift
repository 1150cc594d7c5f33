import Foundation
import PortolanRaster

/// An uncompressed PNG file of a picture, sufficient to view and compare benchmark pictures.
enum PortableNetworkGraphic {
    static func data(_ picture: PixelBuffer) -> Data {
        var rows: [UInt8] = []
        rows.reserveCapacity(picture.height * (picture.width * 4 + 1))
        for y in 0..<picture.height {
            rows.append(0)
            for x in 0..<picture.width {
                let color = picture[x, y].color
                rows += [color.red, color.green, color.blue, color.alpha]
            }
        }
        var file = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        append("IHDR", bytes(picture.width) + bytes(picture.height) + [8, 6, 0, 0, 0], to: &file)
        append("IDAT", zlib(rows), to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// Returns stored blocks of RFC 1951 in an RFC 1950 stream.
    private static func zlib(_ content: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01], start = 0
        repeat {
            let count = min(content.count - start, 65535), isLast = start + count == content.count
            let low = UInt8(count & 255), high = UInt8(count >> 8)
            result += [isLast ? 1 : 0, low, high, ~low, ~high]
            result += content[start..<(start + count)]
            start += count
        } while start < content.count
        var a = 1, b = 0
        for byte in content {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return result + bytes(b << 16 | a)
    }

    private static func append(_ type: String, _ content: [UInt8], to file: inout Data) {
        let checked = Array(type.utf8) + content
        var crc = UInt32.max
        for byte in checked { crc = table[Int((crc ^ UInt32(byte)) & 255)] ^ (crc >> 8) }
        file += bytes(content.count) + checked + bytes(Int(~crc))
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) -> UInt32 in
        var crc = index
        for _ in 0..<8 { crc = crc & 1 == 1 ? 0xedb8_8320 ^ (crc >> 1) : crc >> 1 }
        return crc
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
