import PortolanWeb

extension GeoJSONParser {
    /// Reads any value.
    mutating func value(_ text: Span<UInt8>) throws(GeoJSONError) -> PropertyValue {
        switch skipSpace(text) {
        case UInt8(ascii: "\""):
            let string = try string(text)
            // Short texts lie in the value itself.
            if string.utf8.count > 15 { try charge(string.utf8.count + 32) }
            return .string(string)
        case UInt8(ascii: "{"): return .object(try properties(text))
        case UInt8(ascii: "["):
            var values: [PropertyValue] = []
            var more = try begin(text, until: UInt8(ascii: "]"))
            while more {
                values.append(try value(text))
                try charge(MemoryLayout<PropertyValue>.stride)
                more = try continues(text, until: UInt8(ascii: "]"))
            }
            return .array(values)
        case UInt8(ascii: "t"):
            try literal(text, "true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal(text, "false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal(text, "null")
            return .null
        case UInt8(ascii: "N"): return try noNumber(text, "NaN")
        case UInt8(ascii: "I"): return try noNumber(text, "Infinity")
        case UInt8(ascii: "-") where byte(text, position + 1) == UInt8(ascii: "I"):
            return try noNumber(text, "-Infinity")
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            let start = position, number = try number(text)
            guard number.value.isFinite else {
                let largest = number.value < 0 ? -Double.greatestFiniteMagnitude : .greatestFiniteMagnitude
                warn("a number is too large; read as \(largest)", at: start, effect: .repaired)
                return .number(largest)
            }
            return number.integer.map(PropertyValue.integer) ?? .number(number.value)
        default: throw unexpected(text, "a value")
        }
    }

    /// Consumes what JSON has no word for and Python's writer writes all the same.
    private mutating func noNumber(_ text: Span<UInt8>, _ word: StaticString) throws(GeoJSONError) -> PropertyValue {
        let start = position
        try literal(text, word)
        warn("\(word) is no value of JSON; taken as null", at: start, effect: .repaired)
        return .null
    }

    /// Consumes `true`, `false`, `null`, or another word.
    mutating func literal(_ text: Span<UInt8>, _ word: StaticString) throws(GeoJSONError) {
        var end = position
        for unit in word.description.utf8 {
            guard end < text.count else { throw error(.truncated, text.count, "the document ends in '\(word)'") }
            guard text[end] == unit else { throw unexpected(text, "a value") }
            end += 1
        }
        position = end
    }

    /// Reads an object of any content, the cursor on its brace.
    mutating func properties(_ text: Span<UInt8>) throws(GeoJSONError) -> Properties {
        var elements: [Properties.Element] = []
        var seen = SeenNames()
        var more = try begin(text, until: UInt8(ascii: "}"))
        if more {
            // The objects of a document have about as many members each.
            elements.reserveCapacity(memberCount)
            try charge(32)
        }
        while more {
            let number = try distinctName(text, &seen)
            elements.append(Properties.Element(name: name(number), value: try value(text)))
            try charge(MemoryLayout<Properties.Element>.stride)
            more = try continues(text, until: UInt8(ascii: "}"))
        }
        memberCount = min(elements.count, 64)
        return seen.properties(elements)
    }

    /// Reads a member's name, with a warning when it has stood before in this object; the last value of a name is the one
    /// that counts.
    @inline(__always)
    mutating func distinctName(_ text: Span<UInt8>, _ seen: inout SeenNames) throws(GeoJSONError) -> Int {
        _ = skipSpace(text)
        let offset = position
        let number = try memberName(text)
        let isNew = number < 0 ? seen.insert(unshared: unsharedName) : seen.insert(number)
        if !isNew {
            seen.hasDuplicates = true
            warnOfDuplicate(name(number), offset)
        }
        return number
    }

    /// Moves over a value without checking more than that texts and brackets end.
    ///
    /// It only serves to look ahead; the value is read properly afterwards.
    mutating func skipValue(_ text: Span<UInt8>) {
        var open = 0
        _ = skipSpace(text)
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""): skipString(text)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open == 0 { return }
                open -= 1
                position += 1
            case UInt8(ascii: ","):
                if open == 0 { return }
                position += 1
                continue
            default:
                position += 1
                continue
            }
            if open == 0 { return }
        }
    }

    private mutating func skipString(_ text: Span<UInt8>) {
        position += 1
        while position < text.count {
            let byte = text[position]
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        position = min(position, text.count)
    }
}
