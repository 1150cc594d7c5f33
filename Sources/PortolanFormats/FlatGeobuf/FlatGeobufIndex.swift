import PortolanFeatures
import PortolanGeo

/// The index of a FlatGeobuf file: a packed Hilbert R-tree, the root first.
///
/// Source: flatgeobuf.org specification 3, section Index.
struct FlatGeobufIndex: Sendable {
    /// The size of a node in bytes: four sides and an offset.
    private static let nodeLength = 40

    /// The offset of the root in the file.
    private let start: Int
    private let nodeSize: Int
    /// The node numbers of each level, the leaves first.
    private let levels: [Range<Int>]

    /// Creates the index of a file with features, which begins at an offset.
    ///
    /// - Parameter nodeSize: the number of children of a node, at least 2.
    init(at start: Int, featureCount: Int, nodeSize: Int) {
        self.start = start
        self.nodeSize = nodeSize
        var counts = [featureCount], rest = featureCount
        // Even a single feature has a root above it.
        repeat {
            rest = (rest + nodeSize - 1) / nodeSize
            counts.append(rest)
        } while rest > 1
        var end = counts.reduce(0, +)
        levels = counts.map { count in
            defer { end -= count }
            return (end - count)..<end
        }
    }

    /// The bytes of the index in the file.
    var range: Range<Int> { start..<start + (levels.first?.upperBound ?? 0) * Self.nodeLength }

    /// Returns the offsets of the features whose boxes intersect a box, counted from the end of the index, in the order
    /// of the file.
    ///
    /// - Complexity: O(log *n*) for a small box.
    func offsets(
        in box: BoundingBox, of input: DatasetInput, limits: FeatureLimits
    ) throws(FeatureFileError) -> [Int] {
        var offsets: [Int] = []
        var open = [(node: 0, level: levels.count - 1)]
        // Each node of a valid tree is visited once. A damaged tree may contain a cycle.
        var budget = (levels.first?.upperBound ?? 0) + 1
        while let (first, level) = open.popLast() {
            let end = level == levels.count - 1 ? first + 1 : min(first + nodeSize, levels[level].upperBound)
            guard end > first else { continue }
            budget -= end - first
            let place = start + first * Self.nodeLength
            guard budget >= 0 else { throw Self.fault("its index has a loop", at: start) }
            var reader = ByteReader(
                try input.bytes(place..<start + end * Self.nodeLength), in: FlatGeobuf.formatName)
            for _ in first..<end {
                let sides = [try reader.double(), try reader.double(), try reader.double(), try reader.double()]
                let offset = try reader.uint64()
                guard sides[0] <= box.maxX, sides[2] >= box.minX, sides[1] <= box.maxY, sides[3] >= box.minY else {
                    continue
                }
                guard offset <= UInt64(input.byteCount) else {
                    throw Self.fault("an offset of its index is outside the file", at: place + reader.position)
                }
                if level > 0 {
                    guard levels[level - 1].contains(Int(offset)) else {
                        throw Self.fault("an offset of its index is outside its level", at: place + reader.position)
                    }
                    open.append((Int(offset), level - 1))
                } else {
                    offsets.append(Int(offset))
                    guard offsets.count <= limits.maximumFeatureCount else {
                        throw FeatureFileError(
                            .limitExceeded, in: FlatGeobuf.formatName,
                            "more than \(limits.maximumFeatureCount) features")
                    }
                }
            }
        }
        return offsets.sorted()
    }

    private static func fault(_ detail: String, at offset: Int) -> FeatureFileError {
        FeatureFileError(.malformed, in: FlatGeobuf.formatName, at: .byte(offset), detail)
    }
}
