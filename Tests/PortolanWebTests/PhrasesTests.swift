import PortolanWeb
import Testing

@Suite struct PhrasesTests {
    @Test(arguments: [
        ("Turn {direction}[ onto {name}]", "Turn left"), ("[{name}]{direction}", "left"), ("no marks", "no marks"),
        ("[a {direction}][ b {name}][ c]", "a left c"), ("[{direction} {name}]", ""),
        ("{name} {direction}", "{name} left"),
        ("{direction", "{direction"), ("a]b[c", "abc"), ("", ""),
    ])
    func `bracketed parts are left out if a value is missing`(phrase: String, expected: String) {
        #expect(PhraseText.filled(phrase, ["direction": "left"]) == expected)
    }

    @Test func `marks within a value stay as they are`() {
        #expect(PhraseText.filled("to {a}[ by {b}]", ["a": "{b} [", "b": "]|"]) == "to {b} [ by ]|")
    }

    @Test(arguments: [(0, "0 stops"), (1, "1 stop"), (2, "2 stops"), (-1, "-1 stops")])
    func `the first of two forms is the singular`(count: Int, expected: String) {
        #expect(PhraseText.counted(count, "stop|stops") == expected)
        #expect(Phrases("en", [0: "{n} stop|{n} stops"]).text(0, count: count) == expected)
    }

    @Test func `a phrase with one form uses it for all counts`() {
        #expect(Phrases("fi", [0: "{n} min, {line}"]).text(0, count: 1, ["line": "9"]) == "1 min, 9")
    }

    @Test(arguments: [(["sv", "es_MX"], "es"), (["fi"], "en"), ([], "en"), (["EN-gb"], "en")])
    func `the first available preferred language is used, else the first table`(codes: [String], expected: String) {
        #expect([Phrases("en", [0: ""]), Phrases("es", [0: ""])].preferred(codes).code == expected)
    }
}
