extension Mutator {
    /// Changes to an SQLite file that leave its pages where they are: what is moved is not found any more.
    mutating func changePages(_ bytes: inout [UInt8]) {
        let outline = Outline(bytes, .sqlite)
        guard let page = outline.nodes.randomElement(using: &generator) else { return changeBytes(&bytes) }
        switch Int.random(in: 0..<11, using: &generator) {
        case 0, 1: setNumber(&bytes, in: outline.names)
        case 2, 3:
            // The head of a cell: its length, its number and the types of its columns.
            setNumber(&bytes, in: outline.contents.map { $0.lowerBound..<min($0.upperBound, $0.lowerBound + 12) })
        case 4:
            guard let one = outline.contents.randomElement(using: &generator) else { return }
            copy(outline.contents, over: one, &bytes)
        case 5: copy(outline.nodes, over: page, &bytes)
        case 6: copy(outline.names, over: outline.names.randomElement(using: &generator) ?? page, &bytes)
        case 7:
            if chance(2) { bytes.removeSubrange(page) } else { bytes += bytes[page] }
        case 8: overwriteNumber(&bytes)
        case 9:
            guard let cell = outline.contents.randomElement(using: &generator) else { return }
            let text = Array((OddValues.sqlite.randomElement(using: &generator) ?? "").utf8)
            let start = Int.random(in: cell, using: &generator)
            for (offset, byte) in text.enumerated() where start + offset < cell.upperBound {
                bytes[start + offset] = byte
            }
        default:
            // A page of another file of the corpus.
            guard let donor = pool.randomElement(using: &generator),
                let other = Outline(donor, .sqlite).nodes.randomElement(using: &generator)
            else { return }
            for (place, byte) in zip(page, donor[other]) { bytes[place] = byte }
        }
    }

    /// Sets one, two or four bytes of one of some ranges, often to a number that matters.
    private mutating func setNumber(_ bytes: inout [UInt8], in ranges: [Range<Int>]) {
        guard let range = ranges.randomElement(using: &generator), !range.isEmpty else { return }
        let start = Int.random(in: range, using: &generator),
            width = [1, 1, 2, 4].randomElement(using: &generator) ?? 1
        let odd: [UInt32] = [
            0, 1, 2, 3, 4, 5, 13, 127, 128, 255, 256, 32767, 65535, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
        ]
        let value = chance(2) ? odd.randomElement(using: &generator) ?? 0 : .random(in: 0...255, using: &generator)
        for index in 0..<width where range.contains(start + index) {
            bytes[start + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * (width - 1 - index)))
        }
    }

    private mutating func copy(_ ranges: [Range<Int>], over target: Range<Int>, _ bytes: inout [UInt8]) {
        guard let source = ranges.randomElement(using: &generator) else { return }
        let piece = Array(bytes[source])
        for (place, byte) in zip(target, piece) { bytes[place] = byte }
    }

    /// Writes a number in text, or as much of it as there is room for, over another.
    private mutating func overwriteNumber(_ bytes: inout [UInt8]) {
        guard let number = Outline.numbers(in: bytes).randomElement(using: &generator) else { return }
        let text = Array((OddValues.numbers.randomElement(using: &generator) ?? "").utf8)
        for (offset, place) in number.enumerated() { bytes[place] = offset < text.count ? text[offset] : 0x20 }
    }
}
