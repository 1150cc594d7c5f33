// Of one type, because generic code is not specialised for other modules, and would be several times slower.
extension ArraySlice<UInt8> {
    /// Returns the first range of bytes that are a text in UTF-8, or `nil`; an empty text is found at the start.
    ///
    /// - Complexity: O(*n*) for texts whose first byte is rare.
    package func firstRange(of text: String) -> Range<Int>? {
        let sought = Array(text.utf8)
        guard let first = sought.first else { return startIndex..<startIndex }
        var start = startIndex
        while endIndex - start >= sought.count, let found = self[start...].firstIndex(of: first) {
            guard endIndex - found >= sought.count else { return nil }
            if self[found..<(found + sought.count)].elementsEqual(sought) { return found..<(found + sought.count) }
            start = found + 1
        }
        return nil
    }

    /// Returns whether a text is among the bytes in UTF-8.
    package func contains(_ text: String) -> Bool { firstRange(of: text) != nil }
}
