public import PortolanFeatures
public import PortolanGeo

/// Features that are not a single document: several related files, or a file that is read in parts.
///
/// Datasets correspond to the documents of a ``FeatureFormat``. A Shapefile, a FlatGeobuf file and the tables of a
/// GeoPackage are datasets.
public protocol FeatureDataset: Sendable {
    /// The name of the format.
    var name: String { get }

    /// The layers; a single one if the format has no layers.
    var layers: [FeatureLayerDescription] { get }

    /// Reads features.
    ///
    /// - Throws: ``FeatureFileError``.
    func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection
}

/// A dataset that finds the features in a box without reading all others.
package protocol IndexedFeatureDataset: FeatureDataset {
    /// Returns whether a layer has an index: the boxes of its features, or of groups of them.
    ///
    /// - Parameter layer: the name of the layer, or `nil` for the first.
    func isIndexed(layer: String?) -> Bool
}

/// A layer of a ``FeatureDataset``.
public struct FeatureLayerDescription: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The CRS of the coordinates, or `nil` for longitude and latitude on WGS 84.
    public var crs: CRS?
    /// The number of features that the file states, or `nil`.
    public var featureCount: Int?

    /// Creates a description.
    public init(name: String, crs: CRS? = nil, featureCount: Int? = nil) {
        self.name = name
        self.crs = crs
        self.featureCount = featureCount
    }
}

/// A query of a ``FeatureDataset``.
public struct FeatureQuery: Hashable, Sendable {
    /// The name of the layer, or `nil` for the only one.
    public var layer: String?
    /// The extent of the requested features, in the CRS of the layer, x first; `nil` for all.
    public var box: BoundingBox?

    /// Creates a query.
    public init(layer: String? = nil, box: BoundingBox? = nil) {
        self.layer = layer
        self.box = box
    }
}
