import PortolanFeatures

/// Determines which text values of features are numbers, for formats that write all values as text.
///
/// A property whose values in the whole document are all integers, or all numbers, becomes numeric. `007` is not a
/// number, since a number would be written differently. Empty values are ignored and remain unchanged.
struct ValueTypes {
    private enum Kind {
        case integer, number, text
    }

    private var names: [String] = []
    /// The kind of each property's values; `nil` before the first value.
    private var kinds: [Kind?] = []
    private var places: [String: Int] = [:]
    /// The property numbers of the last feature whose names differed from those of the previous one.
    private var last: [Int] = []

    /// Records the texts of a feature.
    ///
    /// - Parameter isAsLast: whether its names are a prefix of those of the last feature for which this was `false`.
    mutating func note(_ properties: Properties, isAsLast: Bool = false) {
        if !isAsLast || properties.count > last.count {
            last.removeAll(keepingCapacity: true)
            for (index, property) in properties.enumerated() { last.append(number(of: property.name, near: index)) }
        }
        for index in properties.indices {
            let place = last[index]
            // Once a value is not a number, the remaining ones are irrelevant.
            if kinds[place] != .text { note(properties[index].value, &kinds[place]) }
        }
    }

    /// Returns the number of a property name, which is assigned on first use.
    private mutating func number(of name: String, near index: Int) -> Int {
        if let place = place(of: name, near: index) { return place }
        places[name] = names.count
        names.append(name)
        kinds.append(nil)
        return names.count - 1
    }

    /// Returns the number of a property name, which equals its index in most features.
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
        guard text.utf8.count <= 24 else { return .text }
        return text.withBytes { digits in
            var place = digits[0] == UInt8(ascii: "-") ? 1 : 0
            guard place < digits.count, isDigit(digits[place]) else { return .text }
            if digits[place] == 0x30, place + 1 < digits.count, isDigit(digits[place + 1]) { return .text }
            while place < digits.count, isDigit(digits[place]) { place += 1 }
            if place == digits.count { return digits.count <= 18 || Int(text) != nil ? .integer : .text }
            return DecimalScanner.whole(digits) == nil ? .text : .number
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

    /// Converts the texts of numeric properties to numbers.
    func apply(to features: inout [Feature]) {
        guard kinds.contains(where: { $0 == .integer || $0 == .number }) else { return }
        for index in features.indices {
            features[index].properties.updateElements { number, property in
                guard let place = place(of: property.name, near: number), let kind = kinds[place], kind != .text,
                    case .string(let text) = property.value
                else { return }
                switch kind {
                case .integer: if let number = Int(text) { property.value = .integer(number) }
                case .number: if let number = text.decimalValue { property.value = .number(number) }
                case .text: break
                }
            }
        }
    }
}
