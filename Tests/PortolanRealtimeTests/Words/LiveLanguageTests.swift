import PortolanTransit
import Testing

@testable import PortolanRealtime

@Suite struct LiveLanguageTests {
    @Test func `English, Spanish, Finnish, French and Italian are complete`() {
        #expect(LiveLanguage.all.map(\.code) == ["en", "es", "fi", "fr", "it"])
        for language in LiveLanguage.all {
            let missing = LiveLanguage.Phrase.allCases.filter { language.phrases[$0]?.isEmpty ?? true }
            #expect(missing.isEmpty, "\(language.code)")
        }
    }

    @Test func `phrases missing in a language are in English`() {
        let swedish = LiveLanguage(code: "sv", phrases: [.stops: "Hållplatser"])
        #expect(swedish[.stops] == "Hållplatser" && swedish[.vehicles] == "Vehicles")
    }

    @Test(arguments: [(["fi-FI"], "fi"), (["sv", "es_MX"], "es"), (["sv"], "en"), ([], "en"), (["IT"], "it")])
    func `the locale of the device selects the language`(codes: [String], expected: String) {
        #expect(LiveLanguage.preferred(codes).code == expected)
    }

    @Test func `all languages use the same placeholders`() {
        func marks(_ text: String) -> Set<Substring> { Set(text.matches(of: /{\w+}/).map { $0.output }) }
        for phrase in LiveLanguage.Phrase.allCases {
            let expected = marks(LiveLanguage.english[phrase])
            for language in LiveLanguage.all {
                #expect(marks(language[phrase]) == expected, "\(language.code) \(phrase)")
            }
        }
    }

    @Test func `placeholders in inserted values are kept`() {
        #expect(LiveLanguage.english.text(.arrivalsAt, ["stop": "{n} {"]) == "Arrivals at {n} {")
    }

    @Test func `delays and arrivals are in whole minutes`() {
        let english = LiveLanguage.english
        #expect(english.delay(.seconds(29)) == "On time")
        #expect(english.delay(.seconds(100)) == "2 min late")
        #expect(LiveLanguage.finnish.delay(.seconds(-60)) == "1 min etuajassa")
        #expect(english.arrival(in: 20) == "now")
        #expect(english.arrival(in: 150) == "3 min")
        #expect(english.arrival(in: .nan) == "now")
        #expect(english.arrival(in: -1e300) == "now")
    }

    @Test func `the rider's location can be sent to others as text`() {
        #expect(
            LiveLanguage.english.travelling(in: "RHKL00239", mode: .tram, line: "9")
                == "I am travelling in tram RHKL00239 of line 9")
        #expect(LiveLanguage.spanish.here(longitude: 24.937137, latitude: 60.201705) == "Estoy en (60.20171,24.93714)")
    }

    @Test func `each vehicle mode has a name`() {
        for mode in TransitMode.allCases {
            #expect(LiveLanguage.french.phrases[LiveLanguage.Phrase(rawValue: mode.rawValue) ?? .live] != nil)
        }
        #expect(LiveLanguage.french[TransitMode.subway] == "métro")
    }
}
