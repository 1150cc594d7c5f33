import PortolanFeatures
import PortolanGeo

/// The features of a layer of tiles as they are collected, and their shapes in columns.
struct VectorTileShapes {
    /// From how many vertices on new columns are begun.
    private static let verticesInBlock = 1 << 15

    private(set) var features: [Feature] = []
    /// The class of each feature: those with equal properties and kinds of geometry are of one.
    private(set) var classes: [Int32] = []
    private(set) var locations: [FeatureIndex.Location] = []
    private(set) var blocks: [ShapeColumns] = []
    /// The columns that are being filled.
    var columns = ShapeColumns()
    private var firstShape = 0
    private var firstPart = 0

    /// How many parts the columns have that are being filled.
    var partCount: Int { columns.partEnds.count }

    /// About how many bytes they take.
    var byteCount: Int {
        let vertices = blocks.reduce(columns.x.count) { $0 + $1.x.count }
        return 16 * vertices + (MemoryLayout<Feature>.stride + 96) * features.count
    }

    /// Adds a feature that has no shapes yet, and returns its position.
    mutating func addFeature(
        id: Feature.ID?, properties: Properties, row: Int32, _ kind: VectorTileJoiner.Kind, geometry: Geometry? = nil
    ) -> Int {
        // What is drawn lies in columns: the geometry is made when someone asks for it.
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

    /// Ends a shape, of which there is nothing if it has no parts.
    ///
    /// - Parameter border: the number of the first part that is not a ring but a line of the border.
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
        columns = ShapeColumns()
    }

    /// The shapes of all features.
    consuming func places() -> (features: [Feature], classes: [Int32], places: FeatureIndex) {
        endBlock()
        return (features, classes, FeatureIndex(blocks: blocks, locations: locations))
    }
}
