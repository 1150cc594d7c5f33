/// Finds which texts of features are numbers, where a format writes all as text.
///
/// A name whose every value over the document is a whole number, or a number, has numbers; `007` is no number, since it would be
/// written otherwise. Empty values say nothing and are left as they are.
struct ValueTypes {
    private enum Kind {
        case integer, number, text
    }

    private var names: [String] = []
    /// The kind of each name's values, once one says something.
    private var kinds: [Kind?] = []
    private var places: [String: Int] = [:]

    /// Looks at the texts of a feature.
    mutating func note(_ properties: Properties) {
        for (index, property) in properties.enumerated() {
            let place = place(of: property.name, near: index) ?? names.count
            if place == names.count {
                places[property.name] = place
                names.append(property.name)
                kinds.append(nil)
            }
            note(property.value, &kinds[place])
        }
    }

    /// The number of a name, which is its place in most features.
    private func place(of name: String, near index: Int) -> Int? {
        index < names.count && names[index] == name ? index : places[name]
    }

    private func note(_ value: PropertyValue, _ known: inout Kind?) {
        guard known != .text else { return }
        switch value {
        case .null: return
        case .string(let text):
            if text.isEmpty { return }
            let kind = Self.kind(of: text)
            switch (known, kind) {
            case (nil, _): known = kind
            case (.integer, .integer), (.number, .integer), (.number, .number): break
            case (.integer, .number): known = .number
            default: known = .text
            }
        default: known = .text
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
        guard kinds.contains(where: { $0 == .integer || $0 == .number }) else { return }
        for index in features.indices {
            var number = -1
            features[index].properties.updateValues { name, value in
                number += 1
                guard case .string(let text) = value, let place = place(of: name, near: number) else { return }
                switch kinds[place] {
                case .integer?: if let number = Int(text) { value = .integer(number) }
                case .number?: if let number = text.decimalValue { value = .number(number) }
                case .text?, nil: break
                }
            }
        }
    }
}
