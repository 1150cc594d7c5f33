#if Text
import PortolanText
import Testing

@Suite struct FontSourceTests {
    @Test func `each missing character is listed once, without those that compose into a glyph`() throws {
        let book = Fixture.book(Fixture.sans)
        let line = try book.shape("東e\u{301}京 東\u{200D}A", request: FontRequest(), size: 16)
        #expect(line.missingScalars == ["東", "京"])
        #expect(try book.shape("Cafe\u{301}", request: FontRequest(), size: 16).missingScalars.isEmpty)
        #expect(
            try Fixture.book(Fixture.sans, Fixture.boxes).shape("東京", request: FontRequest(), size: 16).missingScalars
                .isEmpty)
    }

    @Test func `font families keep the given order whatever the requested weight`() throws {
        // Both fonts have a space; that of the boxes is 1000 units of 1000 wide.
        let bold = FontRequest(weight: .bold)
        let boxesFirst = try Fixture.book(Fixture.boxes, Fixture.sansBold).shape("", request: bold, size: 1000)
        #expect(boxesFirst.ascent == 900)
        let sansFirst = try Fixture.book(Fixture.sans, Fixture.boxes, Fixture.sansBold)
            .shape("A", request: bold, size: 2048)
        #expect(sansFirst.advance == 1585)
    }

    @Test func `a family that is not installed is an error that names it`() {
        let book = FontBook(fonts: [.family("No Such Family")])
        #expect(throws: TextError.unknownFamily("No Such Family")) { try book.load() }
        #expect(throws: TextError.unknownFamily("No Such Family")) {
            try book.shape("A", request: FontRequest(), size: 12)
        }
        #expect("\(TextError.unknownFamily("X"))".contains("\"X\""))
    }

    @Test func `an invalid file is detected when loading`() throws {
        try FontBook(files: [Fixture.sans]).load()
        #expect(throws: TextError.self) { try Fixture.book(Fixture.sans, Fixture.folder + "absent.ttf").load() }
    }

    @Test func `every installed family is found by its name in any case`() throws {
        let names = FontBook.installedFamilies()
        try #require(!names.isEmpty, "no font is installed; Scripts/install installs DejaVu")
        for name in names.prefix(20) {
            #expect(throws: Never.self) { try FontBook(fonts: [.family(name)], usesSystemFonts: false).load() }
            #expect(throws: Never.self) {
                try FontBook(fonts: [.family(name.uppercased())], usesSystemFonts: false).load()
            }
        }
    }

    @Test func `font sources are used in the given order`() throws {
        let name = try #require(
            FontBook.installedFamilies().first { $0 == "DejaVu Serif" || $0 == "Liberation Serif" },
            "no font with serifs is installed; Scripts/install installs DejaVu")
        let serif = try FontBook(fonts: [.family(name), .file(Fixture.sans)], usesSystemFonts: false)
            .shape("A", request: FontRequest(), size: 2048)
        let sans = try FontBook(fonts: [.file(Fixture.sans), .family(name)], usesSystemFonts: false)
            .shape("A", request: FontRequest(), size: 2048)
        #expect(sans.advance == 1401)
        #expect(serif.outline != sans.outline)
    }
}
#endif
