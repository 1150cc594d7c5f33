import TestHelpers

/// Makes broken documents of whole ones.
///
/// The mutator is our own because libFuzzer takes over the whole build: `swift build --sanitize fuzzer` gives every program of the package
/// its `main`, which then fails to link, and giving the flag to one target only takes unsafe flags; besides, bytes flipped at
/// random hardly ever get past the first tag of XML or the first checksum of PNG, and these operations do.
struct Mutator {
    private let grammar: Grammar
    private let largest: Int
    private let misleads: Bool
    /// Whether a document is one line, which may be an address.
    private let isLine: Bool
    var generator: SeededGenerator
    /// The documents that new ones are made of.
    private(set) var pool: [[UInt8]]
    private let seedCount: Int
    private static let largestPool = 600

    /// Makes a mutator of a kind whose documents are `pool`.
    init(of kind: FuzzKind, pool: [[UInt8]], seed: UInt64) {
        self.pool = pool
        grammar = kind.grammar
        largest = kind.largest
        misleads = kind.misleads
        isLine = kind.isLines
        seedCount = pool.count
        generator = SeededGenerator(seed: seed)
    }

    /// Takes a document whose outcome was new among those that others are made of.
    mutating func keep(_ bytes: [UInt8]) {
        guard bytes.count <= largest else { return }
        if pool.count < Self.largestPool { return pool.append(bytes) }
        guard seedCount < pool.count else { return }
        pool[.random(in: seedCount..<pool.count, using: &generator)] = bytes
    }

    /// A new document.
    mutating func next() -> [UInt8] {
        var bytes = pool.randomElement(using: &generator) ?? []
        if misleads {
            repeat { mislead(&bytes, Outline(bytes, grammar)) } while chance(3)
            if chance(2) { return bytes }
        }
        var count = 1
        while count < 12, chance(2) { count += 1 }
        for _ in 0..<count {
            if grammar == .sqlite, !chance(8) {
                changePages(&bytes)
            } else if chance(4) {
                changeBytes(&bytes)
            } else {
                changeParts(&bytes)
            }
            if bytes.count > largest { bytes.removeSubrange(largest...) }
        }
        if grammar.isText, largest > 4096, chance(1000) { swell(&bytes) }
        if grammar == .png, !chance(8) { bytes = PNGChunks.repaired(bytes) }
        if grammar == .xml || grammar == .json, chance(64) { bytes = reencoded(bytes) }
        return bytes
    }

    mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &generator) == 0 }

    private mutating func place(in bytes: [UInt8]) -> Int { .random(in: 0...bytes.count, using: &generator) }

    private mutating func stretch(of bytes: [UInt8]) -> Range<Int> {
        let start = place(in: bytes)
        let most = chance(4) ? bytes.count : 16
        return start..<min(bytes.count, start + .random(in: 0...most, using: &generator))
    }

    /// Changes that know nothing of what the bytes mean.
    mutating func changeBytes(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes.append(.random(in: 0...255, using: &generator)) }
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[place] = .random(in: 0...255, using: &generator)
        case 2: bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &generator) ?? 0
        case 3: bytes.removeSubrange(stretch(of: bytes))
        case 4: bytes.removeSubrange(place...)
        case 5:
            let piece = Array(bytes[stretch(of: bytes)])
            bytes.insert(contentsOf: piece, at: place)
        case 6:
            let donor = pool.randomElement(using: &generator) ?? []
            bytes.replaceSubrange(place..., with: donor[self.place(in: donor)...])
        default:
            let text = OddValues.insertions(for: grammar).randomElement(using: &generator) ?? ""
            bytes.insert(contentsOf: text.utf8, at: place)
        }
    }

    /// Changes to the parts that the grammar tells.
    private mutating func changeParts(_ bytes: inout [UInt8]) {
        let outline = Outline(bytes, grammar)
        switch Int.random(in: 0..<15, using: &generator) {
        case 0: if let node = outline.nodes.randomElement(using: &generator) { bytes.removeSubrange(node) }
        case 1: repeatNode(&bytes, outline)
        case 2: swapNodes(&bytes, outline)
        case 3, 4: takeFromOther(&bytes, outline)
        case 5: nest(&bytes, outline)
        case 6, 7: replaceContent(&bytes, outline)
        case 8: rename(&bytes, outline)
        case 9, 10: if grammar.isText { replaceNumber(&bytes) } else { changeField(&bytes, outline) }
        case 11:
            guard let node = outline.nodes.randomElement(using: &generator) else { return }
            let text = OddValues.insertions(for: grammar).randomElement(using: &generator) ?? ""
            bytes.insert(contentsOf: text.utf8, at: chance(2) ? node.lowerBound : node.upperBound)
        case 12 where grammar.isText, 13 where grammar.isText: mislead(&bytes, outline)
        default:
            if grammar == .png { replacePixels(&bytes) } else { replaceContent(&bytes, outline) }
        }
    }

    private mutating func repeatNode(_ bytes: inout [UInt8], _ outline: Outline) {
        guard let node = outline.nodes.randomElement(using: &generator), !node.isEmpty else { return }
        let piece = bytes[node]
        let most = max(1, (largest - bytes.count) / piece.count)
        let count = min(
            most, chance(8) ? .random(in: 1...2000, using: &generator) : .random(in: 1...3, using: &generator))
        var copies: [UInt8] = []
        for _ in 0..<count {
            if grammar == .json { copies.append(0x2C) }
            copies += piece
        }
        bytes.insert(contentsOf: copies, at: node.upperBound)
    }

    /// Puts an address that leads where none may in place of another.
    private mutating func mislead(_ bytes: inout [UInt8], _ outline: Outline) {
        let place = outline.addresses(in: bytes).randomElement(using: &generator)
        guard let place = isLine ? bytes.indices : place else { return }
        bytes.replaceSubrange(place, with: Array(OddAddresses.next(&generator).utf8))
    }

    /// Repeats a part until the document is eight times as large as any other: what grows by more than its bytes is seen there.
    private mutating func swell(_ bytes: inout [UInt8]) {
        guard let node = Outline(bytes, grammar).nodes.randomElement(using: &generator), !node.isEmpty else { return }
        let piece = (grammar == .json ? [0x2C] : []) + bytes[node]
        let copies = repeatElement(piece, count: max(0, (8 * largest - bytes.count) / piece.count)).joined()
        bytes.insert(contentsOf: copies, at: node.upperBound)
    }

    private mutating func swapNodes(_ bytes: inout [UInt8], _ outline: Outline) {
        guard let one = outline.nodes.randomElement(using: &generator),
            let two = outline.nodes.randomElement(using: &generator), !one.overlaps(two), one != two
        else { return }
        let (first, second) = one.lowerBound < two.lowerBound ? (one, two) : (two, one)
        var new = Array(bytes[second])
        new += bytes[first.upperBound..<second.lowerBound]
        new += bytes[first]
        bytes.replaceSubrange(first.lowerBound..<second.upperBound, with: new)
    }

    private mutating func takeFromOther(_ bytes: inout [UInt8], _ outline: Outline) {
        guard let donor = pool.randomElement(using: &generator),
            let source = Outline(donor, grammar).nodes.randomElement(using: &generator),
            let node = outline.nodes.randomElement(using: &generator)
        else { return }
        let target = chance(2) ? node : node.upperBound..<node.upperBound
        let separator: [UInt8] = grammar == .json && target.isEmpty ? [0x2C] : []
        bytes.replaceSubrange(target, with: separator + donor[source])
    }

    private mutating func nest(_ bytes: inout [UInt8], _ outline: Outline) {
        guard let node = outline.nodes.randomElement(using: &generator) else { return }
        let depth = chance(4) ? Int.random(in: 1...5000, using: &generator) : .random(in: 1...8, using: &generator)
        var (open, close) = grammar.nest
        // The name of an existing element is more meaningful to the reader than an invented one.
        if grammar == .xml, let name = outline.names.randomElement(using: &generator) {
            let text = String(decoding: bytes[name], as: UTF8.self)
            (open, close) = ("<\(text)>", "</\(text)>")
        }
        if grammar == .json, chance(2) { (open, close) = ("{\"a\":", "}") }
        let head = Array(String(repeating: open, count: depth).utf8)
        let tail = Array(String(repeating: close, count: depth).utf8)
        bytes.insert(contentsOf: tail, at: node.upperBound)
        bytes.insert(contentsOf: head, at: node.lowerBound)
    }

    private mutating func replaceContent(_ bytes: inout [UInt8], _ outline: Outline) {
        guard let target = outline.contents.randomElement(using: &generator) else { return }
        let new: [UInt8]
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: new = Array((OddValues.texts.randomElement(using: &generator) ?? "").utf8)
        case 2: new = Array((OddValues.numbers.randomElement(using: &generator) ?? "").utf8)
        case 3:
            guard let other = outline.contents.randomElement(using: &generator) else { return }
            new = Array(bytes[other])
        case 4:
            let count = Int.random(in: 0...(chance(8) ? 70_000 : 300), using: &generator)
            new = Array(repeating: bytes[target].first ?? 0x78, count: count)
        default:
            let all = OddValues.insertions(for: grammar)
            new = Array((all.randomElement(using: &generator) ?? "").utf8)
        }
        bytes.replaceSubrange(target, with: new)
    }

    private mutating func rename(_ bytes: inout [UInt8], _ outline: Outline) {
        guard let one = outline.names.randomElement(using: &generator),
            let two = outline.names.randomElement(using: &generator)
        else { return }
        bytes.replaceSubrange(one, with: Array(bytes[two]))
    }

    private mutating func replaceNumber(_ bytes: inout [UInt8]) {
        guard let number = Outline.numbers(in: bytes).randomElement(using: &generator) else { return }
        bytes.replaceSubrange(number, with: Array((OddValues.numbers.randomElement(using: &generator) ?? "").utf8))
    }

    /// Sets a byte or a big-endian number of two or four bytes within a chunk or segment.
    private mutating func changeField(_ bytes: inout [UInt8], _ outline: Outline) {
        guard let node = outline.nodes.randomElement(using: &generator), !node.isEmpty else { return }
        let start = Int.random(in: node, using: &generator)
        let odd: [UInt32] = [0, 1, 2, 255, 256, 65535, 65536, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
        let value = odd.randomElement(using: &generator) ?? 0
        let width = [1, 2, 4].randomElement(using: &generator) ?? 1
        for index in 0..<width where node.contains(start + index) {
            bytes[start + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * (width - 1 - index)))
        }
    }

    /// Puts pixels at random, with any filters, in place of the first data chunk.
    private mutating func replacePixels(_ bytes: inout [UInt8]) {
        let kind = Array("IDAT".utf8)
        let chunk = PNGChunks.ranges(in: bytes).first { bytes[($0.lowerBound + 4)...].starts(with: kind) }
        guard let chunk else { return }
        let count = Int.random(in: 0...20_000, using: &generator)
        let isCalm = chance(2)
        let pixels = (0..<count).map { _ in UInt8.random(in: 0...(isCalm ? 4 : 255), using: &generator) }
        bytes.replaceSubrange(chunk, with: PNGChunks.chunk("IDAT", PNGChunks.stored(pixels)))
    }

    /// The text in another encoding, its declaration as it was.
    private mutating func reencoded(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return [0xEF, 0xBB, 0xBF] + bytes
        case 1: return [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        case 2: return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        default: return text.unicodeScalars.map { UInt8(exactly: $0.value) ?? 0x3F }
        }
    }
}
