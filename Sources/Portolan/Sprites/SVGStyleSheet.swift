/// The style sheets of a document: rules for elements, classes and identifiers.
struct SVGStyleSheet {
    /// The declarations by selector: an element name, `.class`, `#id`, `element.class` or `*`.
    private var rules: [(selector: String, declarations: [(key: String, value: String)])] = []

    /// Adds the rules of a sheet; at-rules and combined selectors are skipped.
    mutating func add(_ text: String) {
        var text = text[...]
        while let open = text.firstIndex(of: "{"), let close = text[open...].firstIndex(of: "}"), rules.count < 500 {
            let declarations = Self.declarations(String(text[text.index(after: open)..<close]))
            for selector in text[..<open].split(separator: ",") {
                rules.append((SVGLook.trimmed(String(selector)), declarations))
            }
            text = text[text.index(after: close)...]
        }
    }

    /// Returns the declarations of an element, the most specific last.
    func declarations(for name: String, id: String?, classes: [String]) -> [(key: String, value: String)] {
        guard !rules.isEmpty else { return [] }
        let levels: [[String]] = [
            ["*"], [name], classes.map { "." + $0 }, classes.map { "\(name).\($0)" }, id.map { ["#" + $0] } ?? [],
        ]
        return levels.flatMap { selectors in
            rules.filter { selectors.contains($0.selector) }.flatMap(\.declarations)
        }
    }

    /// Reads declarations, as in `fill: red; stroke: none`.
    static func declarations(_ text: String) -> [(key: String, value: String)] {
        var declarations: [(key: String, value: String)] = []
        for declaration in text.split(separator: ";") {
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            var value = SVGLook.trimmed(String(declaration[declaration.index(after: colon)...]))
            if value.hasSuffix("!important") { value = SVGLook.trimmed(String(value.dropLast(10))) }
            declarations.append((SVGLook.trimmed(String(declaration[..<colon])).lowercased(), value))
        }
        return declarations
    }
}
