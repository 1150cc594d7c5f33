import PortolanFeatures

/// The characters of labels that a style draws, by font stack.
struct StyleLetters: Sendable {
    /// A set of characters, most of which are ASCII.
    struct Letters: Sendable {
        private var low: UInt64 = 0, high: UInt64 = 0
        private var others: Set<Unicode.Scalar> = []

        mutating func insert(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0..<64: low |= 1 << UInt64(scalar.value)
            case 64..<128: high |= 1 << UInt64(scalar.value - 64)
            default: others.insert(scalar)
            }
        }

        mutating func formUnion(_ letters: Letters) {
            low |= letters.low
            high |= letters.high
            others.formUnion(letters.others)
        }

        /// The visible characters.
        var visible: Set<Unicode.Scalar> {
            var all = others
            for bit in UInt32(0)..<128 where (bit < 64 ? low : high) >> UInt64(bit % 64) & 1 == 1 {
                if let scalar = Unicode.Scalar(bit) { all.insert(scalar) }
            }
            // Along a line, a line break is drawn as a space.
            if all.contains("\n") { all.insert(" ") }
            return all.filter { scalar in
                // An image in a text is U+FFFC.
                scalar.value != 0xFFFC && !scalar.properties.isDefaultIgnorableCodePoint
                    && scalar.properties.generalCategory != .control
            }
        }
    }

    /// The characters by font stack.
    private(set) var stacks: [String: Letters] = [:]

    /// Adds the characters of a label.
    mutating func add(_ label: LabelSymbol) {
        guard !label.template.isEmpty else { return }
        let stack = label.fontStack ?? ""
        guard label.spans.contains(where: { $0.fontStack != nil }) else {
            return add(label.template.unicodeScalars, of: stack)
        }
        var rest = label.template.unicodeScalars[...]
        for span in label.spans {
            let part = rest.prefix(max(span.length, 0))
            add(part, of: span.fontStack ?? stack)
            rest = rest[part.endIndex...]
        }
    }

    private mutating func add(_ scalars: some Sequence<Unicode.Scalar>, of stack: String) {
        var letters = stacks.removeValue(forKey: stack) ?? Letters()
        for scalar in scalars { letters.insert(scalar) }
        stacks[stack] = letters
    }

    /// Adds the characters of other labels.
    mutating func formUnion(_ others: StyleLetters) {
        for (stack, letters) in others.stacks { stacks[stack, default: Letters()].formUnion(letters) }
    }
}
