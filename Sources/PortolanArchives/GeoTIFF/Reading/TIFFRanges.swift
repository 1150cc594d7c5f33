/// The blocks of a TIFF file in memory, as ranges of the file.
package struct TIFFRanges: TIFFSource, Sendable {
    /// The parts with the places of the blocks.
    private let parts: TIFFParts
    private let place: String
    private var ranges: [(start: UInt64, bytes: [UInt8])] = []

    /// Creates ranges of a file.
    ///
    /// - Parameters:
    ///   - parts: the parts with the places of the blocks.
    ///   - place: the path or the address of the file, for errors.
    package init(_ parts: TIFFParts, place: String) { (self.parts, self.place) = (parts, place) }

    /// Adds bytes of the file; they must not overlap those that were added before.
    package mutating func add(_ bytes: [UInt8], at start: UInt64) {
        let index = ranges.firstIndex { $0.start > start } ?? ranges.endIndex
        ranges.insert((start, bytes), at: index)
    }

    func blocks(of window: TIFFWindow, samples: [Int]) throws(ArchiveError) -> [TIFFWindow.Block] {
        do throws(TIFFParts.Stop) { return try window.blocks(samples: samples, parts) } catch {
            throw ArchiveError(error, at: place)
        }
    }

    func bytes(at block: Range<UInt64>) throws(ArchiveError) -> [UInt8] {
        // The last range that begins at or before the block.
        var low = 0, high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].start <= block.lowerBound { low = middle + 1 } else { high = middle }
        }
        if low > 0 {
            let range = ranges[low - 1], first = block.lowerBound - range.start
            if first + UInt64(block.count) <= UInt64(range.bytes.count) {
                return Array(range.bytes[Int(first)..<Int(first) + block.count])
            }
        }
        throw ArchiveError(.failed, place: place, detail: "the block at byte \(block.lowerBound) was not read")
    }
}
