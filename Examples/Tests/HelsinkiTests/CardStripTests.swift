import Foundation
import Testing

@testable import NearbyStops

/// A folder that is removed when the test ends.
private final class CardFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "portolan-cards-\(UUID())").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path + "/" + name)) }
    func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path + "/" + name))) }
}

@Suite struct CardStripTests {
    private static let typed = "1010 0000-1234 5678"

    @Test func `a valid number is stored, listed and read again`() throws {
        let folder = try CardFolder()
        let path = folder.path + "/cards/strip.json"
        var strip = try CardStrip(path: path)
        #expect(strip.cards.isEmpty)
        try strip.add(Self.typed, named: "Tullave\nof mine")
        try strip.add("2020000012345678")
        #expect(strip.cards.map(\.label) == ["Tullave of mine •••• 5678", "•••• 5678"])
        var again = try CardStrip(path: path)
        #expect(again.cards == strip.cards)
        try again.remove(strip.cards[0].number)
        #expect(try CardStrip(path: path).cards.map(\.number) == [strip.cards[1].number])
    }

    @Test(arguments: [
        ("", CardFault.notDigits), ("   ", .notDigits), ("1010 0000 1234 567x", .notDigits),
        ("١٠١٠٠٠٠٠١٢٣٤٥٦٧٨", .notDigits), ("101000001234567", .wrongLength(expected: 16, found: 15)),
        ("10100000123456789", .wrongLength(expected: 16, found: 17)), (String(repeating: "1", count: 999), .notDigits),
    ])
    func `an invalid number is not stored`(text: String, fault: CardFault) throws {
        let folder = try CardFolder()
        var strip = try CardStrip(path: folder.path + "/a.json")
        #expect(throws: CardStripError.fault(fault)) { try strip.add(text) }
        #expect(strip.cards.isEmpty && folder.files.isEmpty)
        #expect(!fault.words(inSpanish: true).isEmpty && fault.words(inSpanish: true) != fault.words())
    }

    @Test func `duplicate numbers are refused and the number of cards is limited`() throws {
        let folder = try CardFolder()
        var strip = try CardStrip(path: folder.path + "/a.json")
        try strip.add(Self.typed)
        #expect(throws: CardStripError.fault(.isKnown)) { try strip.add("1010000012345678") }
        for index in 1..<CardStrip.maximumCount { try strip.add("\(1_000_000_000_000_000 + index)") }
        #expect(throws: CardStripError.full(limit: 100)) { try strip.add("9000000000000000") }
    }

    @Test(arguments: [("4539 1488 0343 6467", true), ("4539 1488 0343 6468", false), ("8273 1232 7352 0569", false)])
    func `an operator can use another check, such as the Luhn formula`(text: String, isRight: Bool) {
        let validator = DigitCountValidator(hasCheckDigit: true)
        #expect(((try? validator.number(of: text)) != nil) == isRight)
        #expect((try? DigitCountValidator(count: 10).number(of: text)) == nil)
    }

    @Test func `only the owner can read the file, even if it was readable by others`() throws {
        let folder = try CardFolder()
        let path = folder.path + "/cards.json"
        var strip = try CardStrip(path: path)
        try strip.add(Self.typed)
        func rights() throws -> Int? {
            (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(try rights() == 0o600 && folder.files == ["cards.json"])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        var again = try CardStrip(path: path)
        #expect(try rights() == 0o600)
        try again.add("2020000012345678")
        #expect(try rights() == 0o600)
    }

    @Test func `no description, reflection or error contains a card number`() throws {
        let folder = try CardFolder()
        var strip = try CardStrip(path: folder.path + "/a.json")
        try strip.add(Self.typed, named: "Mine")
        let card = try #require(strip.cards.first)
        var dumped = ""
        dump(strip, to: &dumped)
        let fault = #expect(throws: CardStripError.self) { try strip.add(Self.typed) }
        let texts = [
            "\(card)", "\(card.number)", String(reflecting: card), String(reflecting: card.number), dumped,
            "\(strip)", "\([card.number: 1])", "\(String(describing: fault))",
        ]
        for text in texts { #expect(!text.contains("1010") && !text.contains("12345"), "\(text)") }
        #expect(card.number.digits == "1010000012345678")
    }

    @Test(arguments: ["", "[]", "{", #"{"format":"portolan-cards-1"}"#, #"{"format":"x","cards":[]}"#])
    func `another file is an error and is left unchanged`(text: String) throws {
        let folder = try CardFolder()
        try folder.write(Array(text.utf8), to: "a.json")
        let error = #expect(throws: CardStripError.self) { try CardStrip(path: folder.path + "/a.json") }
        #expect(error == .damaged(path: folder.path + "/a.json", what: "it is not a list of cards"))
        #expect(try folder.bytes("a.json") == Array(text.utf8))
    }

    @Test func `the error of a damaged card states its index and not its content`() throws {
        let folder = try CardFolder()
        let cards =
            #"{"format":"portolan-cards-1","cards":[{"number":"1010000012345678"},{"number":"10x0999912345678"}]}"#
        try folder.write(Array(cards.utf8), to: "a.json")
        let error = #expect(throws: CardStripError.self) { try CardStrip(path: folder.path + "/a.json") }
        #expect(error.map { "\($0)".contains("card 2 has no number") && !"\($0)".contains("9999") } == true)
        try folder.write(Array(repeating: 0x20, count: 1 << 20 | 1), to: "b.json")
        #expect(throws: CardStripError.self) { try CardStrip(path: folder.path + "/b.json") }
        #expect(throws: CardStripError.self) { try CardStrip(path: folder.path) }
    }

    @Test func `a failed write is an error and leaves the cards unchanged`() throws {
        let folder = try CardFolder()
        try folder.write([], to: "file")
        var strip = try CardStrip(path: folder.path + "/file/cards.json")
        #expect(throws: CardStripError.unwritable(path: folder.path + "/file/cards.json")) { try strip.add(Self.typed) }
        #expect(strip.cards.isEmpty)
    }

    private struct Operator: CardService {
        func balance(of card: CardNumber) async throws(CardServiceError) -> CardBalance {
            guard card.digits.hasPrefix("1010") else { throw .unknownCard }
            return CardBalance(amount: 295_000, currency: "COP", time: Date(timeIntervalSince1970: 0))
        }
    }

    @Test func `an operator's service returns the balance`() async throws {
        let number = try #require(CardNumber(digits: "1010000012345678"))
        #expect(try await Operator().balance(of: number).amount == 295_000)
        let other = try #require(CardNumber(digits: "2020000012345678"))
        await #expect(throws: CardServiceError.unknownCard) { try await Operator().balance(of: other) }
        #expect(CardNumber(digits: "1234567") == nil && CardNumber(digits: "1234567a") == nil)
    }
}
