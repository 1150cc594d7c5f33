/// The bytes of an XML document while it is written.
struct XMLOutput {
    private(set) var bytes: [UInt8] = []

    /// Adds markup as it is.
    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// An element with the text of a value, where it has one.
    mutating func element(_ name: String, _ value: PropertyValue?) {
        guard let text = value?.displayText, !text.isEmpty else { return }
        add("<\(name)>")
        escaped(text)
        add("</\(name)>")
    }

    /// An attribute with its value.
    mutating func attribute(_ name: String, _ text: String) {
        add(" \(name)=\"")
        escaped(text, isAttribute: true)
        add("\"")
    }

    /// Text without what XML has no place for; line ends that a reader would change are references.
    mutating func escaped(_ text: String, isAttribute: Bool = false) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": add("&amp;")
            case "<": add("&lt;")
            case ">": add("&gt;")
            case "\"": add("&quot;")
            case "\r": add("&#13;")
            case "\t", "\n":
                if isAttribute { add("&#\(scalar.value);") } else { bytes.append(UInt8(scalar.value)) }
            case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": add("\u{FFFD}")
            default: bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            }
        }
    }
}
