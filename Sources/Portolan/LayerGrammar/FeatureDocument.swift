import PortolanArchives
import PortolanFeatures
import PortolanRaster
import PortolanServices
package import PortolanWeb

/// Features as they come in a file, or what they are instead.
package enum FeatureDocument {
    /// What is said of coordinates that cannot be in the system that they are taken to be in.
    package static let notDegrees = "its coordinates are not degrees; name their CRS with ';crs=EPSG:…'"

    /// The features in a document.
    ///
    /// - Parameter memory: what they are charged to.
    package static func features(
        in bytes: [UInt8], from source: String, _ formats: FeatureFormats = .standard, memory: MemoryBudget
    ) throws(LayerError) -> FeatureCollection {
        try read(bytes, from: source, formats, memory: memory) { try formats.read($0, limits: $1) }
    }

    /// What is read of a document of features.
    ///
    /// - Parameters:
    ///   - formats: those that it may be in.
    ///   - memory: what it is charged to.
    static func read<Read>(
        _ bytes: [UInt8], from source: String, _ formats: FeatureFormats = .standard, memory: MemoryBudget,
        _ read: ([UInt8], FeatureLimits) throws -> Read
    ) throws(LayerError) -> Read {
        try refuseArchive(bytes, source)
        let kind = AnswerKind(recognizing: bytes)
        if let kind, ![.geoJSON, .features, .json, .page, .image].contains(kind) {
            throw LayerError(.document(kind), source: source)
        }
        guard formats.format(recognizing: bytes) != nil else {
            throw LayerError(.file(FileKind(recognizing: bytes)), source: source)
        }
        do { return try read(bytes, FeatureLimits(memory: memory)) } catch {
            switch error {
            case let error as FeatureFileError where error.code == .memory:
                throw LayerError(.memory("\(error)"), source: source)
            case let error as FeatureFileError where error.code == .otherFormat || error.code == .encrypted:
                let kind = error.kind ?? FileKind(recognizing: bytes)
                throw LayerError(kind.isNamed ? .file(kind) : .features("\(error)"), source: source)
            case let error as GeoJSONError where error.code == .memory:
                throw LayerError(.memory("\(error)"), source: source)
            case let error as GeoJSONError:
                let kind = error.code == .limitExceeded ? nil : FileKind(foreignJSON: bytes)
                throw LayerError(kind.map { .file($0) } ?? .geoJSON(error), source: source)
            default: throw LayerError(.features("\(error)"), source: source)
            }
        }
    }

    /// The features of a file that is no document, such as a Shapefile with the files beside it, and the name of its format;
    /// `nil` for all other files.
    ///
    /// - Parameters:
    ///   - file: is open; the files beside it, and a database, are found by its path.
    ///   - layer: the one of several that is wanted.
    ///   - encoding: that of texts, where the files do not say it or say it wrongly.
    ///   - besidesTiles: whether a file that holds tiles, too, is one.
    ///   - memory: gives what the features are charged to; it is asked once it is clear that there are features, with about the
    ///     size of the files.
    package static func dataset(
        in file: LocalFile, layer: String? = nil, encoding: String? = nil, besidesTiles: Bool = true,
        memory: (_ byteCount: Int) -> MemoryBudget
    ) throws(LayerError) -> (collection: FeatureCollection, format: String)? {
        let path = file.path
        do {
            let dataset: any FeatureDataset
            var byteCount = file.byteCount
            switch ContentKind(recognizing: try file.start(16)) {
            case .shapefile:
                let shapefile = try Shapefile(file, limits: FeatureLimits(), encoding: encoding)
                byteCount = shapefile.roomByteCount
                dataset = shapefile
            case .sqlite:
                // One of tiles alone is drawn by a kind of its own.
                guard let package = try? GeoPackageFeatures(path: path), !package.layers.isEmpty,
                    besidesTiles || (try? GeoPackageFile(path: path)) == nil
                else { return nil }
                dataset = package
            default: return nil
            }
            let limits = FeatureLimits(memory: memory(byteCount))
            return (try dataset.read(FeatureQuery(layer: layer), limits: limits), dataset.name)
        } catch let error as FeatureFileError where error.code == .memory {
            throw LayerError(.memory("\(error)"), source: path)
        } catch { throw LayerError(.features("\(error)"), source: path) }
    }

    /// Throws when a file begins as an SQLite file does.
    static func refuseArchive(_ bytes: [UInt8], _ source: String) throws(LayerError) {
        guard ContentKind(recognizing: bytes) == .sqlite else { return }
        throw LayerError(.file(FileKind(recognizing: bytes)), source: source)
    }
}
