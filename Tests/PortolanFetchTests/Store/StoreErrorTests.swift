import PortolanFetch
import Testing

@Suite struct StoreErrorTests {
    @Test func `words of a file are one line that a terminal can show`() {
        let error = StoreError(.damaged, place: "a", detail: "no table 'x\u{1B}[2J\n\u{7F}\u{9B}\u{2028}é'")
        #expect(error.detail == "no table 'x [2J é'" && error.description == "a: " + error.detail)
        let long = StoreError(.damaged, place: "a", detail: String(repeating: "x", count: 100_000))
        #expect(long.detail.count <= 2003)
    }
}
