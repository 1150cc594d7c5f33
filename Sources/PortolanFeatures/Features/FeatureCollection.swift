public import PortolanGeo

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
    public var warnings: [FeatureWarning]

    /// Makes a collection.
    public init(
        features: [Feature], crs: CRS? = nil, declaredBounds: DeclaredBounds? = nil, foreignMembers: Properties = [:],
        warnings: [FeatureWarning] = []
    ) {
        self.features = features
        self.crs = crs
        self.declaredBounds = declaredBounds
        self.foreignMembers = foreignMembers
        self.warnings = warnings
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
