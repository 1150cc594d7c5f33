#if Text
import PortolanFeatures
import PortolanRaster
import PortolanText
import TestHelpers
import Testing

@testable import PortolanPaint

/// The lines of texts of which each character is 14 pixels wide.
@Suite struct LabelLinesTests {
    private static func lines(_ text: String, width: Double) throws -> [String] {
        let starts = Set(text.unicodeScalars.map { $0.value & ~0xFF })
        let ranges = try starts.map { start in
            (start, [try GlyphRange(GlyphBytes.boxes(text), start: start)])
        }
        var symbol = LabelSymbol(template: text, size: 24, isPlain: true, maximumWidth: width)
        symbol.fontStack = "Test Sans"
        let label = try LabelText(
            text, symbol: symbol, fonts: FontBook(fonts: [], usesSystemFonts: false),
            glyphs: GlyphRanges(["Test Sans": Dictionary(uniqueKeysWithValues: ranges)]), pixelRatio: 1,
            isOneLine: false)
        return try #require(label).lines.map(\.text)
    }

    @Test(arguments: [
        ("新宿御苑前駅", 42.0, ["新宿御", "苑前駅"]),
        ("新宿御苑前駅", 100, ["新宿御苑前駅"]),
        ("しんじゅく", 42, ["しんじ", "ゅく"]),
        // The lines are about equally long.
        ("新宿御苑", 42, ["新宿", "御苑"]),
        ("新宿 御苑", 42, ["新宿", "御苑"]),
        ("新宿 AB", 42, ["新宿", "AB"]),
        // Closing punctuation begins no line, opening punctuation ends none.
        ("新宿（東京）", 42, ["新宿", "（東", "京）"]),
        ("新宿。御苑。", 42, ["新宿。", "御苑。"]),
        // Korean has spaces.
        ("서울역", 28, ["서울역"]),
        ("Shinjuku", 28, ["Shinjuku"]),
    ])
    func `lines end at spaces and after ideographs`(text: String, width: Double, lines: [String]) throws {
        #expect(try Self.lines(text, width: width) == lines)
    }
}
#endif
