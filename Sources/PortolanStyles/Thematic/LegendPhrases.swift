import PortolanWeb

/// The phrases of legends in the languages of map readers.
enum LegendPhrases {
    /// A phrase.
    enum Key: Hashable, Sendable {
        /// Features without a value.
        case noData
        /// All remaining values.
        case other
    }

    /// Returns a phrase in a language; English for `nil` and for languages without phrases.
    static func text(_ key: Key, _ language: LabelLanguage?) -> String {
        all.preferred([language?.tag ?? "en"]).text(key)
    }

    private static let all: [Phrases<Key>] = [
        ("en", "no data", "other"), ("bg", "няма данни", "други"), ("ca", "sense dades", "altres"),
        ("cs", "bez údajů", "ostatní"), ("da", "ingen data", "andet"), ("de", "keine Daten", "andere"),
        ("el", "χωρίς δεδομένα", "άλλα"), ("es", "sin datos", "otros"), ("et", "andmed puuduvad", "muud"),
        ("fi", "ei tietoja", "muut"), ("fr", "pas de données", "autres"), ("hr", "nema podataka", "ostalo"),
        ("hu", "nincs adat", "egyéb"), ("it", "nessun dato", "altro"), ("lt", "nėra duomenų", "kita"),
        ("lv", "nav datu", "citi"), ("nb", "ingen data", "andre"), ("nl", "geen gegevens", "overig"),
        ("pl", "brak danych", "inne"), ("pt", "sem dados", "outros"), ("ro", "fără date", "altele"),
        ("ru", "нет данных", "прочее"), ("sk", "bez údajov", "ostatné"), ("sl", "ni podatkov", "drugo"),
        ("sv", "uppgift saknas", "övrigt"), ("tr", "veri yok", "diğer"), ("uk", "немає даних", "інше"),
    ].map { Phrases($0, [.noData: $1, .other: $2]) }
}
