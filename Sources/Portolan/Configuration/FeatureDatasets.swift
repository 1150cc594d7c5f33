import PortolanArchives
import PortolanFeatures
public import PortolanFormats
import PortolanWeb

/// The feature dataset formats that layers read, such as Shapefiles, GeoPackages, GeoParquet and FlatGeobuf.
///
/// If several formats recognize a file, the first one reads it.
public struct FeatureDatasets: Sendable {
    /// The formats, in the order in which they are tried.
    public var formats: [FeatureDatasets.Format]

    /// Creates a list of formats.
    public init(_ formats: [FeatureDatasets.Format]) { self.formats = formats }

    /// Shapefiles, GeoPackages, GeoParquet and FlatGeobuf.
    public static let standard = FeatureDatasets([.shapefile, .geoPackage, .geoParquet, .flatGeobuf])
}

extension FeatureDatasets {
    /// A feature dataset format: how its files are recognized and opened.
    public struct Format: Sendable {
        /// An open dataset, and the approximate size of its files in bytes.
        package typealias Opened = (dataset: any FeatureDataset, byteCount: Int)

        /// The name.
        public let name: String
        /// Returns whether a file with these first bytes may be of the format.
        let recognizes: @Sendable (_ start: [UInt8]) -> Bool
        /// Opens a file with the given text encoding; returns `nil` if it has no features.
        let open: @Sendable (_ file: LocalFile, _ encoding: String?) throws -> Opened?

        /// Creates a format.
        ///
        /// - Parameters:
        ///   - name: the name of the format.
        ///   - recognizes: returns whether a file with these first bytes, at most 16, may be of the format.
        ///   - open: opens the file at a path.
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

        /// Shapefiles, with their companion files.
        public static let shapefile = FeatureDatasets.Format(
            "shapefile", recognizes: { ContentKind(recognizing: $0) == .shapefile },
            opening: { file, encoding in
                let shapefile = try Shapefile(file, limits: FeatureLimits(), encoding: encoding)
                return (shapefile, shapefile.roomByteCount)
            })

        /// The feature tables of GeoPackages.
        public static let geoPackage = FeatureDatasets.Format(
            "gpkg", recognizes: { ContentKind(recognizing: $0) == .sqlite },
            opening: { file, _ in
                // A GeoPackage without feature tables is drawn by the layer kind for tiles.
                guard let package = try? GeoPackageFeatures(path: file.path), !package.layers.isEmpty else {
                    return nil
                }
                return (package, file.byteCount)
            })

        /// GeoParquet files, of which only the columns and row groups in use are read.
        public static let geoParquet = FeatureDatasets.Format(
            "parquet", recognizes: { GeoParquet.Format().recognizes($0[...]) },
            opening: { file, _ in (try GeoParquet(file), file.byteCount) })

        /// FlatGeobuf files, of which only the features in use are read if they have an index.
        public static let flatGeobuf = FeatureDatasets.Format(
            "flatgeobuf", recognizes: { FlatGeobuf.Format().recognizes($0[...]) },
            opening: { file, _ in (try FlatGeobuf(file), file.byteCount) })
    }
}
