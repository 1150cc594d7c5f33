import PortolanFeatures

/// `at`.
struct AtNode: ExpressionNode {
    let type: ExpressionValue.ValueType
    let index: any ExpressionNode
    let list: any ExpressionNode
    let path: [Int]
    var children: [any ExpressionNode] { [index, list] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let place = try index.number(context)
        let items = try list.evaluate(context).arrayValue ?? []
        guard place >= 0, place < Double(items.count), let whole = Int(exactly: place) else {
            throw EvaluationError(path: path, reason: .index(place, count: items.count))
        }
        return items[whole]
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count == 3 else { return parser.wrongCount("2 arguments", arguments) }
        let index = parser.read(arguments[1], at: 1, .number)
        let list = parser.read(arguments[2], at: 2, .array(expected ?? .value, count: nil))
        guard let index, let list else { return nil }
        return AtNode(type: list.type.item ?? .value, index: index, list: list, path: parser.path)
    }
}

/// The search of `in` and `index-of` in a list or a text.
private struct Search {
    let needle: any ExpressionNode
    let place: any ExpressionNode

    init?(_ arguments: [PropertyValue], _ parser: inout ExpressionParser) {
        let needle = parser.read(arguments[1], at: 1, .value)
        let place = parser.read(arguments[2], at: 2, .value)
        guard let needle, let place else { return nil }
        switch needle.type {
        case .boolean, .string, .number, .null, .value: break
        default:
            // An error in the first argument is reported for the whole expression.
            let none: Bool? = parser.fail(.type(wanted: .string, found: needle.type))
            _ = none
            return nil
        }
        self.needle = needle
        self.place = place
    }
}

extension ExpressionValue {
    /// Whether it can be searched for in a list or a text.
    fileprivate var isSimple: Bool {
        switch self {
        case .null, .boolean, .number, .string: true
        default: false
        }
    }

    /// The text to search for.
    fileprivate var soughtText: String { self == .null ? "null" : text }

    /// The index of the first occurrence of a value in a list, or of a text in a text, from a start index.
    ///
    /// A text index is computed in UTF-16 code units and converted to characters. `nil` if this is neither a list nor a
    /// text.
    fileprivate func firstPlace(of needle: ExpressionValue, from start: Double) -> Int?? {
        switch self {
        case .array(let items):
            var first = start.isFinite ? Int(start.rounded(.towardZero).clamped(to: -1e9...1e9)) : 0
            if start == .infinity { first = items.count }
            if first < 0 { first = max(items.count + first, 0) }
            return .some(first < items.count ? items[first...].firstIndex(of: needle) : nil)
        case .string(let text):
            let units = Array(text.utf16), sought = Array(needle.soughtText.utf16)
            let first = start.isNaN ? 0 : Int(start.rounded(.towardZero).clamped(to: 0...Double(units.count)))
            let place = sought.isEmpty ? first : units[first...].firstRange(of: sought)?.lowerBound
            // A surrogate pair is one character.
            return .some(place.map { units[..<$0].reduce(0) { $0 + (UTF16.isTrailSurrogate($1) ? 0 : 1) } })
        default: return nil
        }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// `in`.
struct ContainsNode: ExpressionNode {
    let needle: any ExpressionNode
    let place: any ExpressionNode
    let path: [Int]
    var type: ExpressionValue.ValueType { .boolean }
    var children: [any ExpressionNode] { [needle, place] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let sought = try needle.evaluate(context), haystack = try place.evaluate(context)
        guard haystack.isTrue else { return .boolean(false) }
        guard sought.isSimple else {
            throw EvaluationError(path: path, reason: .type(wanted: .string, found: sought.type))
        }
        guard let found = haystack.firstPlace(of: sought, from: 0) else {
            throw EvaluationError(path: path, reason: .type(wanted: .anyArray, found: haystack.type))
        }
        return .boolean(found != nil)
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count == 3 else { return parser.wrongCount("2 arguments", arguments) }
        guard let search = Search(arguments, &parser) else { return nil }
        return ContainsNode(needle: search.needle, place: search.place, path: parser.path)
    }
}

/// `index-of`.
struct IndexNode: ExpressionNode {
    let needle: any ExpressionNode
    let place: any ExpressionNode
    let start: (any ExpressionNode)?
    let path: [Int]
    var type: ExpressionValue.ValueType { .number }
    var children: [any ExpressionNode] { [needle, place] + (start.map { [$0] } ?? []) }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let sought = try needle.evaluate(context), haystack = try place.evaluate(context)
        guard sought.isSimple else {
            throw EvaluationError(path: path, reason: .type(wanted: .string, found: sought.type))
        }
        guard let found = haystack.firstPlace(of: sought, from: try start?.number(context) ?? 0) else {
            throw EvaluationError(path: path, reason: .type(wanted: .anyArray, found: haystack.type))
        }
        return .number(found.map(Double.init) ?? -1)
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard (3...4).contains(arguments.count) else { return parser.wrongCount("2 or 3 arguments", arguments) }
        guard let search = Search(arguments, &parser) else { return nil }
        var start: (any ExpressionNode)?
        if arguments.count == 4 {
            start = parser.read(arguments[3], at: 3, .number)
            if start == nil { return nil }
        }
        return IndexNode(needle: search.needle, place: search.place, start: start, path: parser.path)
    }
}

/// `length`: of a list, or of a text in characters.
struct LengthNode: ExpressionNode {
    let input: any ExpressionNode
    let path: [Int]
    var type: ExpressionValue.ValueType { .number }
    var children: [any ExpressionNode] { [input] }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        switch try input.evaluate(context) {
        case .string(let text): return .number(Double(text.unicodeScalars.count))
        case .array(let items): return .number(Double(items.count))
        case let other: throw EvaluationError(path: path, reason: .type(wanted: .anyArray, found: other.type))
        }
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count == 2 else { return parser.wrongCount("1 argument", arguments) }
        guard let input = parser.read(arguments[1], at: 1) else { return nil }
        switch input.type {
        case .array, .string, .value: return LengthNode(input: input, path: parser.path)
        default: return parser.fail(.type(wanted: .anyArray, found: input.type))
        }
    }
}

/// `slice`: of a list, or of a text in characters.
///
/// Negative indexes count from the end.
struct SliceNode: ExpressionNode {
    let input: any ExpressionNode
    let start: any ExpressionNode
    let end: (any ExpressionNode)?
    let path: [Int]
    var type: ExpressionValue.ValueType { input.type }
    var children: [any ExpressionNode] { [input, start] + (end.map { [$0] } ?? []) }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        let value = try input.evaluate(context)
        let first = try start.number(context), last = try end?.number(context)
        func range(_ count: Int) -> Range<Int> {
            func place(_ number: Double) -> Int {
                guard !number.isNaN else { return 0 }
                let whole = number.rounded(.towardZero)
                return Int((whole < 0 ? Double(count) + whole : whole).clamped(to: 0...Double(count)))
            }
            let lower = place(first)
            return lower..<max(lower, last.map(place) ?? count)
        }
        switch value {
        case .string(let text):
            let characters = Array(text.unicodeScalars)
            var view = String.UnicodeScalarView()
            view.append(contentsOf: characters[range(characters.count)])
            return .string(String(view))
        case .array(let items): return .array(Array(items[range(items.count)]))
        default: throw EvaluationError(path: path, reason: .type(wanted: .anyArray, found: value.type))
        }
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard (3...4).contains(arguments.count) else { return parser.wrongCount("2 or 3 arguments", arguments) }
        let input = parser.read(arguments[1], at: 1, .value)
        let start = parser.read(arguments[2], at: 2, .number)
        guard let input, let start else { return nil }
        switch input.type {
        case .array, .string, .value: break
        default: return parser.fail(.type(wanted: .anyArray, found: input.type))
        }
        var end: (any ExpressionNode)?
        if arguments.count == 4 {
            end = parser.read(arguments[3], at: 3, .number)
            if end == nil { return nil }
        }
        return SliceNode(input: input, start: start, end: end, path: parser.path)
    }
}

/// `semiliteral`: a list whose items are expressions.
struct SemiliteralNode: ExpressionNode {
    let items: [any ExpressionNode]
    var children: [any ExpressionNode] { items }

    var type: ExpressionValue.ValueType {
        let types = Set(items.map(\.type))
        guard let type = types.first, types.count == 1, items.count == 1 || type.item == nil else {
            return .array(.value, count: items.count)
        }
        return .array(type, count: items.count)
    }

    func evaluate(_ context: ExpressionContext) throws(EvaluationError) -> ExpressionValue {
        var values: [ExpressionValue] = []
        for item in items { values.append(try item.evaluate(context)) }
        return .array(values)
    }

    static func read(
        _ arguments: [PropertyValue], _ expected: ExpressionValue.ValueType?, _ parser: inout ExpressionParser
    )
        -> (any ExpressionNode)?
    {
        guard arguments.count == 2 else { return parser.wrongCount("1 argument", arguments) }
        guard case .array(let list) = arguments[1] else { return LiteralNode(ExpressionValue(arguments[1])) }
        var items: [any ExpressionNode] = []
        for value in list {
            guard let item = parser.read(value, expected) else { return nil }
            items.append(item)
        }
        return SemiliteralNode(items: items)
    }
}
