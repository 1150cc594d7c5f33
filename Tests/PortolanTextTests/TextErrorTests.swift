import PortolanText
import Testing

@Suite struct TextErrorTests {
    @Test(arguments: [
        (TextError.noFont(families: ["A", "B"]), ["\"A\", \"B\"", "font file"]),
        (.noFont(families: []), ["empty list"]),
        (.unreadableFont(file: "/a/b.ttf", detail: "it is empty"), ["/a/b.ttf", "it is empty"]),
        (.invalidSize(-3, limit: 2048), ["-3.0", "2048.0"]),
        (.invalidWidth(.nan), ["nan"]),
        (.tooLong(count: 5000, limit: 4096), ["5000", "4096"]),
        (.tooComplex(limit: 77), ["77"]),
    ])
    func `an error says what is wrong and where`(_ error: TextError, _ words: [String]) {
        for word in words { #expect(error.description.contains(word), "\(error)") }
    }
}
