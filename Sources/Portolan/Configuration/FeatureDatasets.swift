import PortolanArchives
import PortolanFeatures
public import PortolanFormats
import PortolanWeb

/// The formats of feature datasets that layers read: files that are not one document, such as Shapefiles.
///
/// Of two formats that recognize a file the first reads it.
public struct FeatureDatasets: Sendable {
    /// The formats, in the order in which they are tried.
    public var formats: [FeatureDatasetFormat]

    /// Makes a list of formats.
    public init(_ formats: [FeatureDatasetFormat]) { self.formats = formats }

    /// Shapefiles and GeoPackages.
    public static let standard = FeatureDatasets([.shapefile, .geoPackage])
}

/// A format of feature datasets: how it is recognized, and how a file is opened.
public struct FeatureDatasetFormat: Sendable {
    /// An open dataset, and about the size of its files.
    package typealias Opened = (dataset: any FeatureDataset, byteCount: Int)

    /// The name.
    public let name: String
    /// Whether a file that begins with given bytes may be of the format.
    let recognizes: @Sendable (_ start: [UInt8]) -> Bool
    /// Opens a file with the encoding of its texts, or returns `nil` if it has no features.
    let open: @Sendable (_ file: LocalFile, _ encoding: String?) throws -> Opened?

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - recognizes: whether a file that begins with given bytes, at most 16, may be of the format.
    ///   - open: opens a file by its path.
    public init(
        _ name: String, recognizes: @escaping @Sendable (_ start: [UInt8]) -> Bool,
        open: @escaping @Sendable (_ path: String) throws -> any FeatureDataset
    ) {
        self.init(name, recognizes: recognizes) { file, _ in (try open(file.path), file.byteCount) }
    }

    init(
        _ name: String, recognizes: @escaping @Sendable (_ start: [UInt8]) -> Bool,
        opening: @escaping @Sendable (_ file: LocalFile, _ encoding: String?) throws -> Opened?
    ) {
        self.name = name
        self.recognizes = recognizes
        open = opening
    }

    /// Shapefiles with the files beside them.
    public static let shapefile = FeatureDatasetFormat(
        "shapefile", recognizes: { ContentKind(recognizing: $0) == .shapefile },
        opening: { file, encoding in
            let shapefile = try Shapefile(file, limits: FeatureLimits(), encoding: encoding)
            return (shapefile, shapefile.roomByteCount)
        })

    /// The feature tables of GeoPackages.
    public static let geoPackage = FeatureDatasetFormat(
        "gpkg", recognizes: { ContentKind(recognizing: $0) == .sqlite },
        opening: { file, _ in
            // A file of tiles alone is drawn by a layer kind of its own.
            guard let package = try? GeoPackageFeatures(path: file.path), !package.layers.isEmpty else { return nil }
            return (package, file.byteCount)
        })
}
