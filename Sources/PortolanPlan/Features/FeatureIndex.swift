import PortolanFeatures
import PortolanGeo

/// The shapes of features in columns, their boxes, and a spatial index that tolerates a few changed features.
struct FeatureIndex: Sendable {
    /// The number of features from which an index is built.
    private static let indexedCount = 256

    /// The number of coordinates after which a new column block begins.
    ///
    /// Changed blocks are projected again one by one.
    private static let coordinatesInBlock = 4096

    /// The shape range of a feature.
    struct Location: Sendable {
        var block: Int32
        var first: Int32
        var end: Int32
        /// Whether any of the shapes is a point.
        var hasPoints: Bool
    }

    /// The column blocks, of which only the last one grows.
    private(set) var blocks: [ShapeColumns] = []
    private(set) var locations: [Location] = []
    /// The box of each feature, or `nil` if it has no coordinates.
    private(set) var boxes: [BoundingBox?] = []
    private var index: SpatialIndex?
    /// Features that were added or whose boxes changed since the index was built.
    private var changed: Set<Int> = []
    /// The smallest box around all features, or `nil` if none has coordinates.
    private(set) var boundingBox: BoundingBox?
    /// The number of shapes that no longer belong to a feature, because the feature changed.
    private var abandonedCount = 0

    /// Stores the geometries of features.
    init(_ geometries: some Sequence<Geometry?>, isIndexed: Bool = true) {
        add(geometries)
        if isIndexed { makeIndex() }
    }

    /// Takes shapes that are already in columns.
    ///
    /// They are not indexed, since few are searched.
    ///
    /// - Parameter locations: the shape range of each feature.
    init(blocks: [ShapeColumns], locations: [Location]) {
        self.blocks = blocks
        self.locations = locations
        boxes = locations.map { location in
            location.first < location.end
                ? blocks[Int(location.block)].boundingBox(of: Int(location.first)..<Int(location.end)) : nil
        }
        for case let box? in boxes { boundingBox = boundingBox?.union(box) ?? box }
    }

    mutating func append(_ geometries: some Sequence<Geometry?>) {
        let first = boxes.count
        add(geometries)
        changed.formUnion(first..<boxes.count)
        renewIndex()
    }

    /// - Returns: whether the index should be rebuilt, because too many shapes are abandoned.
    mutating func update(_ place: Int, _ geometry: Geometry?) -> Bool {
        let old = boxes[place]
        abandonedCount += Int(locations[place].end - locations[place].first)
        let (location, box) = put(geometry)
        locations[place] = location
        boxes[place] = box
        changed.insert(place)
        if let old, let whole = boundingBox, whole.isTouchedFromWithin(by: old) {
            boundingBox = nil
            for case let box? in boxes { boundingBox = boundingBox?.union(box) ?? box }
        } else if let box {
            boundingBox = boundingBox?.union(box) ?? box
        }
        renewIndex()
        return abandonedCount > 2 * boxes.count + 1024
    }

    /// The indexes of the features whose boxes touch `extent`, in ascending order.
    func touching(_ extent: Extent) -> [Int] {
        guard let index else { return boxes.indices.filter { boxes[$0]?.touches(extent) ?? false } }
        let found = index.items(touching: extent)
        guard !changed.isEmpty else { return found }
        let others = changed.filter { boxes[$0]?.touches(extent) ?? false }
        return (found.filter { !changed.contains($0) } + others).sorted()
    }

    private mutating func add(_ geometries: some Sequence<Geometry?>) {
        locations.reserveCapacity(locations.count + geometries.underestimatedCount)
        boxes.reserveCapacity(boxes.count + geometries.underestimatedCount)
        for geometry in geometries {
            let (location, box) = put(geometry)
            locations.append(location)
            boxes.append(box)
            if let box { boundingBox = boundingBox?.union(box) ?? box }
        }
    }

    /// Appends the shapes of a feature to the last column block.
    private mutating func put(_ geometry: Geometry?) -> (Location, BoundingBox?) {
        guard let geometry, !geometry.isEmpty else {
            return (Location(block: 0, first: 0, end: 0, hasPoints: geometry?.hasPoints ?? false), nil)
        }
        if blocks.last.map({ $0.x.count >= Self.coordinatesInBlock }) ?? true { blocks.append(ShapeColumns()) }
        let last = blocks.count - 1
        let shapes = blocks[last].append(geometry)
        let location = Location(
            block: Int32(last), first: Int32(shapes.lowerBound), end: Int32(shapes.upperBound),
            hasPoints: geometry.hasPoints)
        return (location, blocks[last].boundingBox(of: shapes))
    }

    /// Rebuilds the index once comparing each changed feature costs as much.
    private mutating func renewIndex() {
        if changed.count > max(boxes.count / 8, Self.indexedCount) { makeIndex() }
    }

    private mutating func makeIndex() {
        index = boxes.count >= Self.indexedCount ? SpatialIndex(boxes) : nil
        changed = []
    }
}

extension BoundingBox {
    /// Whether a side of a box inside this one touches one of its sides.
    fileprivate func isTouchedFromWithin(by box: BoundingBox) -> Bool {
        box.minX == minX || box.minY == minY || box.maxX == maxX || box.maxY == maxY
    }
}

extension Geometry {
    /// Whether any of the shapes is a point.
    fileprivate var hasPoints: Bool {
        kind == .point || kind == .multiPoint || children.contains(where: \.hasPoints)
    }
}
