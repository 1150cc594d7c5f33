import PortolanFeatures
import Testing

/// Templates of labels.
struct LabelSymbolTests {
    @Test(arguments: [
        ("${name}", "Kauppatori"), ("${name} ${n} ${x} ${f}!", "Kauppatori 7 2.5 true!"), ("a ${none} b", "a  b"),
        ("${name", "${name"), ("$name {n}", "$name {n}"), ("", ""), ("${list}", ""),
        ("${name:es|x|name}", "2.5"), ("${none|list|name}!", "Kauppatori!"), ("${a|b}", ""), ("${p|q}", "piped"),
    ])
    func `properties are inserted into the template`(template: String, text: String) {
        let properties: Properties = ["name": "Kauppatori", "n": 7, "x": 2.5, "f": true, "list": [1], "p|q": "piped"]
        #expect(LabelSymbol(template: template).text(for: properties) == text)
    }
}
