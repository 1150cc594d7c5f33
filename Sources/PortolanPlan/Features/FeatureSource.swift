public import PortolanFeatures
public import PortolanGeo
public import PortolanRaster
public import PortolanStyles
public import PortolanWeb
import Synchronization

/// Features that a layer draws, and how.
public struct FeatureSource: Equatable, Sendable {
    /// The features, first drawn first.
    public private(set) var features: [Feature] { didSet { contentID = Self.makeContentID() } }

    /// The system of their coordinates.
    public let crs: CRS

    /// What relative addresses of icons are relative to, where a feature was added without an address of its own: a
    /// `file:` or `http:` URL, or `nil` when they lead nowhere.
    public var baseURL: BaseURL? { didSet { contentID = Self.makeContentID() } }

    /// What the layer says about the look of features that do not say it themselves.
    ///
    /// - Complexity: O(features), when it is changed.
    public var style: StyleDeclaration { didSet { if style != oldValue { restyle() } } }

    /// What the layer says about the look of a feature while it is selected, over its usual look; `nil` for the usual one.
    ///
    /// What the feature says itself of its selected look (`style.select`) goes before it.
    ///
    /// - Complexity: O(features), when it is changed.
    public var selectedStyle: StyleDeclaration? { didSet { if selectedStyle != oldValue { restyle() } } }

    /// The style that draws the features in place of ``style`` and of what they say of their looks themselves; `nil` for none.
    ///
    /// All layers of it that draw features draw these, whatever source they name; a background lies beneath.
    public var sheet: StyleSheet? { didSet { contentID = Self.makeContentID() } }

    /// What relative addresses of the style's sprites are relative to: where the style came from, or `nil` when they lead
    /// nowhere.
    public var sheetBaseURL: BaseURL? { didSet { contentID = Self.makeContentID() } }

    /// The feature shown as selected, or `nil`.
    public var selection: Feature.ID?

    /// The pictures that lie on the ground below the features, the lowest first.
    public var overlays: [FeatureCollection.GroundOverlay] = [] {
        didSet { if overlays != oldValue { contentID = Self.makeContentID() } }
    }

    /// How large the mark above a selected point is, in view pixels; 0 for none.
    public var selectionMarkSize = 14.0

    /// The colour of that mark.
    public var selectionMarkColor = MapColor(red: 214, green: 40, blue: 40)

    /// How many icons of different addresses a picture has at most; features beyond that get the mark of a missing icon.
    ///
    /// 1000.
    public var maximumIconCount = 1000

    /// A number that no source has whose features or looks are others; the selection is no part of it.
    package private(set) var contentID = Self.makeContentID()

    private static let lastContentID = Atomic<UInt64>(0)

    private static func makeContentID() -> UInt64 { makeContentIDs(1) }

    /// The first of some numbers that follow one another.
    fileprivate static func makeContentIDs(_ count: Int) -> UInt64 {
        lastContentID.add(UInt64(count), ordering: .relaxed).oldValue + 1
    }

    /// The base URLs of features that were added with one, by their place.
    private var baseURLs: [Int: BaseURL] = [:]

    /// The looks of features that were added with one, by their place.
    private var ownStyles: [Int: StyleSet] = [:]

    /// The places of features that were added together with some that use simplestyle.
    private var simpleStyled = RangeSet<Int>()

    /// Where the features lie.
    private(set) var places: FeatureIndex

    /// How the features look.
    package private(set) var looks: StyleTable

    /// Whether the places are those of edges along great circles.
    private(set) var drawsGreatCircles = false

    /// What a document has that could not be read: pictures of the rest are not complete.
    package private(set) var omissions: [MapWarning] = []

    /// What the memory of features is charged to.
    private var charges: [MemoryCharge] = []

    /// Where the marks of a source that is made anew for each picture are kept, or `nil` where they are made as they are needed.
    package private(set) var preparedMarks: PreparedMarks?

    /// The class of each feature of joined vector tiles: features with equal properties and kinds of geometry are of one. Empty for
    /// features of other sources.
    private(set) var classes: [Int32] = []

    /// Whether the features are those of one view, each in the copy of the world where it is drawn, and their geometries are made
    /// of the shapes in columns.
    var isOfTiles: Bool { !classes.isEmpty }

    /// Tells the pictures of a style at different zooms apart.
    let passNumbers = PassNumbers()

    /// What a style said of the features for earlier pictures.
    let sheetMemory = StyleCache()

    /// The shapes in the systems of maps.
    private let projections = ProjectedShapeCache()

    /// Makes a source of some features.
    ///
    /// - Complexity: O(n log n) in the features.
    public init(
        features: [Feature], crs: CRS = .crs84, baseURL: BaseURL? = nil, style: StyleDeclaration = StyleDeclaration()
    ) {
        self.features = features
        self.crs = crs
        self.baseURL = baseURL
        self.style = style
        looks = StyleTable(defaults: style)
        if looks.append(contentsOf: features) { simpleStyled.insert(contentsOf: 0..<features.count) }
        places = FeatureIndex([Geometry?]())
        makePlaces()
    }

    /// Makes a source of points for one picture, whose looks are known.
    ///
    /// - Parameters:
    ///   - looks: the looks, and the number of that of each feature.
    ///   - marks: where the marks are kept for the next picture.
    /// - Complexity: O(features); nothing is indexed.
    init(points: [Feature], looks: StyleTable, marks: PreparedMarks) {
        features = points
        crs = .crs84
        style = StyleDeclaration()
        self.looks = looks
        preparedMarks = marks
        places = FeatureIndex(points.lazy.map(\.geometry), isIndexed: false)
    }

    /// Makes a source of the features of vector tiles, whose shapes are in columns.
    ///
    /// - Parameters:
    ///   - classes: the class of each feature.
    ///   - style: the look of the features, or `nil` if a style draws them.
    init(features: [Feature], classes: [Int32], places: FeatureIndex, crs: CRS, style: StyleDeclaration?) {
        self.features = features
        self.classes = classes
        self.places = places
        self.crs = crs
        self.style = style ?? StyleDeclaration()
        looks = StyleTable(defaults: self.style)
        if style != nil, looks.append(contentsOf: features) { simpleStyled.insert(contentsOf: 0..<features.count) }
    }

    /// A feature with its geometry, which may have to be made.
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

    /// A feature with its geometry in longitude and latitude, as expressions want it.
    func inDegrees(_ place: Int) -> Feature {
        var feature = whole(place)
        let transform = try? CoordinateTransform(from: crs, to: .crs84)
        feature.geometry = transform.flatMap { transform in feature.geometry?.mapWholeCoordinates { transform($0) } }
        return feature
    }

    /// Makes a source of a collection, in the system that its file names.
    public init(_ collection: FeatureCollection, baseURL: BaseURL? = nil, style: StyleDeclaration = StyleDeclaration())
    {
        self.init(features: collection.features, crs: collection.effectiveCRS, baseURL: baseURL, style: style)
        overlays = collection.overlays
        hold(collection.charge)
        note(collection.warnings)
    }

    /// Keeps in mind what was left out of the document of the features.
    package mutating func note(_ warnings: [MapWarning]) { omissions = warnings.filter { $0.effect == .omitted } }

    /// What each picture says of that.
    func omissionWarnings(layer: String) -> [MapWarning] { omissions.map { $0.about(layer: layer) } }

    /// Holds a charge for as long as the source or a copy of it is held.
    package mutating func hold(_ charge: MemoryCharge?) { if let charge { charges.append(charge) } }

    /// Whether two sources draw the same.
    public static func == (left: FeatureSource, right: FeatureSource) -> Bool {
        guard left.selection == right.selection, left.selectionMarkSize == right.selectionMarkSize,
            left.selectionMarkColor == right.selectionMarkColor
        else { return false }
        if left.contentID == right.contentID { return true }
        guard left.preparedMarks == nil, right.preparedMarks == nil else { return false }
        return left.crs == right.crs && left.baseURL == right.baseURL && left.style == right.style
            && left.selectedStyle == right.selectedStyle && left.sheet == right.sheet
            && left.sheetBaseURL == right.sheetBaseURL && left.omissions == right.omissions
            && left.baseURLs == right.baseURLs && left.overlays == right.overlays
            && left.simpleStyled == right.simpleStyled
            && left.ownStyles == right.ownStyles && left.features == right.features
    }

    /// Adds a feature on top.
    ///
    /// - Parameter baseURL: what relative addresses of its icons are relative to; the source's own when `nil`.
    public mutating func append(_ feature: Feature, baseURL: BaseURL? = nil) {
        append(contentsOf: [feature], baseURL: baseURL)
    }

    /// Adds features on top.
    ///
    /// - Parameter baseURL: what relative addresses of their icons are relative to; the source's own when `nil`.
    public mutating func append(contentsOf added: [Feature], baseURL: BaseURL? = nil) {
        if let baseURL { for offset in added.indices { baseURLs[features.count + offset] = baseURL } }
        if looks.append(contentsOf: added) {
            simpleStyled.insert(contentsOf: features.count..<features.count + added.count)
        }
        features += added
        addPlaces(from: features.count - added.count)
    }

    /// Adds a feature on top that looks as `style` says, whatever it or the layer says about its look.
    ///
    /// - Parameters:
    ///   - selectedStyle: the look while the feature is selected; the usual one when `nil`.
    ///   - baseURL: what relative addresses of its icons are relative to; the source's own when `nil`.
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

    /// Changes the first feature that has an identifier (see ``/PortolanFeatures/Feature/isIdentified(by:)``) and tells whether there is
    /// one.
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

    /// Takes out the features that satisfy a condition.
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
        looks = StyleTable(defaults: style, selectedDefaults: selectedStyle)
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

    /// Puts away where the features from a place on lie.
    private mutating func addPlaces(from first: Int) {
        drawsGreatCircles = hasGreatCircles
        if drawsGreatCircles {
            places.append(drawn(from: first, to: features.count))
        } else {
            places.append(features[first...].lazy.map(\.geometry))
        }
    }

    /// The geometries of some features as they are drawn: where edges are great circles they have many more.
    func drawn(from first: Int, to end: Int) -> [Geometry?] {
        var edges = GreatCircleEdges()
        return (first..<end).map { place in
            let geometry = features[place].geometry
            guard looks.traits[Int(looks.numbers[place])].isGeodesic else { return geometry }
            return geometry.map { edges.drawn($0) }
        }
    }

    /// The smallest box around all features, or `nil` when none has coordinates.
    public var boundingBox: BoundingBox? { places.boundingBox }

    /// What relative addresses of a feature's icons are relative to, or `nil` when they lead nowhere.
    func baseURL(of place: Int) -> BaseURL? { baseURLs[place] ?? baseURL }

    /// Adds the caches that hold what was worked out for earlier pictures.
    func addCaches(to caches: inout MemoryCaches) {
        caches.add("shapes", projections)
        caches.add("styles", sheetMemory)
    }

    /// The columns of the shapes of some features, and the same in the system that a transform leads to, for painters.
    ///
    /// - Complexity: O(features + coordinates that are not kept from an earlier picture).
    package func shapes(
        of shown: [Scene.FeatureStep.Shown], by transform: CoordinateTransform
    ) -> (columns: [ShapeColumns], projected: [ProjectedShapes], runs: [ShapeRun]) {
        let locations = places.locations.span, shown = shown.span
        var columns: [ShapeColumns] = [], runs: [ShapeRun] = []
        // The number that each block has among the columns, or -1.
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

/// The numbers of what a style draws of a source at a zoom: the same as long as both are.
final class PassNumbers: Sendable {
    private struct Pass: Sendable {
        let content: UInt64
        let zoom: Double
        let sprites: [String]
        let first: UInt64
    }

    private let last = Mutex<[Pass]>([])

    /// The number of the first layer; those of the others follow it.
    ///
    /// - Parameter sprites: which sprites have come.
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

/// Where the shapes of a feature lie among some columns.
package struct ShapeRun: Sendable {
    /// The number of the columns.
    package let block: Int32
    /// The number of the first shape.
    package let first: Int32
    /// The number after that of the last shape.
    package let end: Int32
}
