/// The values of one property of a point table, in a column as narrow as the values allow.
struct PropertyColumn: Sendable {
    /// The values that mark a missing value.
    private enum Missing {
        static let integer = Int32.min
    }

    private enum Kind {
        case integers, numbers, texts, any
    }

    /// The name.
    let name: String
    private var kind: Kind
    // The values are in the array of the kind. The kind has no associated arrays, as these would be copied on growth.
    private var integers: [Int32] = []
    private var numbers: [Double] = []
    private var texts: TextColumn
    private var others: [PropertyValue?] = []

    /// Creates a column whose first points have no value.
    init(name: String, first value: PropertyValue, after count: Int) {
        self.name = name
        kind =
            switch value {
            case .integer(let number): Self.isNarrow(number) ? .integers : .numbers
            case .number: .numbers
            case .string: .texts
            case .null, .bool, .array, .object: .any
            }
        texts = TextColumn(missing: kind == .texts ? count : 0)
        if kind == .integers { integers = Array(repeating: Missing.integer, count: count) }
        if kind == .numbers { numbers = Array(repeating: .nan, count: count) }
        if kind == .any { others = Array(repeating: nil, count: count) }
        append(value)
    }

    /// The approximate size in bytes.
    var byteCount: Int { 4 * integers.count + 8 * numbers.count + texts.byteCount + 64 * others.count }

    /// Returns the value of a point, or `nil` if it has none.
    subscript(row: Int) -> PropertyValue? {
        switch kind {
        case .integers: return integers[row] == Missing.integer ? nil : .integer(Int(integers[row]))
        case .numbers:
            let number = numbers[row]
            if number.isNaN { return nil }
            // An integer among other numbers was usually written without a fraction, and is displayed without one in
            // any case.
            return abs(number) < 0x1p53 ? Int(exactly: number).map { .integer($0) } ?? .number(number) : .number(number)
        case .texts: return texts[row].map { .string($0) }
        case .any: return others[row]
        }
    }

    /// Returns the number of a point, or `nil` if it has none.
    func number(_ row: Int) -> Double? {
        switch kind {
        case .integers: integers[row] == Missing.integer ? nil : Double(integers[row])
        case .numbers: numbers[row].isNaN ? nil : numbers[row]
        case .texts: nil
        case .any: others[row]?.doubleValue
        }
    }

    /// Appends the value of the next point; `nil` if it has none.
    mutating func append(_ value: PropertyValue?) {
        switch (kind, value) {
        case (.integers, nil): integers.append(Missing.integer)
        case (.integers, .integer(let number)?) where Self.isNarrow(number): integers.append(Int32(number))
        case (.integers, .integer?), (.integers, .number?):
            numbers = integers.map { $0 == Missing.integer ? .nan : Double($0) }
            integers = []
            kind = .numbers
            append(value)
        case (.numbers, nil): numbers.append(.nan)
        case (.numbers, .integer(let number)?) where number.magnitude < 1 << 53: numbers.append(Double(number))
        case (.numbers, .number(let number)?) where !number.isNaN: numbers.append(number)
        case (.texts, nil): texts.append(nil)
        case (.texts, .string(let text)?): texts.append(text)
        case (.any, _): others.append(value)
        default:
            let count = max(integers.count, numbers.count, texts.count)
            others = (0..<count).map { self[$0] }
            integers = []
            numbers = []
            texts = TextColumn(missing: 0)
            kind = .any
            append(value)
        }
    }

    private static func isNarrow(_ number: Int) -> Bool {
        Int32(exactly: number).map { $0 != Missing.integer } ?? false
    }
}

/// Concatenated texts.
///
/// A recently seen text is stored only once.
struct TextColumn: Sendable {
    private static let recentCount = 4096

    private var bytes: [UInt8] = []
    private var starts: [UInt32]
    private var lengths: [UInt32]
    /// The last row whose text has a hash value, plus one.
    private var recent: [UInt32] = []

    /// The length that marks a missing text.
    private static let missing = UInt32.max

    init(missing count: Int) {
        starts = Array(repeating: 0, count: count)
        lengths = Array(repeating: Self.missing, count: count)
        recent = Array(repeating: 0, count: Self.recentCount)
    }

    var count: Int { starts.count }
    var byteCount: Int { bytes.count + 8 * starts.count + 4 * recent.count }

    subscript(row: Int) -> String? {
        guard lengths[row] != Self.missing else { return nil }
        let start = Int(starts[row])
        return String(decoding: bytes[start..<start + Int(lengths[row])], as: UTF8.self)
    }

    private func isEqual(_ text: String, at start: Int) -> Bool {
        let bytes = bytes.span
        var place = start
        for byte in text.utf8 {
            guard bytes[place] == byte else { return false }
            place += 1
        }
        return true
    }

    /// Appends a text.
    ///
    /// Beyond a total of 4 GiB texts are missing.
    mutating func append(_ text: String?) {
        guard let text, bytes.count + text.utf8.count < Int(UInt32.max) else {
            starts.append(0)
            lengths.append(Self.missing)
            return
        }
        var hash: UInt32 = 2_166_136_261
        for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let slot = Int((hash ^ hash >> 15) % UInt32(Self.recentCount)), length = text.utf8.count
        let known = Int(recent[slot]) - 1
        recent[slot] = UInt32(starts.count + 1)
        if known >= 0, lengths[known] == length {
            let start = Int(starts[known])
            if isEqual(text, at: start) {
                starts.append(UInt32(start))
                lengths.append(UInt32(length))
                return
            }
        }
        starts.append(UInt32(bytes.count))
        lengths.append(UInt32(length))
        bytes.append(contentsOf: text.utf8)
    }
}
