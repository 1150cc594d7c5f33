import Foundation
import PortolanCodecs
import PortolanRaster
import TestHelpers
import Testing

@testable import PortolanBeacons

@Suite struct QRCodeTests {
    struct Modules: Decodable {
        struct Code: Decodable, CustomTestStringConvertible {
            var text: String, level: String, mask: Int, version: Int, fnv: String, penalty: Int
            var testDescription: String { "\(text.prefix(12)) \(level) \(mask)" }
        }

        var codes: [Code]
    }

    static let modules = try? Fixtures.value("qr-modules.json", as: Modules.self)

    private static func digest(_ code: QRCode) -> String {
        var digest: UInt64 = 0xcbf2_9ce4_8422_2325
        for y in 0..<code.side {
            for x in 0..<code.side { digest = (digest ^ (code.isDark(x: x, y: y) ? 1 : 0)) &* 0x100_0000_01b3 }
        }
        let digits = String(digest, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    @Test func `the modules equal those of another encoder, in all masks, corrections and versions`() throws {
        let codes = try #require(Self.modules).codes
        #expect(codes.count > 200)
        #expect(Set(codes.map(\.version)).count >= 8)
        for known in codes {
            let correction = try #require(QRCode.Correction(rawValue: known.level))
            let code = try QRCode(known.text, correction: correction, mask: known.mask)
            #expect(code.version == known.version && Self.digest(code) == known.fnv, "\(known)")
        }
    }

    @Test func `the mask with the lowest penalty is chosen, as in another encoder`() throws {
        let codes = try #require(Self.modules).codes
        for known in codes {
            let correction = try #require(QRCode.Correction(rawValue: known.level))
            let code = try QRCode(known.text, correction: correction, mask: known.mask)
            let modules = (0..<code.side * code.side).map { code.isDark(x: $0 % code.side, y: $0 / code.side) }
            #expect(QRPenalty.of(modules, side: code.side) == known.penalty, "\(known)")
        }
        for group in Dictionary(grouping: codes, by: { $0.text + $0.level }).values {
            let first = try #require(group.first)
            let correction = try #require(QRCode.Correction(rawValue: first.level))
            let mask = try QRCode(first.text, correction: correction).mask
            #expect(group.first { $0.mask == mask }?.penalty == group.map(\.penalty).min())
        }
    }

    @Test func `a code equals the picture made by qrencode`() throws {
        let picture = try Fixtures.picture("stop-plain.png")
        let code = try QRCode("qbus:stop:EC-Q-0123?v=1")
        let same = (0..<QRCode.Correction.allCases.count * 8).contains { index in
            let correction = QRCode.Correction.allCases[index / 8]
            guard
                let code = try? QRCode("qbus:stop:EC-Q-0123?v=1", correction: correction, mask: index % 8),
                code.picture(scale: 4).size == picture.size
            else { return false }
            return code.picture(scale: 4).pixels == picture.pixels
        }
        #expect(same)
        #expect(code.picture(scale: 4).size == picture.size)
    }

    @Test func `error correction bytes equal those of the standard's example`() {
        // ISO/IEC 18004, annex I: 01234567 in version 1-M.
        let data: [UInt8] = [16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17]
        #expect(
            ReedSolomon.correction(of: data, count: 10)
                == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
    }

    @Test(arguments: [
        (QRCode.Correction.low, 0, 0b111_0111_1100_0100), (.medium, 5, 0b100_0000_1100_1110),
        (.quartile, 7, 0b010_1011_1110_1101), (.high, 0, 0b001_0110_1000_1001),
    ])
    func `the format bits equal those of the standard's table`(correction: QRCode.Correction, mask: Int, bits: Int) {
        #expect(QRSheet.format(mask, correction) == bits)
    }

    @Test func `the version bits equal those of the standard's table`() {
        #expect(QRSheet.remainder(7, bits: 12, by: 0x1F25) == 0b000_1111_1001_0010_100)
        #expect(QRSheet.remainder(10, bits: 12, by: 0x1F25) == 0b00_1010_0100_1101_0011)
    }

    @Test(arguments: [(QRCode.Correction.low, 17, 271), (.medium, 14, 213), (.quartile, 11, 151), (.high, 7, 119)])
    func `the capacity of each version equals that of the standard's table`(
        correction: QRCode.Correction, first: Int, last: Int
    ) throws {
        #expect(try QRCode(bytes: Array(repeating: 0, count: first), correction: correction).version == 1)
        #expect(try QRCode(bytes: Array(repeating: 0, count: first + 1), correction: correction).version == 2)
        #expect(try QRCode(bytes: Array(repeating: 255, count: last), correction: correction).version == 10)
        #expect(throws: QRCode.CapacityError.tooLong(byteCount: last + 1, limit: last)) {
            try QRCode(bytes: Array(repeating: 0, count: last + 1), correction: correction)
        }
        #expect(try QRCode("").version == 1)
    }

    @Test(.enabled(if: TestRig.has(program: "zbarimg"), "zbarimg is not installed"), arguments: [1, 10, 40, 100, 200])
    func `codes are read by zbarimg`(count: Int) throws {
        let folder = try TemporaryFolder()
        for correction in QRCode.Correction.allCases {
            let text = String("qbus:stop:\(String(repeating: "Ab1-", count: 60))".prefix(count))
            guard let code = try? QRCode(text, correction: correction) else { continue }
            try folder.write(try PNGEncoder.encode(code.picture(scale: 3)), to: "code.png")
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/zbarimg")
            process.arguments = ["--quiet", "--raw", folder.path + "/code.png"]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = Pipe()
            try process.run()
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(String(decoding: bytes, as: UTF8.self) == text + "\n", "\(correction)")
        }
    }
}
