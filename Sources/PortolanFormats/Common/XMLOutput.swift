import PortolanFeatures
import PortolanXML

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

    /// Text without what XML has no place for.
    mutating func escaped(_ text: String, isAttribute: Bool = false) {
        bytes.append(xml: text, isAttribute: isAttribute)
    }

    /// A number without an exponent, nothing when it is not finite.
    mutating func decimal(_ value: Double) { bytes.append(decimal: value) }
}
