public import PortolanFeatures
public import PortolanGeo

/// Features that a layer draws, and how.
public struct FeatureSource: Equatable, Sendable {
    /// The features, first drawn first.
    public private(set) var features: [Feature]

    /// The system of their coordinates.
    public let crs: CRS

    /// What relative addresses of icons are relative to, where a feature was added without an address of its own: a
    /// `file:` or `http:` URL, or `nil` when they lead nowhere.
    public var baseURL: String?

    /// What the layer says about the look of features that do not say it themselves.
    public var style: StyleDeclaration

    /// The feature shown as selected, or `nil`.
    public var selection: FeatureID?

    /// How large the mark above a selected point is, in view pixels; 0 for none.
    public var selectionMarkSize = 14.0

    /// The base URLs of features that were added with one, by their place.
    private var baseURLs: [Int: String] = [:]

    /// Where the features lie.
    private var places: FeaturePlaces

    /// Makes a source of some features.
    ///
    /// - Complexity: O(n log n) in the features.
    public init(
        features: [Feature], crs: CRS = .crs84, baseURL: String? = nil, style: StyleDeclaration = StyleDeclaration()
    ) {
        self.features = features
        self.crs = crs
        self.baseURL = baseURL
        self.style = style
        places = FeaturePlaces(features)
    }

    /// Makes a source of a collection, in the system that its file names.
    public init(_ collection: FeatureCollection, baseURL: String? = nil, style: StyleDeclaration = StyleDeclaration()) {
        self.init(features: collection.features, crs: collection.effectiveCRS, baseURL: baseURL, style: style)
    }

    /// Whether two sources draw the same.
    public static func == (left: FeatureSource, right: FeatureSource) -> Bool {
        left.crs == right.crs && left.baseURL == right.baseURL && left.style == right.style
            && left.selection == right.selection && left.selectionMarkSize == right.selectionMarkSize
            && left.baseURLs == right.baseURLs && left.features == right.features
    }

    /// Adds a feature on top.
    ///
    /// - Parameter baseURL: what relative addresses of its icons are relative to; the source's own when `nil`.
    public mutating func append(_ feature: Feature, baseURL: String? = nil) {
        append(contentsOf: [feature], baseURL: baseURL)
    }

    /// Adds features on top.
    ///
    /// - Parameter baseURL: what relative addresses of their icons are relative to; the source's own when `nil`.
    public mutating func append(contentsOf added: [Feature], baseURL: String? = nil) {
        if let baseURL { for offset in added.indices { baseURLs[features.count + offset] = baseURL } }
        features += added
        places.append(added)
    }

    /// Changes the first feature that has an identifier (see ``Feature/isIdentified(by:)``) and tells whether there is
    /// one.
    ///
    /// - Complexity: O(n) in the features, to find it.
    @discardableResult
    public mutating func update(_ id: FeatureID, _ change: (inout Feature) -> Void) -> Bool {
        guard let place = features.firstIndex(where: { $0.isIdentified(by: id) }) else { return false }
        change(&features[place])
        places.update(place, features[place])
        return true
    }

    /// Takes out the features that satisfy a condition.
    ///
    /// - Complexity: O(n log n) in the features.
    public mutating func removeAll(where condition: (Feature) -> Bool) {
        var kept: [Feature] = []
        var keptURLs: [Int: String] = [:]
        for (place, feature) in features.enumerated() where !condition(feature) {
            keptURLs[kept.count] = baseURLs[place]
            kept.append(feature)
        }
        features = kept
        baseURLs = keptURLs
        places = FeaturePlaces(kept)
    }

    /// The smallest box around all features, or `nil` when none has coordinates.
    public var boundingBox: BoundingBox? { places.boundingBox }

    /// What relative addresses of a feature's icons are relative to, or `nil` when they lead nowhere.
    func baseURL(of place: Int) -> String? { baseURLs[place] ?? baseURL }

    /// The places in `features` of those whose boxes touch `extent`, in no order.
    ///
    /// - Complexity: O(log n + found + features changed since the last large change).
    func places(touching extent: Extent) -> [Int] { places.touching(extent) }
}

extension FeatureSource {
    /// The smallest box around all features in another system, or `nil` when none has coordinates there.
    ///
    /// - Throws: ``CRSError/noProjection(_:)``.
    /// - Complexity: O(coordinates).
    public func boundingBox(in target: CRS) throws(CRSError) -> BoundingBox? {
        let transform = try CoordinateTransform(from: crs, to: target)
        var box: BoundingBox?
        func add(_ geometry: Geometry) {
            for coordinate in geometry.coordinates {
                guard let moved = transform(coordinate) else { continue }
                box?.add(moved)
                if box == nil { box = BoundingBox(moved) }
            }
            geometry.children.forEach(add)
        }
        for feature in features { if let geometry = feature.geometry { add(geometry) } }
        return box
    }
}
