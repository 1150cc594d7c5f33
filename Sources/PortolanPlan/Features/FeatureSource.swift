public import PortolanFeatures
public import PortolanGeo
public import PortolanRaster
public import PortolanStyles
public import PortolanWeb
import Synchronization

/// The features of a layer, and their styling.
///
/// ```swift
/// let stop = Feature(geometry: .point(Coordinate(x: 24.94, y: 60.17)), properties: ["name": "Rautatientori"])
/// var stops = FeatureSource(features: [stop])
/// stops.selection = 1234
/// ```
public struct FeatureSource: Equatable, Sendable {
    /// The features in drawing order.
    public private(set) var features: [Feature] { didSet { contentID = Self.makeContentID() } }

    /// The CRS of their coordinates.
    public let crs: CRS

    /// The base of relative icon addresses, for features that were added without their own: a `file:` or `http:` URL,
    /// or `nil` if relative addresses cannot be resolved.
    public var baseURL: BaseURL? { didSet { contentID = Self.makeContentID() } }

    /// The layer's declarations for features that do not state their own style.
    ///
    /// - Complexity: O(features) when set.
    public var style: StyleDeclaration {
        get { keptStyle.value }
        set {
            guard newValue != style else { return }
            keptStyle = Kept(newValue)
            restyle()
        }
    }

    private var keptStyle: Kept<StyleDeclaration>

    /// The layer's declarations for a selected feature, applied over its usual style, or `nil` for no change.
    ///
    /// The selected style of the feature itself (`style.select`) takes precedence.
    ///
    /// - Complexity: O(features) when set.
    public var selectedStyle: StyleDeclaration? {
        get { keptSelectedStyle?.value }
        set {
            guard newValue != selectedStyle else { return }
            keptSelectedStyle = newValue.map { Kept($0) }
            restyle()
        }
    }

    private var keptSelectedStyle: Kept<StyleDeclaration>?

    /// Whether features may state their own style; if not, all look as ``style`` says.
    ///
    /// - Complexity: O(features) when set.
    public var usesFeatureStyles = true { didSet { if usesFeatureStyles != oldValue { restyle() } } }

    /// The style sheet that replaces ``style`` and the styles of the features, or `nil`.
    ///
    /// All its feature layers draw these features, whatever source they name. A background layer is drawn below them.
    public var sheet: StyleSheet? { didSet { contentID = Self.makeContentID() } }

    /// Whether labels keep clear of its marks: those of a style sheet of MapLibre do not.
    package var keepsMarksClear: Bool { sheet.map(\.options.placesFreely) ?? true }

    /// Whether the labels of layers below keep clear of its lines.
    package var keepsLinesClear: Bool { sheet.map(\.options.keepsLinesClear) ?? true }

    /// Whether its labels at points are placed beside its own lines if possible.
    package var avoidsOwnLines: Bool { sheet?.options.avoidsOwnLines ?? false }

    /// Whether icons along its lines are only where a line is straight.
    package var keepsIconsStraight: Bool { sheet?.options.keepsIconsStraight ?? false }

    /// The base of the style sheet's relative sprite addresses: the address of the style sheet, or `nil` if they cannot
    /// be resolved.
    public var sheetBaseURL: BaseURL? { didSet { contentID = Self.makeContentID() } }

    /// The table whose values the features have, which is the state of features for a style sheet, or `nil`.
    package var join: FeatureJoin? { didSet { if join != oldValue { contentID = Self.makeContentID() } } }

    /// The features with and without a row in that table, if they are those of a view.
    package var joinOutcome = JoinOutcome()

    /// The identifier of the selected feature, or `nil`.
    public var selection: Feature.ID?

    /// The images placed on the ground below the features, in drawing order.
    public var overlays: [FeatureCollection.GroundOverlay] = [] {
        didSet { if overlays != oldValue { contentID = Self.makeContentID() } }
    }

    /// The size of the mark above a selected point in view pixels; 0 for none.
    public var selectionMarkSize = 14.0

    /// The colour of the selection mark.
    public var selectionMarkColor = MapColor(red: 214, green: 40, blue: 40)

    /// The largest number of different icon addresses in a picture, 1000 by default.
    ///
    /// Further features get the mark of a missing icon.
    public var maximumIconCount = 1000

    /// The zoom level of the vector tiles of the features, or `nil` for other features.
    ///
    /// The symbols of a style are placed as MapLibre does, tile by tile.
    package var tileZoom: Int?

    /// A number shared only by sources with the same features and styles.
    ///
    /// The selection is not part of it.
    package private(set) var contentID = Self.makeContentID()

    private static let lastContentID = Atomic<UInt64>(0)

    private static func makeContentID() -> UInt64 { makeContentIDs(1) }

    /// Returns the first of a range of new content numbers.
    fileprivate static func makeContentIDs(_ count: Int) -> UInt64 {
        lastContentID.add(UInt64(count), ordering: .relaxed).oldValue + 1
    }

    /// The base URLs of features that were added with their own, by feature index.
    private var baseURLs: [Int: BaseURL] = [:]

    /// The styles of features that were added with their own, by feature index.
    private var ownStyles: [Int: StyleSet] = [:]

    /// The indexes of features that were added together with features that use simplestyle.
    private var simpleStyled = RangeSet<Int>()

    /// The shapes of the features.
    private(set) var places: FeatureIndex

    /// The appearance of the features.
    package private(set) var looks: StyleTable

    /// Whether the shapes contain the vertices of great circles.
    private(set) var drawsGreatCircles = false

    /// The unreadable parts of a document.
    ///
    /// Pictures of the rest are incomplete.
    package private(set) var omissions: [MapWarning] = []

    /// The memory charges for the features.
    private var charges: [MemoryCharge] = []

    /// The cache of marks of a source that is recreated for each picture, or `nil` if marks are created on demand.
    package private(set) var preparedMarks: PreparedMarks?

    /// The class of each feature of joined vector tiles, and nothing for features of other sources.
    ///
    /// Features with equal properties and kinds of geometry are of one class.
    private(set) var classes: [Int32] = []

    /// The number of classes.
    private(set) var classCount = 0

    /// Whether the features are those of one view of vector tiles, each in the world copy where it is drawn.
    ///
    /// Their geometries are created from the shape columns on demand.
    var isOfTiles: Bool { !classes.isEmpty }

    /// Whether features of a class may have different values of a table.
    var joinsByIdentifier: Bool { join.map { $0.property == nil } ?? false }

    /// Distinguishes the pictures of a style at different zooms.
    let passNumbers = PassNumbers()

    /// The styling results of earlier pictures.
    let sheetMemory = StyleCache()

    /// The shapes in the CRSs of maps.
    private let projections = ProjectedShapeCache()

    /// Creates a source of features.
    ///
    /// - Complexity: O(n log n) in the features.
    public init(
        features: [Feature], crs: CRS = .crs84, baseURL: BaseURL? = nil, style: StyleDeclaration = StyleDeclaration()
    ) {
        self.features = features
        self.crs = crs
        self.baseURL = baseURL
        keptStyle = Kept(style)
        looks = StyleTable(defaults: style)
        if looks.append(contentsOf: features) { simpleStyled.insert(contentsOf: 0..<features.count) }
        places = FeatureIndex([Geometry?]())
        makePlaces()
    }

    /// Creates a source of points for one picture, whose styles are known.
    ///
    /// - Parameters:
    ///   - looks: the styles, and the style index of each feature.
    ///   - marks: the cache of marks for the next picture.
    /// - Complexity: O(features); nothing is indexed.
    init(points: [Feature], looks: StyleTable, marks: PreparedMarks) {
        features = points
        crs = .crs84
        keptStyle = Kept(StyleDeclaration())
        self.looks = looks
        preparedMarks = marks
        places = FeatureIndex(points.lazy.map(\.geometry), isIndexed: false)
    }

    /// Creates a source of vector tile features, whose shapes are in columns.
    ///
    /// - Parameters:
    ///   - classes: the class of each feature.
    ///   - style: the style of the features, or `nil` if a style sheet draws them.
    init(features: [Feature], classes: [Int32], places: FeatureIndex, crs: CRS, style: StyleDeclaration?) {
        self.features = features
        self.classes = classes
        classCount = Int((classes.max() ?? -1) + 1)
        self.places = places
        self.crs = crs
        keptStyle = Kept(style ?? StyleDeclaration())
        looks = StyleTable(defaults: keptStyle.value)
        if style != nil, looks.append(contentsOf: features) { simpleStyled.insert(contentsOf: 0..<features.count) }
    }

    /// Returns a feature with its geometry, which is created if necessary.
    ///
    /// - Complexity: O(coordinates) for features of vector tiles.
    package func whole(_ place: Int) -> Feature {
        var feature = features[place]
        guard isOfTiles, feature.geometry?.coordinates.isEmpty ?? true else { return feature }
        let location = places.locations[place]
        guard location.first < location.end else { return feature }
        feature.geometry = places.blocks[Int(location.block)].geometry(
            of: Int(location.first)..<Int(location.end))
        return feature
    }

    /// Returns a feature with its geometry in longitude and latitude, as expressions require.
    func inDegrees(_ place: Int) -> Feature {
        var feature = whole(place)
        let transform = try? CoordinateTransform(from: crs, to: .crs84)
        feature.geometry = transform.flatMap { transform in feature.geometry?.mapWholeCoordinates { transform($0) } }
        return feature
    }

    /// Creates a source of a collection, in the CRS that its file states.
    public init(_ collection: FeatureCollection, baseURL: BaseURL? = nil, style: StyleDeclaration = StyleDeclaration())
    {
        self.init(features: collection.features, crs: collection.effectiveCRS, baseURL: baseURL, style: style)
        overlays = collection.overlays
        hold(collection.charge)
        note(collection.warnings)
    }

    /// Records the omitted parts of the document of the features.
    package mutating func note(_ warnings: [MapWarning]) { omissions = warnings.filter { $0.effect == .omitted } }

    /// The warnings of each picture about those parts.
    func omissionWarnings(layer: String) -> [MapWarning] { omissions.map { $0.about(layer: layer) } }

    /// Holds a memory charge for the lifetime of the source and its copies.
    package mutating func hold(_ charge: MemoryCharge?) { if let charge { charges.append(charge) } }

    /// Returns whether two sources draw the same.
    public static func == (left: FeatureSource, right: FeatureSource) -> Bool {
        guard left.selection == right.selection, left.selectionMarkSize == right.selectionMarkSize,
            left.selectionMarkColor == right.selectionMarkColor
        else { return false }
        if left.contentID == right.contentID { return true }
        guard left.preparedMarks == nil, right.preparedMarks == nil else { return false }
        return left.crs == right.crs && left.baseURL == right.baseURL && left.style == right.style
            && left.selectedStyle == right.selectedStyle && left.usesFeatureStyles == right.usesFeatureStyles
            && left.sheet == right.sheet
            && left.sheetBaseURL == right.sheetBaseURL && left.join == right.join
            && left.omissions == right.omissions
            && left.baseURLs == right.baseURLs && left.overlays == right.overlays
            && left.simpleStyled == right.simpleStyled
            && left.ownStyles == right.ownStyles && left.features == right.features
    }

    /// Adds a feature on top.
    ///
    /// - Parameter baseURL: the base of its relative icon addresses; that of the source if `nil`.
    public mutating func append(_ feature: Feature, baseURL: BaseURL? = nil) {
        append(contentsOf: [feature], baseURL: baseURL)
    }

    /// Adds features on top.
    ///
    /// - Parameter baseURL: the base of their relative icon addresses; that of the source if `nil`.
    public mutating func append(contentsOf added: [Feature], baseURL: BaseURL? = nil) {
        if let baseURL { for offset in added.indices { baseURLs[features.count + offset] = baseURL } }
        if looks.append(contentsOf: added) {
            simpleStyled.insert(contentsOf: features.count..<features.count + added.count)
        }
        features += added
        addPlaces(from: features.count - added.count)
    }

    /// Adds a feature on top with a style that overrides those of the feature and the layer.
    ///
    /// - Parameters:
    ///   - selectedStyle: the style while the feature is selected; the usual one if `nil`.
    ///   - baseURL: the base of its relative icon addresses; that of the source if `nil`.
    public mutating func append(
        _ feature: Feature, style: Style, selectedStyle: Style? = nil, baseURL: BaseURL? = nil
    ) {
        let set = StyleSet(default: style, selected: selectedStyle)
        if let baseURL { baseURLs[features.count] = baseURL }
        ownStyles[features.count] = set
        looks.append(feature, style: set)
        features.append(feature)
        addPlaces(from: features.count - 1)
    }

    /// Changes the first feature that has an identifier (see ``/PortolanFeatures/Feature/isIdentified(by:)``) and
    /// returns whether it exists.
    ///
    /// - Complexity: O(n) in the features, to find it.
    @discardableResult
    public mutating func update(_ id: Feature.ID, _ change: (inout Feature) -> Void) -> Bool {
        guard let place = features.firstIndex(where: { $0.isIdentified(by: id) }) else { return false }
        change(&features[place])
        looks.set(
            place, features[place], style: ownStyles[place],
            isOfSimpleStyle: simpleStyled.contains(place))
        let geometry = hasGreatCircles ? drawn(from: place, to: place + 1)[0] : features[place].geometry
        if places.update(place, geometry) { makePlaces() }
        return true
    }

    /// Removes the features that satisfy a condition.
    ///
    /// - Complexity: O(n log n) in the features.
    public mutating func removeAll(where condition: (Feature) -> Bool) {
        var kept: [Feature] = []
        var keptURLs: [Int: BaseURL] = [:], keptStyles: [Int: StyleSet] = [:], keptSimple = RangeSet<Int>()
        for (place, feature) in features.enumerated() where !condition(feature) {
            if let url = baseURLs[place] { keptURLs[kept.count] = url }
            if let style = ownStyles[place] { keptStyles[kept.count] = style }
            if simpleStyled.contains(place) { keptSimple.insert(contentsOf: kept.count..<kept.count + 1) }
            kept.append(feature)
        }
        features = kept
        baseURLs = keptURLs
        ownStyles = keptStyles
        simpleStyled = keptSimple
        restyle()
        makePlaces()
    }

    private mutating func restyle() {
        contentID = Self.makeContentID()
        looks = StyleTable(
            defaults: style, selectedDefaults: selectedStyle, usesFeatureStyles: usesFeatureStyles)
        for (place, feature) in features.enumerated() {
            looks.append(feature, style: ownStyles[place], isOfSimpleStyle: simpleStyled.contains(place))
        }
        if drawsGreatCircles || hasGreatCircles { makePlaces() }
    }

    /// Whether the edges of some features are great circles.
    private var hasGreatCircles: Bool { crs.isLongitudeLatitude && looks.traits.contains(where: \.isGeodesic) }

    private mutating func makePlaces() {
        places = FeatureIndex([Geometry?]())
        addPlaces(from: 0)
    }

    /// Stores the shapes of the features from an index on.
    private mutating func addPlaces(from first: Int) {
        drawsGreatCircles = hasGreatCircles
        if drawsGreatCircles {
            places.append(drawn(from: first, to: features.count))
        } else {
            places.append(features[first...].lazy.map(\.geometry))
        }
    }

    /// The geometries of a range of features as drawn.
    ///
    /// Great circles have many more vertices.
    func drawn(from first: Int, to end: Int) -> [Geometry?] {
        var edges = GreatCircleEdges()
        return (first..<end).map { place in
            let geometry = features[place].geometry
            guard looks.traits[Int(looks.numbers[place])].isGeodesic else { return geometry }
            return geometry.map { edges.drawn($0) }
        }
    }

    /// The smallest box around all features, or `nil` if none has coordinates.
    public var boundingBox: BoundingBox? { places.boundingBox }

    /// The base of a feature's relative icon addresses, or `nil` if they cannot be resolved.
    func baseURL(of place: Int) -> BaseURL? { baseURLs[place] ?? baseURL }

    /// Adds the caches of results for earlier pictures.
    func addCaches(to caches: inout MemoryCaches) {
        caches.add("shapes", projections)
        caches.add("styles", sheetMemory)
        caches.add("glyphs", sheetMemory.glyphs)
    }

    /// The shape columns of a range of features, and the same in the target CRS of a transform.
    ///
    /// - Complexity: O(features + coordinates that are not kept from an earlier picture).
    package func shapes(
        of shown: [Scene.FeatureStep.Shown], by transform: CoordinateTransform
    ) -> (columns: [ShapeColumns], projected: [ProjectedShapes], runs: [ShapeRun]) {
        let locations = places.locations.span, shown = shown.span
        var columns: [ShapeColumns] = [], runs: [ShapeRun] = []
        // The index of each block among the columns, or -1.
        var numbers = [Int32](repeating: -1, count: places.blocks.count)
        runs.reserveCapacity(shown.count)
        for index in shown.indices {
            let location = locations[Int(shown[index].place)]
            guard location.first < location.end else {
                runs.append(ShapeRun(block: 0, first: 0, end: 0))
                continue
            }
            let block = Int(location.block)
            if numbers[block] < 0 {
                numbers[block] = Int32(columns.count)
                columns.append(places.blocks[block])
            }
            runs.append(ShapeRun(block: numbers[block], first: location.first, end: location.end))
        }
        let projected = projections.shapes(of: columns, by: transform)
        return (projected.map(\.columns), projected, runs)
    }
}

/// The numbers of the passes of a style over a source at a zoom.
///
/// They stay the same while both do.
final class PassNumbers: Sendable {
    private struct Pass: Sendable {
        let content: UInt64
        let zoom: Double
        let sprites: [String]
        let first: UInt64
    }

    private let last = Mutex<[Pass]>([])

    /// The number of the first layer; the other layers follow it.
    ///
    /// - Parameter sprites: the sprites that have been received.
    func first(content: UInt64, zoom: Double, sprites: [String], count: Int) -> UInt64 {
        last.withLock { last in
            if let known = last.first(where: { $0.content == content && $0.zoom == zoom && $0.sprites == sprites }) {
                return known.first
            }
            let first = FeatureSource.makeContentIDs(count)
            // A picture is planned without its sprites, and then with them.
            last = last.suffix(1) + [Pass(content: content, zoom: zoom, sprites: sprites, first: first)]
            return first
        }
    }
}

/// The shape range of a feature in the columns.
package struct ShapeRun: Sendable {
    /// The index of the column block.
    package let block: Int32
    /// The index of the first shape.
    package let first: Int32
    /// The index after the last shape.
    package let end: Int32
}
