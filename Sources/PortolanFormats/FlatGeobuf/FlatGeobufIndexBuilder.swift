import PortolanFeatures
import PortolanGeo

/// Builds the index of a FlatGeobuf file: a packed Hilbert R-tree, the root first.
///
/// Source: flatgeobuf.org specification 3, section Index.
struct FlatGeobufIndexBuilder {
    /// The number of children of a node, as most programs write it.
    static let nodeSize = 16

    /// A box and the offset of what is in it: of a feature, or the number of the first child.
    private struct Node {
        var box: BoundingBox
        var offset: UInt64
    }

    /// The indexes of the features in the order of the file.
    let order: [Int]
    /// The boxes in that order.
    private let boxes: [BoundingBox]

    /// Orders features along a Hilbert curve, or returns `nil` if one of them has no box, so that it cannot be found.
    ///
    /// - Complexity: O(*n* log *n*).
    init?(_ features: [Feature]) {
        var boxes: [BoundingBox] = []
        boxes.reserveCapacity(features.count)
        for feature in features {
            guard let box = feature.geometry?.boundingBox else { return nil }
            boxes.append(box)
        }
        guard let first = boxes.first else { return nil }
        let whole = boxes.reduce(first) { $0.union($1) }
        let keys = boxes.map { SpatialIndex.order(of: $0, in: whole) }
        let order = features.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        self.order = order
        self.boxes = order.map { boxes[$0] }
    }

    /// Returns the bytes of the index.
    ///
    /// - Parameter offsets: the offsets of the features in the order of the file, counted from the first one.
    func bytes(_ offsets: [Int]) -> [UInt8] {
        var levels = [zip(boxes, offsets).map { Node(box: $0, offset: UInt64($1)) }]
        // Even a single feature has a root above it.
        repeat {
            let below = levels[levels.count - 1]
            levels.append(
                stride(from: 0, to: below.count, by: Self.nodeSize).map { start in
                    let children = below[start..<min(start + Self.nodeSize, below.count)]
                    let box = children.dropFirst().reduce(below[start].box) { $0.union($1.box) }
                    return Node(box: box, offset: UInt64(start))
                })
        } while levels[levels.count - 1].count > 1
        // The numbers of children count from the root.
        var first = 0
        for level in levels.indices.reversed() {
            first += levels[level].count
            guard level > 0 else { break }
            for index in levels[level].indices { levels[level][index].offset += UInt64(first) }
        }
        var bytes: [UInt8] = []
        for node in levels.reversed().joined() {
            for side in [node.box.minX, node.box.minY, node.box.maxX, node.box.maxY] {
                bytes.append(littleEndian: side.bitPattern)
            }
            bytes.append(littleEndian: node.offset)
        }
        return bytes
    }
}
