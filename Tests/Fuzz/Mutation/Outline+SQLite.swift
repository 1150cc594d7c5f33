extension Outline {
    /// The parts of an SQLite file (the file format of SQLite, sections 1.3 and 1.6): pages, cells, and the fields that tell
    /// where those are.
    mutating func findPages(_ bytes: [UInt8]) {
        guard bytes.count >= 512 else { return }
        let stated = Int(bytes[16]) << 8 + Int(bytes[17])
        let size = stated == 1 ? 65536 : stated
        // A broken header still has pages, of the size of most of the corpus.
        let page = (512...65536).contains(size) && bytes.count >= size ? size : 512
        // The fields of the header: versions, sizes, counts, the encoding and the marks.
        for field in [16..<18, 18..<20, 20..<24, 28..<32, 32..<40, 44..<48, 52..<56, 56..<60, 60..<72] {
            names.append(field)
        }
        for start in stride(from: 0, to: bytes.count - page + 1, by: page) {
            nodes.append(start..<(start + page))
            findCells(bytes, page: start..<(start + page), header: start == 0 ? 100 : start)
        }
    }

    private mutating func findCells(_ bytes: [UInt8], page: Range<Int>, header: Int) {
        guard [2, 5, 10, 13].contains(bytes[header]) else { return }
        let headerSize = bytes[header] < 8 ? 12 : 8
        names.append(header..<(header + headerSize))
        let count = min(Int(bytes[header + 3]) << 8 + Int(bytes[header + 4]), 200)
        var starts: [Int] = []
        for number in 0..<count {
            let pointer = header + headerSize + 2 * number
            guard pointer + 2 <= page.upperBound else { break }
            names.append(pointer..<(pointer + 2))
            let start = page.lowerBound + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
            if start > header, start < page.upperBound { starts.append(start) }
        }
        starts.sort()
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : page.upperBound
            if end > start { contents.append(start..<end) }
        }
    }
}
