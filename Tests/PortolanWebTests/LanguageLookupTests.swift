import Testing

@testable import PortolanWeb

@Suite struct LanguageLookupTests {
    @Test(
        arguments: [
            (["fi"], ["en", "fi"], "fi"), (["fi-FI"], ["en", "fi"], "fi"), (["FI_fi"], ["en", "fi"], "fi"),
            (["zh-Hant-TW"], ["zh", "zh-Hant"], "zh-Hant"), (["pt-PT"], ["en", "pt-BR"], "pt-BR"),
            (["sv", "es-MX"], ["en", "es"], "es"), (["es-MX", "en"], ["en", "es-AR", "es-ES"], "es-AR"),
            (["en"], ["eng"], nil), (["", "-", "sv"], ["", "en"], nil), ([], ["en"], nil),
        ] as [([String], [String], String?)])
    func `the language is the one nearest to what a reader likes`(liked: [String], tags: [String], expected: String?) {
        #expect(LanguageLookup.tag(for: liked, among: tags) == expected)
    }
}
