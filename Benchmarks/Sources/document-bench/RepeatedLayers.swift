import Foundation

/// Creates a large capabilities document from a real one.
enum RepeatedLayers {
    struct NoLayers: Error {}

    /// Returns the document with copies of its innermost layers, each with a unique name, so that it has `count`
    /// layers.
    static func document(from bytes: [UInt8], count: Int) throws -> [UInt8] {
        let leaves = leaves(of: bytes)
        guard let first = leaves.first else { throw NoLayers() }
        let own = starts(of: bytes).count
        var document = Array(bytes[..<first.upperBound])
        for number in 0..<max(count - own, 0) {
            let leaf = bytes[leaves[number % leaves.count]]
            let place = endOfName(in: leaf) ?? leaf.endIndex
            document.append(0x0A)
            document += leaf[..<place]
            if place < leaf.endIndex { document += "-\(number)".utf8 }
            document += leaf[place...]
        }
        return document + bytes[first.upperBound...]
    }

    private static func ranges(of text: String, in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var rest = bytes
        while let range = rest.firstRange(of: Array(text.utf8)) {
            found.append(range)
            rest = bytes[range.upperBound...]
        }
        return found
    }

    private static func starts(of bytes: [UInt8]) -> [Int] {
        ranges(of: "<Layer", in: bytes[...])
            .filter { $0.upperBound < bytes.count && [0x20, 0x3E, 0x0A, 0x0D, 0x09].contains(bytes[$0.upperBound]) }
            .map(\.lowerBound)
    }

    /// Returns the ranges of the layers without sublayers.
    private static func leaves(of bytes: [UInt8]) -> [Range<Int>] {
        let starts = starts(of: bytes)
        let ends = ranges(of: "</Layer>", in: bytes[...]).map(\.upperBound)
        return starts.enumerated().compactMap { index, start in
            guard let end = ends.first(where: { $0 > start }) else { return nil }
            let next = index + 1 < starts.count ? starts[index + 1] : Int.max
            return next > end ? start..<end : nil
        }
    }

    /// Returns the end of the layer's name; the names of styles are nested deeper.
    private static func endOfName(in leaf: ArraySlice<UInt8>) -> Int? {
        for tag in ["/Name>", "Identifier>"] {
            for range in ranges(of: tag, in: leaf) {
                let before = leaf[..<range.lowerBound]
                let isInStyle = ranges(of: "<Style", in: before).count > ranges(of: "</Style>", in: before).count
                guard !isInStyle, let end = before.lastIndex(of: 0x3C), leaf[end + 1] == 0x2F else { continue }
                return end
            }
        }
        return nil
    }
}
