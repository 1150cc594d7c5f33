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
    func `the closest language to the user's preferences is chosen`(liked: [String], tags: [String], expected: String?)
    {
        #expect(LanguageLookup.tag(for: liked, among: tags) == expected)
    }
}
