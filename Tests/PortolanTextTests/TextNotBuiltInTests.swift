#if !Text && !canImport(CoreText)
import PortolanText
import Testing

/// Fonts in a build without the trait `Text`.
@Suite struct TextNotBuiltInTests {
    @Test func `without text support the error names the trait and the packages`() {
        let book = FontBook()
        #expect(throws: TextError.notBuiltIn) { try book.load() }
        #expect(throws: TextError.notBuiltIn) { try book.shape("a", request: FontRequest(), size: 12) }
        #expect(throws: TextError.notBuiltIn) {
            try book.wrap("a b", request: FontRequest(), size: 12, maximumWidth: 100)
        }
        #expect(FontBook.installedFamilies().isEmpty)
        let words = TextError.notBuiltIn.description
        for name in ["--traits Text", "libfreetype-dev", "libharfbuzz-dev", "libfribidi-dev", "libfontconfig-dev"] {
            #expect(words.contains(name))
        }
    }
}
#endif
