import Foundation
import Testing

/// Each promise of the earlier systems' manuals has a test, or the article gives a reason why it has none.
@Suite struct ManualTests {
    /// A line of the article's tables: rows of the manuals that share an answer.
    private struct Entry {
        var ids: [String]
        var reason: String
    }

    /// How many rows each part of the manuals has, points of a requirement counted one by one.
    private static let counts = [
        "GM-RF": 18, "GM-RNF": 4, "GM-U": 12, "GM-C": 20, "GM-M": 14, "GM-S": 11, "GM-T": 14, "GM-P": 7, "GM-W": 13,
        "GM-D": 10, "IR-RF": 3, "IR-U": 10, "IR-C": 1, "IR-S": 5, "IR-T": 5, "IR-D": 1,
        "MR": 18, "MR-F": 11, "MR-N": 3, "MR-U": 4, "MR-C": 6, "MR-T": 7, "MR-W": 5, "MR-D": 2,
        "MT-F": 26, "MT-N": 7, "MT-U": 7, "MT-C": 11, "MT-E": 10, "MT-W": 5, "MT-D": 7, "TP-F": 6, "TP-N": 2, "TP-X": 2,
        "TP-D": 1, "TP-W": 2, "QB-RF": 7, "QB-RNF": 4, "QB-X": 1, "QB-U": 6, "QB-C": 9, "QB-T": 16, "QB-W": 8,
        "QB-D": 7,
    ]

    private static let articles = [
        "ComingFromAViewerFramework", "ComingFromARoutePlanner", "ComingFromATransitApp",
    ].map {
        HouseTests.root.appending(path: "Sources/Portolan/Portolan.docc/\($0).md")
    }

    private static func ids(in text: some StringProtocol) -> [String] {
        String(text).matches(of: /\b(?:(?:GM|IR|MR|MT|TP|QB)-[A-Z]+-?\d+(?:\.\d+)?|MR-\d+\.\d+\.\d+)\b/).map {
            String($0.output)
        }
    }

    private static func entries() throws -> [Entry] {
        try articles.map { try String(contentsOf: $0, encoding: .utf8) }.joined().split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .compactMap { row -> Entry? in
                let cells = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                guard let first = cells.first, first != "Rows", first != "---" else { return nil }
                try #require(cells.count == 4, "\(cells.joined(separator: "|")): four columns")
                let ids = ids(in: first)
                // The first column contains nothing else, so that misspelt identifiers are found.
                #expect(ids.joined(separator: ", ") == first)
                return Entry(ids: ids, reason: cells[3])
            }
    }

    private static let sources = HouseTests.sources(in: "Tests") + HouseTests.sources(in: "Examples/Tests")

    /// The rows in names of tests, of which there should be none left.
    private static let named: Set<String> = Set(
        sources.flatMap { source in source.text.matches(of: /func\s+`([^`]+)`/).flatMap { ids(in: $0.1) } })

    /// A line of the table `Tests/ManualRows.md`.
    private struct Line {
        var ids: [String]
        var file: String
        var test: String
    }

    /// The table of rows and their tests.
    private static func table() throws -> [Line] {
        let file = HouseTests.root.appending(path: "Tests/ManualRows.md")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
            .compactMap { row -> Line? in
                let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard let first = cells.first, first != "Rows", first != "---" else { return nil }
                try #require(cells.count == 3, "\(cells): three columns")
                return Line(ids: ids(in: cells[0]), file: cells[1], test: cells[2])
            }
    }

    /// The rows that have a test.
    private static func tested() throws -> Set<String> { try Set(table().flatMap(\.ids)) }

    @Test func `test names contain no identifiers of manual rows`() {
        #expect(Self.named.sorted() == [])
    }

    @Test func `each row of the manuals is in the article once`() throws {
        let ids = try Self.entries().flatMap(\.ids)
        let families = Dictionary(grouping: ids) { id in
            String(id.prefix { !$0.isNumber }).trimmingCharacters(in: ["-"])
        }
        #expect(families.mapValues(\.count) == Self.counts)
        #expect(Set(ids).count == ids.count)
        // Rows are numbered from 1 on, those of both viewers' manuals together where they are tests or facts.
        let numbers = Dictionary(grouping: ids) { id in
            let family = id.prefix { !$0.isNumber }
            // Numbers of chapters have gaps.
            if family.hasPrefix("MR-") { return id }
            guard family.hasPrefix("GM-") || family.hasPrefix("IR-") else { return String(family) }
            return family.hasSuffix("-T") || family.hasSuffix("-D") ? String(family.suffix(1)) : String(family)
        }
        for (family, ids) in numbers where !family.hasPrefix("MR-") {
            let rows = Set(ids.compactMap { Int($0.drop { !$0.isNumber }.prefix { $0.isNumber }) })
            #expect(rows == Set(1...max(1, rows.count)), "\(family)")
        }
    }

    @Test func `each row has either a test or a reason for having none`() throws {
        let tested = try Self.tested()
        for entry in try Self.entries() {
            for id in entry.ids where tested.contains(id) != entry.reason.isEmpty {
                Issue.record(
                    entry.reason.isEmpty
                        ? "\(id) has no test and no reason" : "\(id) has a test, and a reason why it has none")
            }
        }
    }

    @Test func `the table has no unknown rows`() throws {
        let known = Set(try Self.entries().flatMap(\.ids))
        #expect(try Self.tested().subtracting(known).sorted() == [])
    }

    @Test func `each test in the table exists`() throws {
        let texts = Dictionary(uniqueKeysWithValues: Self.sources.map { ($0.path, $0.text) })
        for line in try Self.table() {
            let path = ["Tests/", "Examples/Tests/"].map { $0 + line.file }.first { texts[$0] != nil }
            let text = try #require(path.flatMap { texts[$0] }, "\(line.file) is no file of tests")
            #expect(text.contains("`\(line.test)`("), "\(line.file) has no test '\(line.test)'")
            #expect(!line.ids.isEmpty)
        }
    }

    @Test(arguments: [
        ("GM-RF-3.1, IR-U10: a map", ["GM-RF-3.1", "IR-U10"]), ("GM-S6 ZOOMTOLERANCE: a pinch", ["GM-S6"]),
        ("OUT-3: what is left out", []), ("MR-12.2.4, MR-F2: names", ["MR-12.2.4", "MR-F2"]),
        ("IR-U1 to IR-U8: a route", ["IR-U1", "IR-U8"]),
    ])
    func `identifiers of rows are found in test names`(name: String, ids: [String]) {
        #expect(Self.ids(in: name) == ids)
    }
}
