public import PortolanFeatures
public import PortolanGeo

/// Features that a layer draws, and how.
public struct FeatureSource: Equatable, Sendable {
    /// The features, first drawn first.
    public private(set) var features: [Feature]

    /// The system of their coordinates.
    public let crs: CRS

    /// What relative addresses of icons are relative to: a `file:` or `http:` URL, or `nil` when they lead nowhere.
    public var baseURL: String?

    /// What the layer says about the look of features that do not say it themselves.
    public var style: StyleDeclaration

    /// The feature shown as selected, or `nil`.
    public var selection: FeatureID?

    /// How large the mark above a selected point is, in view pixels; 0 for none.
    public var selectionMarkSize = 14.0

    /// Boxes of the features, to find those of a view; dropped when features change.
    private var index: SpatialIndex?

    /// From how many features on an index is worth its making.
    private static let indexedCount = 256

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
        index = features.count >= Self.indexedCount ? SpatialIndex(features) : nil
    }

    /// Makes a source of a collection, in the system that its file names.
    public init(_ collection: FeatureCollection, baseURL: String? = nil, style: StyleDeclaration = StyleDeclaration()) {
        self.init(features: collection.features, crs: collection.effectiveCRS, baseURL: baseURL, style: style)
    }

    /// Whether two sources draw the same; the index only says where to look.
    public static func == (left: FeatureSource, right: FeatureSource) -> Bool {
        left.crs == right.crs && left.baseURL == right.baseURL && left.style == right.style
            && left.selection == right.selection && left.selectionMarkSize == right.selectionMarkSize
            && left.features == right.features
    }

    /// Adds a feature on top.
    public mutating func append(_ feature: Feature) {
        features.append(feature)
        index = nil
    }

    /// Changes the first feature with an identifier (see ``FeatureCollection/feature(id:)``) and tells whether there is one.
    @discardableResult
    public mutating func update(_ id: FeatureID, _ change: (inout Feature) -> Void) -> Bool {
        guard let place = features.firstIndex(where: { $0.identifier == id }) else { return false }
        change(&features[place])
        index = nil
        return true
    }

    /// Takes out the features that satisfy a condition.
    public mutating func removeAll(where condition: (Feature) -> Bool) {
        features.removeAll(where: condition)
        index = nil
    }

    /// The smallest box around all features, or `nil` when none has coordinates.
    public var boundingBox: BoundingBox? {
        var box: BoundingBox?
        for feature in features {
            guard let other = feature.geometry?.boundingBox else { continue }
            box = box?.union(other) ?? other
        }
        return box
    }

    /// The places in `features` of those whose boxes touch `extent`, in drawing order.
    ///
    /// - Complexity: O(log n + found) with an index, O(coordinates) without.
    func places(touching extent: Extent) -> [Int] {
        if let index { return index.items(touching: extent) }
        return features.indices.filter { features[$0].geometry?.boundingBox?.touches(extent) ?? false }
    }
}

extension Feature {
    /// What tells the feature from others: its `id`, or else its property `id`, as route files have it.
    public var identifier: FeatureID? { id ?? properties["id"].flatMap { FeatureID($0) } }
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
