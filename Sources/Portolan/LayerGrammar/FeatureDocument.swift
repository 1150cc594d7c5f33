import PortolanArchives
package import PortolanFeatures
import PortolanFetch
package import PortolanFormats
package import PortolanRaster
import PortolanServices
package import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Features as they come in a file, or what they are instead.
package enum FeatureDocument {
    /// What is said of coordinates that cannot be in the system that they are taken to be in.
    package static let notDegrees = "its coordinates are not degrees; set their CRS with ';crs=EPSG:…'"

    /// The features in a document.
    ///
    /// - Parameter memory: what they are charged to.
    package static func features(
        in bytes: [UInt8], from source: String, _ formats: FeatureFormats = .standard, memory: MemoryBudget
    ) throws(MapError) -> FeatureCollection {
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
    ) throws(MapError) -> Read {
        try refuseArchive(bytes, source)
        let kind = AnswerKind(recognizing: bytes)
        if let kind, ![.geoJSON, .features, .json, .page, .image].contains(kind) {
            throw MapError.layer(.document(kind), source: source)
        }
        guard formats.format(recognizing: bytes) != nil else {
            throw MapError.layer(.file(FileKind(recognizing: bytes)), source: source)
        }
        do { return try read(bytes, FeatureLimits(memory: memory)) } catch {
            switch error {
            case let error as FeatureFileError where error.code == .memory:
                throw MapError.layer(.memory("\(error)"), source: source)
            case let error as FeatureFileError where error.code == .otherFormat || error.code == .encrypted:
                let kind = error.kind ?? FileKind(recognizing: bytes)
                throw MapError.layer(kind.isNamed ? .file(kind) : .features("\(error)"), source: source)
            case let error as GeoJSONError where error.code == .memory:
                throw MapError.layer(.memory("\(error)"), source: source)
            case let error as GeoJSONError:
                let kind = error.code == .limitExceeded ? nil : FileKind(foreignJSON: bytes)
                throw MapError.layer(kind.map { .file($0) } ?? .geoJSON(error), source: source)
            default: throw MapError.layer(.features("\(error)"), source: source)
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
    ///   - datasets: the formats that it may be in.
    ///   - memory: gives what the features are charged to; it is asked once it is clear that there are features, with about the
    ///     size of the files.
    package static func dataset(
        in file: LocalFile, layer: String? = nil, encoding: String? = nil, besidesTiles: Bool = true,
        _ datasets: FeatureDatasets, memory: (_ byteCount: Int) -> MemoryBudget
    ) throws(MapError) -> (collection: FeatureCollection, format: String)? {
        do {
            let start = try file.start(16)
            guard let format = datasets.formats.first(where: { $0.recognizes(start) }),
                let opened = try format.open(file, encoding),
                besidesTiles || (try? GeoPackageFile(path: file.path)) == nil
            else { return nil }
            return try read(opened.dataset, layer: layer, from: file.path, memory: memory(opened.byteCount))
        } catch let error as MapError { throw error } catch {
            throw MapError.layer(.features("\(error)"), source: file.path)
        }
    }

    /// The features of a dataset that is open, and the name of its format.
    ///
    /// - Parameters:
    ///   - layer: the one of several that is wanted.
    ///   - kind: that of the layer that is made.
    package static func read(
        _ dataset: any FeatureDataset, layer: String?, from path: String, kind: LayerKind = .features,
        memory: MemoryBudget
    ) throws(MapError) -> (collection: FeatureCollection, format: String) {
        do {
            return (try dataset.read(FeatureQuery(layer: layer), limits: FeatureLimits(memory: memory)), dataset.name)
        } catch let error as FeatureFileError where error.code == .memory {
            throw MapError.layer(.memory("\(error)"), source: path, kind: kind)
        } catch is CancellationError {
            throw MapError.layer(
                .service(ServiceError(.fetch(.cancelled(url: path)), url: path)), source: path, kind: kind)
        } catch { throw MapError.layer(.features("\(error)"), source: path, kind: kind) }
    }

    /// The features of the dataset at the path of a layer, and the name of the format; `nil` for kinds of layers that have
    /// no datasets.
    package static func dataset(
        of kind: LayerKind, at path: String, layer: String? = nil, memory: (_ byteCount: Int) -> MemoryBudget
    ) throws(MapError) -> (collection: FeatureCollection, format: String)? {
        guard let open = kind.openDataset else { return nil }
        let dataset: any FeatureDataset
        do { dataset = try open(path) } catch { throw MapError.layer(.features("\(error)"), source: path, kind: kind) }
        return try read(dataset, layer: layer, from: path, kind: kind, memory: memory(byteCount(at: path)))
    }

    /// The size of the file of a dataset; 0 if it has none.
    package static func byteCount(at path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    /// Throws when a file begins as an SQLite file does.
    static func refuseArchive(_ bytes: [UInt8], _ source: String) throws(MapError) {
        guard ContentKind(recognizing: bytes) == .sqlite else { return }
        throw MapError.layer(.file(FileKind(recognizing: bytes)), source: source)
    }
}
