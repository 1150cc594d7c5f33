import PortolanText
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if Text && !canImport(CoreText)
/// A line of Unicode's tests of the Bidirectional Algorithm: what is read, which way, and what has to come of it.
struct BidiCase: CustomTestStringConvertible, Sendable {
    let scalars: [Unicode.Scalar]
    let direction: BidiLevels.Direction
    /// A level for each scalar, `nil` for those that rule X9 removes.
    let levels: [Int?]
    /// The places of the other scalars from left to right.
    let order: [Int]

    var testDescription: String {
        scalars.map { String($0.value, radix: 16) }.joined(separator: " ") + " \(direction)"
    }

    /// A line of BidiCharacterTest.txt, `nil` for a comment.
    init?(characters line: Substring) {
        let fields = line.split(separator: ";")
        guard fields.count == 5, let direction = Self.directions[fields[1]] else { return nil }
        scalars = fields[0].split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
        self.direction = direction
        levels = fields[3].split(separator: " ").map { Int($0) }
        order = fields[4].split(separator: " ").compactMap { Int($0) }
    }

    init(scalars: [Unicode.Scalar], direction: BidiLevels.Direction, levels: [Int?], order: [Int]) {
        self.scalars = scalars
        self.direction = direction
        self.levels = levels
        self.order = order
    }

    private static let directions: [Substring: BidiLevels.Direction] = [
        "0": .leftToRight, "1": .rightToLeft, "2": .automatic,
    ]

    /// Whether levels and order are those of the test.
    var holds: Bool {
        let found = BidiLevels(scalars, direction: direction).levels(ofLine: scalars.indices)
        guard found.count == levels.count, zip(found, levels).allSatisfy({ $1 == nil || $0 == $1 }) else {
            return false
        }
        let shown = scalars.indices.filter { levels[$0] != nil }
        return BidiLevels.visualOrder(of: shown) { found[$0] } == order
    }
}

@Suite struct BidiLevelsTests {
    /// Lines of BidiCharacterTest.txt, Unicode 15: brackets, numbers, isolates, overrides, combining marks.
    static let excerpt = """
        05D0 05D1 0028 05D2 05D3 005B 0026 0065 0066 005D 002E 0029 0067 0068;0;0;1 1 0 1 1 0 0 0 0 0 0 0 0 0;1 0 2 4 3 5 6 7 8 9 10 11 12 13
        05D0 05D1 0028 05D2 05D3 005B 0026 0065 0066 005D 002E 0029 0067 0068;1;1;1 1 1 1 1 1 1 2 2 1 1 1 2 2;12 13 11 10 9 7 8 6 5 4 3 2 1 0
        0061 0062 0063 0020 0028 0064 0065 0066 0020 0627 0628 062C 0029 0020 05D0 05D1 05D2;0;0;0 0 0 0 0 0 0 0 0 1 1 1 0 0 1 1 1;0 1 2 3 4 5 6 7 8 11 10 9 12 13 16 15 14
        0627 0628 062C 0020 0062 006F 006F 006B 0028 0073 0029;1;1;1 1 1 1 2 2 2 2 2 2 2;4 5 6 7 8 9 10 3 2 1 0
        202E 0061 202A 0062 202C 2066 0063 2069 202A 0064 202C 0065 202C;2;0;x 1 x 2 x 1 2 1 x 2 x 1 x;11 9 7 6 5 3 1
        202E 0061 202A 0062 202C 2066 0063 2069 202A 0064 202C 0065 202C;1;1;x 3 x 4 x 3 4 3 x 4 x 3 x;11 9 7 6 5 3 1
        """.split(separator: "\n").compactMap { BidiCase(characters: $0) }

    @Test(arguments: excerpt) func `levels and order match an excerpt of Unicode's tests`(_ test: BidiCase) {
        #expect(Self.excerpt.count == 6)
        #expect(test.holds)
    }

    /// Where BidiTest.txt and BidiCharacterTest.txt lie, as told by the environment.
    static let folder = ProcessInfo.processInfo.environment["PORTOLAN_UNICODE_DATA"]

    private func lines(of name: String) throws -> [Substring] {
        let folder = try #require(Self.folder)
        return String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
            .split(separator: "\n")
    }

    @Test(.enabled(if: folder != nil)) func `all of Unicode's character tests pass`() throws {
        let cases = try lines(of: "BidiCharacterTest.txt").compactMap { BidiCase(characters: $0) }
        #expect(cases.count > 90_000)
        let broken = cases.filter { !$0.holds }
        #expect(broken.isEmpty, "\(broken.count), as \(broken.prefix(5))")
    }

    /// A character of each bidirectional class.
    static let samples: [Substring: Unicode.Scalar] = [
        "L": "a", "R": "\u{5D0}", "AL": "\u{627}", "EN": "1", "ES": "+", "ET": "%", "AN": "\u{660}", "CS": ",",
        "B": "\u{2029}", "S": "\t", "WS": " ", "ON": "!", "BN": "\u{AD}", "NSM": "\u{300}", "LRE": "\u{202A}",
        "RLE": "\u{202B}", "PDF": "\u{202C}", "LRO": "\u{202D}", "RLO": "\u{202E}", "LRI": "\u{2066}",
        "RLI": "\u{2067}", "FSI": "\u{2068}", "PDI": "\u{2069}",
    ]

    @Test(.enabled(if: folder != nil)) func `all of Unicode's bidi class tests pass`() throws {
        var levels: [Int?] = [], order: [Int] = [], count = 0, broken: [BidiCase] = []
        func values(_ line: Substring) -> [Substring] {
            line.split(whereSeparator: \.isWhitespace).dropFirst().map { $0 }
        }
        for line in try lines(of: "BidiTest.txt") where !line.hasPrefix("#") {
            if line.hasPrefix("@Levels") {
                levels = values(line).map { Int($0) }
            } else if line.hasPrefix("@Reorder") {
                order = values(line).compactMap { Int($0) }
            } else {
                let fields = line.split(separator: ";")
                guard fields.count == 2, let bits = Int(fields[1].drop(while: \.isWhitespace)) else { continue }
                let scalars = fields[0].split(separator: " ").compactMap { Self.samples[$0] }
                for (bit, direction) in [(1, BidiLevels.Direction.automatic), (2, .leftToRight), (4, .rightToLeft)]
                where bits & bit != 0 {
                    let test = BidiCase(scalars: scalars, direction: direction, levels: levels, order: order)
                    count += 1
                    if !test.holds { broken.append(test) }
                }
            }
        }
        #expect(count > 700_000)
        #expect(broken.isEmpty, "\(broken.count), as \(broken.prefix(5))")
    }

    @Test func `a wrapped line has the direction of its paragraph`() throws {
        let book = Fixture.book(Fixture.sans), request = FontRequest()
        let first = "مرحبا", second = "ABC, كم"
        let width = try book.shape(second, request: request, size: 20).advance + 1
        let lines = try book.wrap("\(first) \(second)", request: request, size: 20, maximumWidth: width)
        #expect(lines.map(\.text) == [first, second])
        // An invisible mark makes its line run from right to left.
        let expected = try book.shape("\u{200F}" + second, request: request, size: 20)
        #expect(lines.last?.outline == expected.outline)
        #expect(try lines.last?.outline != book.shape(second, request: request, size: 20).outline)
    }
}
#endif
