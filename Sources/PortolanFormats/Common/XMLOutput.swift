import PortolanFeatures
import PortolanXML

/// The bytes of an XML document during writing.
struct XMLOutput {
    private(set) var bytes: [UInt8] = []

    /// Appends markup unchanged.
    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends an element with the text of a value, if there is one.
    mutating func element(_ name: String, _ value: PropertyValue?) {
        guard let text = value?.displayText, !text.isEmpty else { return }
        add("<\(name)>")
        escaped(text)
        add("</\(name)>")
    }

    /// Appends an attribute.
    mutating func attribute(_ name: String, _ text: String) {
        add(" \(name)=\"")
        escaped(text, isAttribute: true)
        add("\"")
    }

    /// Appends escaped text, without characters that are invalid in XML.
    mutating func escaped(_ text: String, isAttribute: Bool = false) {
        bytes.append(xml: text, isAttribute: isAttribute)
    }

    /// Appends a number without an exponent, or nothing if it is not finite.
    mutating func decimal(_ value: Double) { bytes.append(decimal: value) }
}
