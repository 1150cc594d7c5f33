import PortolanFeatures
import PortolanGeo

/// The boxes of features, and an index of them that stays good while a few features change.
struct FeaturePlaces: Sendable {
    /// From how many features on an index is worth its making.
    private static let indexedCount = 256

    private var boxes: [BoundingBox?]
    private var index: SpatialIndex?
    /// Features whose boxes have changed, or that have come, since the index was made.
    private var changed: Set<Int> = []

    init(_ features: [Feature]) {
        boxes = features.map { $0.geometry?.boundingBox }
        makeIndex()
    }

    mutating func append(_ features: [Feature]) {
        for feature in features {
            changed.insert(boxes.count)
            boxes.append(feature.geometry?.boundingBox)
        }
        renewIndex()
    }

    mutating func update(_ place: Int, _ feature: Feature) {
        boxes[place] = feature.geometry?.boundingBox
        changed.insert(place)
        renewIndex()
    }

    /// The smallest box around all features, or `nil` when none has coordinates.
    var boundingBox: BoundingBox? {
        var whole: BoundingBox?
        for case let box? in boxes { whole = whole?.union(box) ?? box }
        return whole
    }

    /// The places of the features whose boxes touch `extent`, in no order.
    func touching(_ extent: Extent) -> [Int] {
        guard let index else { return boxes.indices.filter { boxes[$0]?.touches(extent) ?? false } }
        return index.items(touching: extent).filter { !changed.contains($0) }
            + changed.filter { boxes[$0]?.touches(extent) ?? false }
    }

    /// Makes a new index when so many features have changed that looking at each costs as much.
    private mutating func renewIndex() {
        if changed.count > max(boxes.count / 8, Self.indexedCount) { makeIndex() }
    }

    private mutating func makeIndex() {
        index = boxes.count >= Self.indexedCount ? SpatialIndex(boxes) : nil
        changed = []
    }
}
