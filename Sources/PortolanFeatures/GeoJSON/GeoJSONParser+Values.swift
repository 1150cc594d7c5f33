import PortolanWeb

extension GeoJSONParser {
    /// Reads any value.
    mutating func value(_ text: Span<UInt8>) throws(GeoJSONError) -> PropertyValue {
        switch skipSpace(text) {
        case UInt8(ascii: "\""):
            let string = try string(text)
            // Short texts are stored inline.
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

    /// Reads a value such as NaN, which is invalid in JSON but written by Python.
    private mutating func noNumber(_ text: Span<UInt8>, _ word: StaticString) throws(GeoJSONError) -> PropertyValue {
        let start = position
        try literal(text, word)
        warn("\(word) is not a JSON value; read as null", at: start, effect: .repaired)
        return .null
    }

    /// Consumes `true`, `false`, `null`, or another literal.
    mutating func literal(_ text: Span<UInt8>, _ word: StaticString) throws(GeoJSONError) {
        var end = position
        for unit in word.description.utf8 {
            guard end < text.count else { throw error(.truncated, text.count, "the document ends in '\(word)'") }
            guard text[end] == unit else { throw unexpected(text, "a value") }
            end += 1
        }
        position = end
    }

    /// Reads an object with any content.
    ///
    /// The cursor is at its brace.
    mutating func properties(_ text: Span<UInt8>) throws(GeoJSONError) -> Properties {
        var elements: [Properties.Element] = []
        var seen = SeenNames()
        var more = try begin(text, until: UInt8(ascii: "}"))
        if more {
            // The objects of a document have similar numbers of members.
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

    /// Reads a member's name, with a warning if it is a duplicate in this object.
    ///
    /// The last value of a name is used.
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

    /// Skips a value and only checks that texts and brackets are closed.
    ///
    /// It is used to look ahead; the value is parsed afterwards.
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

extension GeoJSONParser {
    /// Reads a text.
    ///
    /// The cursor is at its opening quote.
    mutating func string(_ text: Span<UInt8>) throws(GeoJSONError) -> String {
        let start = position + 1
        var index = start
        var all: UInt8 = 0
        // Plain characters are scanned eight at a time; others, and the last ones of the document, one by one.
        while true {
            let plain = Self.plainCount(text.eight(from: index))
            index &+= plain
            if plain < 8 { break }
        }
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                // ASCII needs no UTF-8 validation.
                if all < 0x80 { return String(decoding: bytes[start..<index], as: UTF8.self) }
                return try validated(bytes[start..<index])
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(text, start, index) }
            guard byte >= 0x20 else { throw control(byte, index) }
            all |= byte
            index += 1
        }
        throw error(.truncated, text.count, "the document ends inside a string that begins at byte \(start - 1)")
    }

    /// Returns how many of eight bytes, the lowest first, are ASCII characters without special meaning in a text.
    @inline(__always)
    private static func plainCount(_ eight: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = eight ^ (ones &* 0x22), backslashes = eight ^ (ones &* 0x5C)
        // The highest bit of each byte that is zero or below a space. Errors can only occur after the first such byte.
        let odd =
            (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (eight &- ones &* 0x20) & ~eight | eight
        return (odd & (ones &* 0x80)).trailingZeroBitCount &>> 3
    }

    /// Reads the rest of the text that begins at `start`, from the first backslash at `index`.
    private mutating func escapedString(_ text: Span<UInt8>, _ start: Int, _ index: Int) throws(GeoJSONError) -> String
    {
        scratch.removeAll(keepingCapacity: true)
        var from = start
        var index = index
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                try append(bytes[from..<index])
                position = index + 1
                return String(decoding: scratch, as: UTF8.self)
            }
            guard byte >= 0x20 else { throw control(byte, index) }
            if byte != UInt8(ascii: "\\") {
                index += 1
                continue
            }
            try append(bytes[from..<index])
            index = try escape(text, index)
            from = index
        }
        throw error(.truncated, text.count, "the document ends inside a string that begins at byte \(start - 1)")
    }

    /// Appends the character of the escape at `index` to `scratch`, and returns the index after it.
    private mutating func escape(_ text: Span<UInt8>, _ index: Int) throws(GeoJSONError) -> Int {
        switch byte(text, index + 1) {
        case UInt8(ascii: "\""): scratch.append(0x22)
        case UInt8(ascii: "\\"): scratch.append(0x5C)
        case UInt8(ascii: "/"): scratch.append(0x2F)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): return try unicodeEscape(text, index)
        default:
            guard index + 1 < text.count else { throw error(.truncated, text.count, "the document ends in an escape") }
            throw error(.syntax, index, "invalid escape sequence")
        }
        return index + 2
    }

    private mutating func unicodeEscape(_ text: Span<UInt8>, _ index: Int) throws(GeoJSONError) -> Int {
        var value = try hexadecimal(text, index + 2)
        var end = index + 6
        if value >= 0xD800 && value <= 0xDBFF, byte(text, end) == UInt8(ascii: "\\"),
            byte(text, end + 1) == UInt8(ascii: "u")
        {
            let low = try hexadecimal(text, end + 2)
            if low >= 0xDC00 && low <= 0xDFFF {
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                end += 6
            }
        }
        guard let scalar = Unicode.Scalar(value) else {
            guard mendsText else { throw error(.invalidText, index, "an unpaired surrogate escape") }
            warn("an unpaired surrogate escape; replaced with U+FFFD", at: index, effect: .repaired)
            scratch += [0xEF, 0xBF, 0xBD]
            return end
        }
        scratch += Array(String(scalar).utf8)
        return end
    }

    private func hexadecimal(_ text: Span<UInt8>, _ start: Int) throws(GeoJSONError) -> UInt32 {
        var value: UInt32 = 0
        for index in start..<(start + 4) {
            let byte = byte(text, index)
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default:
                guard index < text.count else { throw error(.truncated, text.count, "the document ends in an escape") }
                throw error(.syntax, index, "\\u must be followed by four hexadecimal digits")
            }
        }
        return value
    }

    private func control(_ byte: UInt8, _ index: Int) -> GeoJSONError {
        error(.syntax, index, "unescaped control byte 0x\(String(byte, radix: 16)) in a string")
    }

    /// Appends bytes between escapes to `scratch`.
    private mutating func append(_ slice: ArraySlice<UInt8>) throws(GeoJSONError) {
        guard slice.contains(where: { $0 >= 0x80 }) else { return scratch += slice }
        scratch += try validated(slice).utf8
    }

    /// Returns the text of some bytes, with invalid UTF-8 repaired.
    private mutating func validated(_ slice: ArraySlice<UInt8>) throws(GeoJSONError) -> String {
        if let text = String(validating: slice, as: UTF8.self) { return text }
        // The longest valid prefix locates the fault. A character has at most 4 bytes, so the prefix is found by
        // decoding them one by one.
        var decoder = UTF8()
        var iterator = slice.makeIterator()
        var offset = slice.startIndex
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput, .error: break decoding
            }
        }
        guard mendsText else {
            throw error(.invalidText, offset, "invalid UTF-8 in a string; save the file as UTF-8")
        }
        warn("invalid UTF-8 in a string; replaced with U+FFFD", at: offset, effect: .repaired)
        return String(decoding: slice, as: UTF8.self)
    }
}

extension GeoJSONParser {
    /// A number in the document.
    struct Number {
        /// The nearest double.
        ///
        /// It is infinite for numbers beyond the range of a double, which RFC 8259, section 6, leaves to readers.
        var value: Double
        /// The integer, if the number has no fraction and no exponent and fits in an `Int`; otherwise `nil`.
        var integer: Int?
    }

    /// The maximum length of a number in bytes.
    private static let maximumNumberLength = 1024

    /// Reads the number at the cursor (RFC 8259, section 6), rounded to the nearest double.
    @inline(__always)
    mutating func number(_ text: Span<UInt8>) throws(GeoJSONError) -> Number {
        let start = position
        var index = start
        let isNegative = byte(text, index) == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let firstDigit = index
        var mantissa: UInt64 = 0
        var digit = byte(text, index) &- UInt8(ascii: "0")
        while digit <= 9 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            index += 1
            digit = byte(text, index) &- UInt8(ascii: "0")
        }
        var digitCount = index - firstDigit
        guard digitCount > 0, digitCount == 1 || text[firstDigit] != UInt8(ascii: "0") else {
            throw malformedNumber(text, index)
        }
        var exponent = 0
        var isInteger = true
        if byte(text, index) == UInt8(ascii: ".") {
            isInteger = false
            let pointIndex = index
            index += 1
            digit = byte(text, index) &- UInt8(ascii: "0")
            while digit <= 9 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                index += 1
                digit = byte(text, index) &- UInt8(ascii: "0")
            }
            exponent = pointIndex + 1 - index
            guard exponent < 0 else { throw malformedNumber(text, index) }
            digitCount -= exponent
        }
        if byte(text, index) | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            index = try skipExponent(text, index, &exponent)
        }
        position = index
        if digitCount <= 19, let magnitude = JSONNumber.nearest(mantissa: mantissa, exponent: exponent) {
            let integer =
                isInteger && mantissa <= 1 << 63 ? Self.integer(mantissa, isNegative: isNegative) : nil
            return Number(value: isNegative ? -magnitude : magnitude, integer: integer)
        }
        return try longNumber(start, index)
    }

    /// Returns an integer, or `nil` if it does not fit in an `Int`, or is minus zero.
    @inline(__always)
    private static func integer(_ magnitude: UInt64, isNegative: Bool) -> Int? {
        guard isNegative else { return Int(exactly: magnitude) }
        return magnitude == 0 ? nil : Int(truncatingIfNeeded: 0 &- magnitude)
    }

    /// Reads an exponent whose letter is at `index` and adds it to `exponent`.
    ///
    /// Returns the index after it.
    private func skipExponent(_ text: Span<UInt8>, _ index: Int, _ exponent: inout Int) throws(GeoJSONError) -> Int {
        var index = index + 1
        let sign = byte(text, index)
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
        let first = index
        var value = 0
        while true {
            let digit = byte(text, index) &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            // For larger exponents the number is zero or infinite in any case.
            if value < 100_000 { value = value * 10 + Int(digit) }
            index += 1
        }
        guard index > first else { throw malformedNumber(text, index) }
        exponent += sign == UInt8(ascii: "-") ? -value : value
        return index
    }

    /// Returns a number with too many digits or too large an exponent for the fast algorithms.
    private func longNumber(_ start: Int, _ end: Int) throws(GeoJSONError) -> Number {
        guard end - start <= Self.maximumNumberLength else {
            throw error(.invalidNumber, start, "a number of more than \(Self.maximumNumberLength) characters")
        }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        guard let value = Double(text) else { throw error(.invalidNumber, start, "invalid number") }
        return Number(value: value, integer: Int(text))
    }

    private func malformedNumber(_ text: Span<UInt8>, _ index: Int) -> GeoJSONError {
        guard index < text.count else { return error(.truncated, text.count, "the document ends in a number") }
        return error(
            .invalidNumber, position,
            "a number must look like -12.5e3: digits before and after the point, no leading zero")
    }
}

extension GeoJSONError.Code {
    /// Whether the text is still valid JSON, so that reading can continue after the invalid value.
    fileprivate var leavesJSON: Bool {
        switch self {
        case .missingMember, .wrongType, .wrongNesting: true
        case .syntax, .truncated, .trailingContent, .invalidText, .invalidNumber, .unsupportedCRS, .limitExceeded,
            .memory, .cancelled:
            false
        }
    }
}

// A value that is valid JSON but invalid GeoJSON costs its feature or member, not the whole file.
extension GeoJSONParser {
    /// The state for a rollback after an invalid value.
    private struct Mark {
        let position: Int
        let depth: Int
        let warnings: WarningList.Mark
        let coordinateCount: Int
    }

    private func mark() -> Mark {
        Mark(
            position: position, depth: depth, warnings: warnings.mark, coordinateCount: coordinateCount)
    }

    private mutating func goBack(to mark: Mark) {
        position = mark.position
        depth = mark.depth
        warnings.goBack(to: mark.warnings)
        coordinateCount = mark.coordinateCount
    }

    /// Skips the value at the cursor, with a warning about its fault.
    mutating func passOver(
        _ text: Span<UInt8>, _ fault: GeoJSONError, key: String? = nil
    ) throws(GeoJSONError) {
        guard fault.code.leavesJSON else { throw fault }
        let mark = warnings.mark
        _ = try value(text)
        // Duplicate names in skipped values are not reported.
        warnings.goBack(to: mark)
        warn("\(fault.detail); left out", key: key, at: fault.byteOffset, effect: .omitted)
    }

    /// Reads the feature at the cursor in the list of features, or skips it.
    ///
    /// A bare geometry becomes a feature without properties.
    mutating func featureOrLoss(_ text: Span<UInt8>) throws(GeoJSONError) -> Feature? {
        let mark = mark()
        let fault: GeoJSONError
        if skipSpace(text) == UInt8(ascii: "{") {
            do throws(GeoJSONError) { return try feature(text, isRoot: false) } catch {
                guard error.code.leavesJSON else { throw error }
                fault = error
            }
            goBack(to: mark)
            do throws(GeoJSONError) {
                let geometry = try geometry(text, isRoot: false)
                warn("a geometry instead of a feature; read as a feature", at: mark.position, effect: .repaired)
                return Feature(geometry: geometry)
            } catch {
                guard error.code.leavesJSON else { throw error }
            }
            goBack(to: mark)
        } else {
            fault = wrongType(text, "a feature")
        }
        try passOver(text, fault)
        if firstLoss == nil { firstLoss = fault }
        return nil
    }

    /// Reads the geometry of a feature, or skips it.
    ///
    /// In a document with a single feature, it must be valid.
    mutating func geometryOrLoss(_ text: Span<UInt8>, isRoot: Bool) throws(GeoJSONError) -> Geometry? {
        switch skipSpace(text) {
        case UInt8(ascii: "{"):
            let mark = mark()
            let fault: GeoJSONError
            do throws(GeoJSONError) { return try geometry(text, isRoot: false) } catch {
                guard !isRoot, error.code.leavesJSON else { throw error }
                fault = error
            }
            goBack(to: mark)
            try passOver(text, fault, key: "geometry")
            return nil
        case UInt8(ascii: "n"):
            try literal(text, "null")
            return nil
        default:
            let fault = wrongType(text, "a geometry or null")
            guard !isRoot else { throw fault }
            try passOver(text, fault, key: "geometry")
            return nil
        }
    }
}
