/// What the points of a table have for one name, in a column as narrow as its values allow.
struct PropertyColumn: Sendable {
    /// Stands for a value that is not there.
    private enum Missing {
        static let integer = Int32.min
        static let text = UInt32.max
    }

    private enum Values: Sendable {
        case integers([Int32])
        case numbers([Double])
        case texts(TextColumn)
        case any([PropertyValue?])
    }

    /// The name.
    let name: String
    private var values: Values

    /// Makes a column whose first points have no value.
    init(name: String, first value: PropertyValue, after count: Int) {
        self.name = name
        switch value {
        case .integer(let number) where Self.isNarrow(number):
            values = .integers(Array(repeating: Missing.integer, count: count))
        case .integer, .number: values = .numbers(Array(repeating: .nan, count: count))
        case .string: values = .texts(TextColumn(missing: count))
        case .null, .bool, .array, .object: values = .any(Array(repeating: nil, count: count))
        }
        append(value)
    }

    /// About how many bytes it takes.
    var byteCount: Int {
        switch values {
        case .integers(let values): 4 * values.count
        case .numbers(let values): 8 * values.count
        case .texts(let column): column.byteCount
        case .any(let values): 64 * values.count
        }
    }

    /// The value of a point, or `nil` where it has none.
    subscript(row: Int) -> PropertyValue? {
        switch values {
        case .integers(let values):
            return values[row] == Missing.integer ? nil : .integer(Int(values[row]))
        case .numbers(let values):
            let number = values[row]
            if number.isNaN { return nil }
            // A whole number among others was written without a fraction as a rule, and shown so in any case.
            return abs(number) < 0x1p53 ? Int(exactly: number).map { .integer($0) } ?? .number(number) : .number(number)
        case .texts(let column): return column[row].map { .string($0) }
        case .any(let values): return values[row]
        }
    }

    /// The number of a point, or `nil` where it has none.
    func number(_ row: Int) -> Double? {
        switch values {
        case .integers(let values): values[row] == Missing.integer ? nil : Double(values[row])
        case .numbers(let values): values[row].isNaN ? nil : values[row]
        case .texts: nil
        case .any(let values): values[row]?.doubleValue
        }
    }

    /// Adds the value of the next point, `nil` where it has none.
    mutating func append(_ value: PropertyValue?) {
        switch (values, value) {
        case (.integers(var column), .integer(let number)?) where Self.isNarrow(number):
            values = .any([])
            column.append(Int32(number))
            values = .integers(column)
        case (.integers(var column), nil):
            values = .any([])
            column.append(Missing.integer)
            values = .integers(column)
        case (.integers(let column), .integer?), (.integers(let column), .number?):
            values = .numbers(column.map { $0 == Missing.integer ? .nan : Double($0) })
            append(value)
        case (.numbers(var column), nil):
            values = .any([])
            column.append(.nan)
            values = .numbers(column)
        case (.numbers(var column), .integer(let number)?) where abs(number) < 1 << 53:
            values = .any([])
            column.append(Double(number))
            values = .numbers(column)
        case (.numbers(var column), .number(let number)?) where !number.isNaN:
            values = .any([])
            column.append(number)
            values = .numbers(column)
        case (.texts(var column), nil):
            values = .any([])
            column.append(nil)
            values = .texts(column)
        case (.texts(var column), .string(let text)?):
            values = .any([])
            column.append(text)
            values = .texts(column)
        case (.any(var column), _):
            values = .any([])
            column.append(value)
            values = .any(column)
        default:
            values = .any((0..<count).map { self[$0] })
            append(value)
        }
    }

    private var count: Int {
        switch values {
        case .integers(let values): values.count
        case .numbers(let values): values.count
        case .texts(let column): column.count
        case .any(let values): values.count
        }
    }

    private static func isNarrow(_ number: Int) -> Bool {
        Int32(exactly: number).map { $0 != Missing.integer } ?? false
    }
}

/// Texts one after the other; one that was seen lately is kept once.
struct TextColumn: Sendable {
    private static let recentCount = 4096

    private var bytes: [UInt8] = []
    private var starts: [UInt32]
    private var lengths: [UInt32]
    /// The last row whose text has a hash, plus one.
    private var recent: [UInt32] = []

    /// The length of a text that is not there.
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

    /// Adds a text; beyond 4 GiB of them all they are missing.
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
            if bytes[start..<start + length].elementsEqual(text.utf8) {
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
