public import PortolanGeo
package import PortolanRaster
public import PortolanWeb

/// Features in drawing order, with their common coordinate reference system.
///
/// ```swift
/// let collection = try GeoJSONReader.read(document)
/// print(collection.features.count, collection.effectiveCRS.name)
/// ```
public struct FeatureCollection: Hashable, Sendable {
    /// The features, in drawing order.
    public var features: [Feature]

    /// The CRS in the file, or `nil` if the file names none, which means WGS 84 with longitude first.
    ///
    /// Coordinates are in the order east, north, regardless of the axis order of this CRS.
    public var crs: CRS?

    /// The declared `bbox`, or `nil`; see ``FeatureCollection/boundingBox``.
    public var declaredBounds: FeatureCollection.DeclaredBounds?

    /// Members of the collection object that the standard does not define, preserved for writing.
    public var foreignMembers: Properties

    /// Warnings about content that the reader repaired or ignored.
    public var warnings: [MapWarning]

    /// The ground overlays of the document, the lowest first.
    public var overlays: [FeatureCollection.GroundOverlay] = []

    /// The memory charge of the features, or `nil` without a budget.
    package var charge: MemoryCharge?

    /// Creates a collection.
    public init(
        features: [Feature], crs: CRS? = nil, declaredBounds: FeatureCollection.DeclaredBounds? = nil,
        foreignMembers: Properties = [:],
        warnings: [MapWarning] = []
    ) {
        self.features = features
        self.crs = crs
        self.declaredBounds = declaredBounds
        self.foreignMembers = foreignMembers
        self.warnings = warnings
    }

    /// Returns whether two collections have the same content.
    public static func == (left: FeatureCollection, right: FeatureCollection) -> Bool {
        left.features == right.features && left.crs == right.crs && left.declaredBounds == right.declaredBounds
            && left.foreignMembers == right.foreignMembers && left.warnings == right.warnings
            && left.overlays == right.overlays
    }

    /// Hashes the members that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(features)
        hasher.combine(crs)
        hasher.combine(declaredBounds)
        hasher.combine(foreignMembers)
        hasher.combine(warnings)
    }

    /// The CRS of the coordinates: the one in the file, or else WGS 84.
    public var effectiveCRS: CRS { crs ?? .crs84 }

    /// The smallest bounding box of all features, or `nil` if there are no coordinates.
    ///
    /// - Complexity: O(*n*) in the coordinates; the box is not stored.
    public var boundingBox: BoundingBox? {
        var box: BoundingBox?
        for feature in features {
            guard let other = feature.geometry?.boundingBox else { continue }
            box = box?.union(other) ?? other
        }
        return box
    }

    /// Returns the first feature with an identifier (see ``Feature/isIdentified(by:)``), or `nil`.
    ///
    /// - Complexity: O(*n*) in the features.
    public func feature(id: Feature.ID) -> Feature? {
        features.first { $0.isIdentified(by: id) }
    }
}

extension FeatureCollection {
    /// The `bbox` declared for a feature or a collection (RFC 7946, section 5).
    ///
    /// It is kept as written and not compared with the coordinates. If the box crosses the antimeridian, `west` is greater
    /// than `east`.
    public struct DeclaredBounds: Hashable, Sendable {
        /// The west side.
        public var west: Double
        /// The south side.
        public var south: Double
        /// The east side.
        public var east: Double
        /// The north side.
        public var north: Double
        /// The range of altitudes, or `nil` for a two-dimensional box.
        public var altitudes: ClosedRange<Double>?

        /// Creates bounds from their sides.
        public init(west: Double, south: Double, east: Double, north: Double, altitudes: ClosedRange<Double>? = nil) {
            self.west = west
            self.south = south
            self.east = east
            self.north = north
            self.altitudes = altitudes
        }

        /// The bounding box, or `nil` if it crosses the antimeridian or its sides are in the wrong order.
        public var boundingBox: BoundingBox? { BoundingBox(minX: west, minY: south, maxX: east, maxY: north) }

        /// Creates bounds from an array of 4 or 6 numbers, or returns `nil` for other values.
        init?(_ value: PropertyValue) {
            guard let list = value.arrayValue, list.count == 4 || list.count == 6 else { return nil }
            var numbers: [Double] = []
            for item in list {
                guard let number = item.doubleValue else { return nil }
                numbers.append(number)
            }
            if numbers.count == 4 {
                self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
            } else {
                guard numbers[2] <= numbers[5] else { return nil }
                self.init(
                    west: numbers[0], south: numbers[1], east: numbers[3], north: numbers[4],
                    altitudes: numbers[2]...numbers[5])
            }
        }
    }
}
