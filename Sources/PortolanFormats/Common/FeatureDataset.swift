public import PortolanFeatures
public import PortolanGeo

/// Features that are not one document: several files that belong together, or one of which parts are read.
///
/// What a ``FeatureFormat`` is for documents: a Shapefile, a FlatGeobuf file and the tables of a GeoPackage are datasets.
public protocol FeatureDataset: Sendable {
    /// The name of the format.
    var name: String { get }

    /// What it holds; one layer where the format knows no more.
    var layers: [FeatureLayerDescription] { get }

    /// Reads features.
    ///
    /// - Throws: ``FeatureFileError``.
    func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection
}

/// A layer of a ``FeatureDataset``.
public struct FeatureLayerDescription: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The system of the coordinates, or `nil` for longitude and latitude on WGS 84.
    public var crs: CRS?
    /// How many features the file says that it has, or `nil` where it does not.
    public var featureCount: Int?

    /// Makes a description.
    public init(name: String, crs: CRS? = nil, featureCount: Int? = nil) {
        self.name = name
        self.crs = crs
        self.featureCount = featureCount
    }
}

/// What of a ``FeatureDataset`` is wanted.
public struct FeatureQuery: Hashable, Sendable {
    /// The name of the layer, or `nil` for the only one.
    public var layer: String?
    /// Features whose boxes touch this one, in the layer's system, x first; `nil` for all.
    public var box: BoundingBox?

    /// Makes a query.
    public init(layer: String? = nil, box: BoundingBox? = nil) {
        self.layer = layer
        self.box = box
    }
}
