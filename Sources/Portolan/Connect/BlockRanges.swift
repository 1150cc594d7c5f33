/// The ranges of a file in which blocks are requested.
enum BlockRanges {
    /// The bytes at most between blocks that are requested together: they cost less time than another request.
    static let gap: UInt64 = 16 << 10
    /// The bytes at most of a range of several blocks, so that ranges are transferred side by side.
    static let limit: UInt64 = 8 << 20

    /// Joins ranges that lie side by side.
    ///
    /// - Parameter blocks: the ranges in ascending order.
    static func merged(_ blocks: [Range<UInt64>]) -> [Range<UInt64>] {
        var merged: [Range<UInt64>] = []
        for block in blocks {
            if let last = merged.last, block.lowerBound <= last.upperBound + gap,
                block.lowerBound < last.upperBound || block.upperBound - last.lowerBound <= limit
            {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, block.upperBound)
            } else {
                merged.append(block)
            }
        }
        return merged
    }
}
