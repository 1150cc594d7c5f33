public import PortolanGeo
package import PortolanRaster
public import PortolanWeb

/// Features in drawing order, with the coordinate reference system they share.
public struct FeatureCollection: Hashable, Sendable {
    /// The features, first drawn first.
    public var features: [Feature]

    /// The system that the file names, or `nil` when it names none, which means WGS 84 with longitude first.
    ///
    /// Coordinates are east, north whatever the axis order of this system.
    public var crs: CRS?

    /// The `bbox` stated for the collection, or `nil` when none is; see ``FeatureCollection/boundingBox``.
    public var declaredBounds: DeclaredBounds?

    /// Members of the collection object that the standard does not define, kept for writing.
    public var foreignMembers: Properties

    /// What the reader mended or passed over.
    public var warnings: [MapWarning]

    /// The pictures that the document lays over the ground, the lowest first.
    public var overlays: [GroundOverlay] = []

    /// What the memory of the features is charged to, or `nil` where nothing is.
    package var charge: MemoryCharge?

    /// Makes a collection.
    public init(
        features: [Feature], crs: CRS? = nil, declaredBounds: DeclaredBounds? = nil, foreignMembers: Properties = [:],
        warnings: [MapWarning] = []
    ) {
        self.features = features
        self.crs = crs
        self.declaredBounds = declaredBounds
        self.foreignMembers = foreignMembers
        self.warnings = warnings
    }

    /// Whether two collections hold the same.
    public static func == (left: FeatureCollection, right: FeatureCollection) -> Bool {
        left.features == right.features && left.crs == right.crs && left.declaredBounds == right.declaredBounds
            && left.foreignMembers == right.foreignMembers && left.warnings == right.warnings
            && left.overlays == right.overlays
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(features)
        hasher.combine(crs)
        hasher.combine(declaredBounds)
        hasher.combine(foreignMembers)
        hasher.combine(warnings)
    }

    /// The system of the coordinates: the one that the file names, or else WGS 84.
    public var effectiveCRS: CRS { crs ?? .crs84 }

    /// The smallest box around all features, or `nil` when none has coordinates.
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

    /// The first feature that has an identifier (see ``Feature/isIdentified(by:)``), or `nil`.
    ///
    /// - Complexity: O(*n*) in the features.
    public func feature(id: FeatureID) -> Feature? {
        features.first { $0.isIdentified(by: id) }
    }
}

/// The `bbox` that a file states for a feature or a collection (RFC 7946 section 5).
///
/// It is kept as written and not compared with the coordinates. Where the box crosses the antimeridian, west is greater
/// than east.
public struct DeclaredBounds: Hashable, Sendable {
    /// The west side.
    public var west: Double
    /// The south side.
    public var south: Double
    /// The east side.
    public var east: Double
    /// The north side.
    public var north: Double
    /// The lowest and highest altitude, or `nil` when the box is flat.
    public var altitudes: ClosedRange<Double>?

    /// Makes bounds from their sides.
    public init(west: Double, south: Double, east: Double, north: Double, altitudes: ClosedRange<Double>? = nil) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
        self.altitudes = altitudes
    }

    /// The same as a box, or `nil` when it crosses the antimeridian or its sides are out of order.
    public var boundingBox: BoundingBox? { BoundingBox(minX: west, minY: south, maxX: east, maxY: north) }

    /// Makes bounds from the list of 4 or 6 numbers that a file holds, or `nil` when it holds something else.
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
