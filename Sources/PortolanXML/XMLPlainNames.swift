/// The distinct names of a document as written, with their current meanings.
struct XMLPlainNames {
    /// The kind of an attribute by its name.
    enum Kind {
        case usual, defaultNamespace, namespace
        /// Its prefix is reserved by XML.
        case reserved
    }

    /// A name of up to 16 bytes is represented by two words and its length; longer ones are compared bytewise.
    private struct Key: Equatable, BitwiseCopyable {
        var first: UInt64
        var last: UInt64
        var count: Int
    }

    /// The properties of a name that are needed for each tag.
    private struct Form: BitwiseCopyable {
        let key: Key
        let kind: Kind
        let hasPrefix: Bool
        /// The index of its meaning as an attribute.
        let attribute: Int
        /// The index of its meaning as an element in the scope `elementScope`.
        var element = 0
        var elementScope = 0
    }

    private struct Entry {
        let bytes: [UInt8]
        let prefix: String
        let local: String
    }

    private struct Meaning: Hashable {
        let number: Int
        let namespace: String?
    }

    /// The maximum number of distinct names; a document with more is left to the system's parser.
    private static let limit = 1024
    /// The maximum length of a name.
    private static let lengthLimit = 4096
    private var forms: [Form] = []
    private var entries: [Entry] = []
    /// The numbers of names by their hash, starting at 1; 0 is free.
    private var slots = [UInt16](repeating: 0, count: 4 * limit)
    private var elements: [Meaning: Int] = [:]
    private var bindings: [(prefix: String, namespace: String)] = []
    /// A number that changes with the namespaces in scope.
    private var scope = 1
    private let vocabulary: XMLVocabulary?
    /// The meanings of names: those of attributes, and those of elements in each namespace.
    private(set) var meanings: [XMLName] = []
    /// The vocabulary numbers of the meanings' local names.
    private(set) var codes: [UInt8] = []

    init(vocabulary: XMLVocabulary?) { self.vocabulary = vocabulary }

    /// The current number of names.
    var count: Int { forms.count }
    /// The number of namespaces in scope.
    var bindingCount: Int { bindings.count }

    /// Returns the index of a name, or `nil` if it is not a plain name or there are too many.
    @inline(__always)
    mutating func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let key = Self.key(bytes, range)
        let mixed = ((key.first &* 0x9E37_79B9_7F4A_7C15) ^ key.last) &* 0xD6E8_FEB8_6659_FD93
        // The highest twelve bits.
        var slot = Int(mixed &>> 52)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if forms[number].key == key, key.count <= 16 || matches(number, bytes, range) { return number }
            slot = (slot + 1) % slots.count
        }
        return add(bytes, range, key, at: slot)
    }

    @inline(__always)
    private static func key(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Key {
        let count = range.count
        if count >= 8 {
            return Key(
                first: bytes.word(at: range.lowerBound), last: bytes.word(at: range.upperBound - 8), count: count)
        }
        var word: UInt64 = 0
        if range.lowerBound + 8 <= bytes.count {
            word = bytes.word(at: range.lowerBound) & ((1 &<< UInt64(8 * count)) &- 1)
        } else {
            for place in range.reversed() { word = word << 8 | UInt64(bytes[place]) }
        }
        return Key(first: word, last: 0, count: count)
    }

    private func matches(_ number: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let known = entries[number].bytes
        guard known.count == range.count else { return false }
        for offset in known.indices where known[offset] != bytes[range.lowerBound + offset] { return false }
        return true
    }

    private mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>, _ key: Key, at slot: Int) -> Int? {
        guard forms.count < Self.limit, !range.isEmpty, range.count <= Self.lengthLimit else { return nil }
        var name: [UInt8] = []
        name.append(bytes.extracting(range))
        guard name.allSatisfy(Self.isPart) else { return nil }
        let parts = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ $0.first.map(Self.begins) ?? false }), let local = parts.last else {
            return nil
        }
        let prefix = parts.count == 2 ? String(decoding: parts[0], as: UTF8.self) : ""
        let text = String(decoding: local, as: UTF8.self)
        let kind: Kind =
            switch (prefix, text) {
            case ("", "xmlns"): .defaultNamespace
            case ("xmlns", "xml"), ("xmlns", "xmlns"), ("xml", _): .reserved
            case ("xmlns", _): .namespace
            default: .usual
            }
        let attribute = add(XMLName(local: text, prefix: prefix, namespace: nil))
        forms.append(Form(key: key, kind: kind, hasPrefix: !prefix.isEmpty, attribute: attribute))
        entries.append(Entry(bytes: name, prefix: prefix, local: text))
        slots[slot] = UInt16(forms.count)
        return forms.count - 1
    }

    private mutating func add(_ meaning: XMLName) -> Int {
        meanings.append(meaning)
        codes.append(vocabulary?.code(of: meaning.local) ?? 0)
        return meanings.count - 1
    }

    /// Returns whether a byte may be part of a plain name: an ASCII letter or digit, full stop, hyphen, colon or
    /// underscore.
    private static func isPart(_ byte: UInt8) -> Bool {
        begins(byte) || (0x30...0x3A).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    /// Returns whether an ASCII byte may begin a name without a prefix.
    private static func begins(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }

    func kind(_ number: Int) -> Kind { forms[number].kind }

    /// Returns the local name.
    func local(_ number: Int) -> String { entries[number].local }

    /// Returns whether two attribute names are equal if their prefixes have the same namespace.
    @inline(__always)
    func mayBeSame(_ number: Int, _ other: Int) -> Bool {
        number == other
            || forms[number].hasPrefix && forms[other].hasPrefix && entries[number].local == entries[other].local
    }

    // MARK: Namespaces

    /// Declares a namespace for a prefix, or for unprefixed names.
    ///
    /// Returns `false` if it has been declared since there were `count`.
    mutating func bind(_ prefix: String, to namespace: String, unlessBoundSince count: Int) -> Bool {
        guard !bindings[count...].contains(where: { $0.prefix == prefix }) else { return false }
        bindings.append((prefix, namespace))
        scope += 1
        return true
    }

    /// Removes all declarations after the first `count`.
    @inline(__always)
    mutating func unbind(to count: Int) {
        guard bindings.count > count else { return }
        bindings.removeSubrange(count...)
        scope += 1
    }

    /// Returns the index of the current meaning of an element name, or `nil` if its prefix is undeclared.
    @inline(__always)
    mutating func element(_ number: Int) -> Int? {
        forms[number].elementScope == scope ? forms[number].element : newElement(number)
    }

    private mutating func newElement(_ number: Int) -> Int? {
        guard forms[number].kind == .usual else { return nil }
        let prefix = entries[number].prefix
        let namespace = bindings.last { $0.prefix == prefix }?.namespace
        guard namespace != nil || prefix.isEmpty else { return nil }
        let meaning = Meaning(number: number, namespace: namespace)
        let element =
            elements[meaning] ?? add(XMLName(local: entries[number].local, prefix: prefix, namespace: namespace))
        elements[meaning] = element
        forms[number].element = element
        forms[number].elementScope = scope
        return element
    }

    /// Returns the index of the meaning of an attribute name.
    func attribute(_ number: Int) -> Int { forms[number].attribute }

    /// Returns whether the prefix of a name is declared, or the name has no prefix.
    @inline(__always)
    func isDeclared(_ number: Int) -> Bool { !forms[number].hasPrefix || isBound(entries[number].prefix) }

    private func isBound(_ prefix: String) -> Bool { bindings.contains { $0.prefix == prefix } }
}
