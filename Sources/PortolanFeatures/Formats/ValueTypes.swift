/// Finds which texts of features are numbers, where a format writes all as text.
///
/// A name whose every value over the document is a whole number, or a number, has numbers; `007` is no number, since it would be
/// written otherwise. Empty values say nothing and are left as they are.
struct ValueTypes {
    private enum Kind {
        case integer, number, text
    }

    private var kinds: [String: Kind] = [:]

    /// Looks at the texts of a feature.
    mutating func note(_ properties: Properties) {
        for property in properties { note(property.name, property.value) }
    }

    private mutating func note(_ name: String, _ value: PropertyValue) {
        let known = kinds[name]
        guard known != .text else { return }
        switch value {
        case .null: return
        case .string(let text):
            if text.isEmpty { return }
            let kind = Self.kind(of: text)
            switch (known, kind) {
            case (nil, _): kinds[name] = kind
            case (.integer, .integer), (.number, .integer), (.number, .number): break
            case (.integer, .number): kinds[name] = .number
            default: kinds[name] = .text
            }
        default: kinds[name] = .text
        }
    }

    private static func kind(of text: String) -> Kind {
        var digits = text.utf8[...]
        guard digits.count <= 24 else { return .text }
        if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
        guard let first = digits.first, (0x30...0x39).contains(first) else { return .text }
        if first == 0x30, let second = digits.dropFirst().first, (0x30...0x39).contains(second) { return .text }
        if digits.allSatisfy({ (0x30...0x39).contains($0) }) { return Int(text) == nil ? .text : .integer }
        return text.decimalValue == nil ? .text : .number
    }

    /// Makes numbers of the texts that are.
    func apply(to features: inout [Feature]) {
        let numbers = kinds.filter { $0.value != .text }
        guard !numbers.isEmpty else { return }
        for index in features.indices {
            features[index].properties.updateValues { name, value in
                guard case .string(let text) = value, let kind = numbers[name] else { return }
                switch kind {
                case .integer: if let number = Int(text) { value = .integer(number) }
                case .number: if let number = text.decimalValue { value = .number(number) }
                case .text: break
                }
            }
        }
    }
}
