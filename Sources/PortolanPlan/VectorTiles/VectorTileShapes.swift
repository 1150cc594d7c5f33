import PortolanFeatures
import PortolanGeo

/// The features of a tile layer being collected, and their shapes in columns.
struct VectorTileShapes {
    /// The number of vertices after which a new column block begins.
    private static let verticesInBlock = 1 << 15

    private(set) var features: [Feature] = []
    /// The class of each feature.
    ///
    /// Features with equal properties and geometry types form a class.
    private(set) var classes: [Int32] = []
    private(set) var locations: [FeatureIndex.Location] = []
    private(set) var blocks: [ShapeColumns] = []
    /// The column block being filled.
    var columns = ShapeColumns(keepsVertices: true)
    private var firstShape = 0
    private var firstPart = 0

    /// The number of parts in the column block being filled.
    var partCount: Int { columns.partEnds.count }

    /// The approximate number of bytes.
    var byteCount: Int {
        let vertices = blocks.reduce(columns.x.count) { $0 + $1.x.count }
        return 16 * vertices + (MemoryLayout<Feature>.stride + 96) * features.count
    }

    /// Adds a feature without shapes, and returns its index.
    mutating func addFeature(
        id: Feature.ID?, properties: Properties, row: Int32, _ kind: VectorTileJoiner.Kind, geometry: Geometry? = nil
    ) -> Int {
        // The drawing uses the columns; the geometry is only created on demand.
        let geometry = geometry ?? .empty(kind == .lines ? .multiLineString : .multiPolygon)
        features.append(Feature(id: id, geometry: geometry, properties: properties))
        classes.append(row * Int32(VectorTileJoiner.Kind.allCases.count) + kind.rawValue)
        locations.append(FeatureIndex.Location(block: 0, first: 0, end: 0, hasPoints: kind == .points))
        return features.count - 1
    }

    /// Begins the shapes of a feature.
    mutating func begin(_ place: Int) {
        if columns.x.count >= Self.verticesInBlock { endBlock() }
        firstShape = columns.shapes.count
        firstPart = columns.partEnds.count
    }

    /// Ends a shape, which is dropped if it has no parts.
    ///
    /// - Parameter border: the index of the first part that is a border line rather than a ring.
    mutating func endShape(_ kind: ShapeColumns.Kind, border: Int? = nil) {
        let last = columns.partEnds.count, end = border ?? last
        guard firstPart < end else { return }
        columns.endShape(
            kind, isContinued: kind == .polygon && columns.shapes.count > firstShape, firstPart..<end,
            border: border.map { $0..<last })
        firstPart = last
    }

    /// Ends the shapes of a feature.
    mutating func end(_ place: Int) {
        locations[place].block = Int32(blocks.count)
        locations[place].first = Int32(firstShape)
        locations[place].end = Int32(columns.shapes.count)
    }

    private mutating func endBlock() {
        blocks.append(columns)
        columns = ShapeColumns(keepsVertices: true)
    }

    /// Returns the shapes of all features.
    consuming func places() -> (features: [Feature], classes: [Int32], places: FeatureIndex) {
        endBlock()
        return (features, classes, FeatureIndex(blocks: blocks, locations: locations))
    }
}
