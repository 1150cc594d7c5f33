/// Where the parts of a document are; found without a parser, so broken documents have one, too.
struct Outline: Sendable {
    /// Parts that can be left out, doubled and exchanged: elements, JSON values and members, chunks, segments, words.
    var nodes: [Range<Int>] = []
    /// Contents: text, values of attributes, insides of JSON strings, data of chunks.
    var contents: [Range<Int>] = []
    /// Names of elements, attributes, members and chunks.
    var names: [Range<Int>] = []

    /// Contents that read like addresses.
    func addresses(in bytes: [UInt8]) -> [Range<Int>] {
        contents.filter { range in
            let text = bytes[range].prefix(4096)
            return text.first == 0x2F || zip(text, text.dropFirst()).contains { $0 == 0x2F && $1 == 0x2F }
        }
    }

    init(_ bytes: [UInt8], _ grammar: Grammar) {
        switch grammar {
        case .xml: findElements(bytes)
        case .json: findValues(bytes)
        case .png: findChunks(bytes)
        case .jpeg: findSegments(bytes)
        case .gif: findBlocks(bytes)
        case .riff: findRIFFChunks(bytes, in: min(12, bytes.count)..<bytes.count)
        case .sqlite: findPages(bytes)
        case .words: findWords(bytes)
        }
    }

    /// Where numbers stand, in text.
    static func numbers(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start: Int?
        for (index, byte) in bytes.enumerated() {
            let isDigit = (0x30...0x39).contains(byte)
            let continues = isDigit || byte == 0x2E || byte == 0x65 || byte == 0x45 || byte == 0x2D || byte == 0x2B
            if let first = start {
                if !continues {
                    found.append(first..<index)
                    start = nil
                }
            } else if isDigit || byte == 0x2D {
                start = index
            }
        }
        if let start { found.append(start..<bytes.count) }
        return found
    }
}
