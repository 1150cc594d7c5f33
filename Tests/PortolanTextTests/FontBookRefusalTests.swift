#if Text
import PortolanText
import TestHelpers
import Testing

@Suite struct FontBookRefusalTests {
    private func error(_ book: FontBook, _ text: String = "Ag", size: Double = 16) -> TextError? {
        do throws(TextError) {
            _ = try book.shape(text, request: FontRequest(), size: size)
            return nil
        } catch {
            return error
        }
    }

    private func refusal(of file: String, limits: FontBook.Limits = FontBook.Limits()) -> String? {
        guard case .unreadableFont(file, let detail)? = error(Fixture.book(file, limits: limits)) else { return nil }
        return detail
    }

    @Test(arguments: [0, -1, 2048.001, .infinity, .nan])
    func `a font size out of range is refused`(_ size: Double) {
        guard case .invalidSize(_, limit: 2048)? = error(Fixture.book(Fixture.sans), size: size) else {
            Issue.record("\(size) was taken")
            return
        }
    }

    @Test func `the largest and the smallest font size are accepted`() {
        #expect(error(Fixture.book(Fixture.sans), size: 2048) == nil)
        #expect(error(Fixture.book(Fixture.sans), size: .leastNonzeroMagnitude) == nil)
    }

    @Test func `the length of a line is limited`() {
        let book = Fixture.book(Fixture.sans)
        #expect(error(book, String(repeating: "x", count: 4096)) == nil)
        #expect(error(book, String(repeating: "x", count: 4097)) == .tooLong(count: 4097, limit: 4096))
        #expect(error(book, "e" + String(repeating: "\u{301}", count: 4096)) == .tooLong(count: 4097, limit: 4096))
    }

    @Test func `the number of outline segments is limited`() {
        let book = Fixture.book(Fixture.sans, limits: FontBook.Limits(outlineSegments: 100))
        #expect(error(book, "A") == nil)
        #expect(error(book, "©©©©©©©©") == .tooComplex(limit: 100))
    }

    @Test func `no fonts at all is an error that names the families`() {
        let book = FontBook(files: [], usesSystemFonts: false)
        #expect(error(book) == .noFont(families: ["sans-serif"]))
    }

    @Test func `a file that is not a font is refused with the reason`() throws {
        #expect(refusal(of: Fixture.folder + "absent.ttf") == "No such file or directory")
        #expect(refusal(of: Fixture.folder) == "not a regular file")
        #expect(refusal(of: "/dev/null") == "not a regular file")
        #expect(
            refusal(of: Fixture.sans, limits: FontBook.Limits(fontFileBytes: 100))?.hasSuffix("the limit is 100")
                == true
        )
        try Fixture.withFile([]) { #expect(refusal(of: $0) == "the file is empty") }
        let garbage = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        try Fixture.withFile(garbage) { #expect(refusal(of: $0)?.hasPrefix("not a TrueType or OpenType") == true) }
    }

    @Test func `a missing font file is an error at each use, also after a valid file`() {
        let book = Fixture.book(Fixture.sans, Fixture.folder + "absent.ttf")
        #expect(error(book) != nil)
        #expect(error(book) != nil)
    }

    @Test func `a truncated font gives an error or a line, never a crash`() throws {
        let font = try Fixture.bytes(of: Fixture.sans)
        var refused = 0
        let lengths = Array(1..<64) + Array(stride(from: 64, to: font.count, by: 1511))
        for length in lengths {
            try Fixture.withFile(Array(font[..<length])) { file in
                if error(Fixture.book(file), "Ag العربية") != nil { refused += 1 }
            }
        }
        // The outlines come last but for a few small tables, so most cuts leave nothing to draw.
        #expect(refused > 63)
    }

    @Test(arguments: [Fixture.sans, Fixture.boxes])
    func `a corrupted font gives an error or a line, never a crash`(_ path: String) throws {
        let font = try Fixture.bytes(of: path)
        var random = SeededGenerator(seed: 20)
        var outcomes = (lines: 0, errors: 0)
        for _ in 0..<150 {
            var damaged = font
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                // Half of the changes hit the directory and the small tables in front.
                let end = Bool.random(using: &random) ? min(2000, font.count) : font.count
                damaged[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try Fixture.withFile(damaged) { file in
                let limits = FontBook.Limits(outlineSegments: 100_000)
                if error(Fixture.book(file, limits: limits), "AVg é 東京 لا العربية", size: 2048) == nil {
                    outcomes.lines += 1
                } else {
                    outcomes.errors += 1
                }
            }
        }
        #expect(outcomes.lines > 0)
        #expect(outcomes.errors > 0)
    }
}

@Suite struct TextErrorTests {
    @Test(arguments: [
        (TextError.noFont(families: ["A", "B"]), ["\"A\", \"B\"", "font file"]),
        (.noFont(families: []), ["empty list"]),
        (.unreadableFont(file: "/a/b.ttf", detail: "the file is empty"), ["/a/b.ttf", "the file is empty"]),
        (.invalidSize(-3, limit: 2048), ["-3.0", "2048.0"]),
        (.invalidWidth(.nan), ["nan"]),
        (.tooLong(count: 5000, limit: 4096), ["5000", "4096"]),
        (.tooComplex(limit: 77), ["77"]),
    ])
    func `an error states the cause and the position`(_ error: TextError, _ words: [String]) {
        for word in words { #expect(error.description.contains(word), "\(error)") }
    }
}
#endif
