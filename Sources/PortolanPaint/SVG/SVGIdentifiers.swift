/// The unique identifiers of a document's elements.
struct SVGIdentifiers {
    private var counts: [String: Int] = [:]

    /// Creates an identifier from a name: letters, digits, `-` and `_` are kept, and a number makes it unique.
    mutating func make(_ name: String) -> String {
        var base = ""
        for scalar in name.unicodeScalars {
            let isKept = Self.isLetter(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
            if isKept { base.unicodeScalars.append(scalar) } else if !base.hasSuffix("-") { base += "-" }
        }
        if base.unicodeScalars.first.map(Self.isLetter) != true { base = "_" + base }
        var identifier = base
        while counts[identifier] != nil {
            counts[base, default: 1] += 1
            identifier = "\(base)-\(counts[base, default: 1])"
        }
        counts[identifier] = 1
        return identifier
    }

    /// Whether a scalar is a letter that can begin a name in XML 1.0.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x5F, 0x61...0x7A: true
        case 0xC0...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x2C00...0x2FEF, 0x3001...0xD7FF:
            scalar.properties.isAlphabetic
        default: false
        }
    }
}
