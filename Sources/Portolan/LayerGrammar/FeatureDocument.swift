import PortolanArchives
package import PortolanFeatures
import PortolanFetch
package import PortolanFormats
package import PortolanGeo
package import PortolanRaster
import PortolanServices
package import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads features from files, and recognizes files of other kinds.
package enum FeatureDocument {
    /// The message about coordinates that are invalid for their assumed CRS.
    package static let notDegrees = "its coordinates are not degrees; set their CRS with ';crs=EPSG:…'"

    /// Returns the features in a document.
    ///
    /// - Parameter memory: the budget that they are charged to.
    package static func features(
        in bytes: [UInt8], from source: String, _ formats: FeatureFormats = .standard, memory: MemoryBudget
    ) throws(MapError) -> FeatureCollection {
        try read(bytes, from: source, formats, memory: memory) { try formats.read($0, limits: $1) }
    }

    /// Reads a feature document.
    ///
    /// - Parameters:
    ///   - formats: the accepted formats.
    ///   - memory: the budget that the document is charged to.
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
            throw MapError.layer(.file(FeatureFileError.FileKind(recognizing: bytes)), source: source)
        }
        do { return try read(bytes, FeatureLimits(memory: memory)) } catch {
            switch error {
            case let error as FeatureFileError where error.code == .memory:
                throw MapError.layer(.memory("\(error)"), source: source)
            case let error as FeatureFileError where error.code == .otherFormat || error.code == .encrypted:
                let kind = error.kind ?? FeatureFileError.FileKind(recognizing: bytes)
                throw MapError.layer(kind.isNamed ? .file(kind) : .features("\(error)"), source: source)
            case let error as GeoJSONError where error.code == .memory:
                throw MapError.layer(.memory("\(error)"), source: source)
            case let error as GeoJSONError:
                let kind = error.code == .limitExceeded ? nil : FeatureFileError.FileKind(foreignJSON: bytes)
                throw MapError.layer(kind.map { .file($0) } ?? .geoJSON(error), source: source)
            default: throw MapError.layer(.features("\(error)"), source: source)
            }
        }
    }

    /// Returns the features of a dataset, such as a Shapefile with its companion files, and the name of its format;
    /// returns `nil` for all other files.
    ///
    /// - Parameters:
    ///   - file: an open file. Companion files and databases are found by its path.
    ///   - layer: the layer to read if there are several.
    ///   - encoding: the text encoding, if the files do not state it correctly.
    ///   - besidesTiles: whether to read files that contain tiles as well.
    ///   - datasets: the accepted formats.
    ///   - box: returns the box to read in the CRS of a layer; `nil` for all features.
    ///   - view: the only view of the features, of which indexed datasets read no others; `nil` for all features.
    ///   - memory: returns the budget for the features. It is called with the approximate size of the files once it is
    ///     known that there are features.
    package static func dataset(
        in file: LocalFile, layer: String? = nil, encoding: String? = nil, besidesTiles: Bool = true,
        _ datasets: FeatureDatasets, in box: (CRS) -> BoundingBox? = { _ in nil }, shownIn view: DatasetView? = nil,
        memory: (_ byteCount: Int) -> MemoryBudget
    ) throws(MapError) -> (collection: FeatureCollection, format: String)? {
        do {
            let start = try file.start(16)
            guard let format = datasets.formats.first(where: { $0.recognizes(start) }),
                let opened = try format.open(file, encoding),
                besidesTiles || (try? GeoPackageFile(path: file.path)) == nil
            else { return nil }
            return try read(
                opened.dataset, layer: layer, in: box, shownIn: view, from: file.path,
                memory: memory(opened.byteCount))
        } catch let error as MapError { throw error } catch {
            throw MapError.layer(.features("\(error)"), source: file.path)
        }
    }

    /// Returns the features of an open dataset, and the name of its format.
    ///
    /// - Parameters:
    ///   - layer: the layer to read if there are several.
    ///   - box: returns the box to read in the CRS of a layer; `nil` for all features.
    ///   - view: the only view of the features; `nil` for all features.
    ///   - kind: the kind of the resulting layer.
    package static func read(
        _ dataset: any FeatureDataset, layer: String?, in box: (CRS) -> BoundingBox? = { _ in nil },
        shownIn view: DatasetView? = nil, from path: String, kind: LayerKind = .features, memory: MemoryBudget
    ) throws(MapError) -> (collection: FeatureCollection, format: String) {
        do {
            let limits = FeatureLimits(memory: memory)
            if let found = try view?.features(of: dataset, layer: layer, limits: limits) {
                return (found, dataset.name)
            }
            let description = dataset.layers.first { layer == nil || $0.name == layer }
            let query = FeatureQuery(layer: layer, box: description.flatMap { box($0.crs ?? .crs84) })
            return (try dataset.read(query, limits: limits), dataset.name)
        } catch let error as FeatureFileError where error.code == .memory {
            throw MapError.layer(.memory("\(error)"), source: path, kind: kind)
        } catch is CancellationError {
            throw MapError.layer(
                .service(ServiceError(.fetch(.cancelled(url: path)), url: path)), source: path, kind: kind)
        } catch { throw MapError.layer(.features("\(error)"), source: path, kind: kind) }
    }

    /// Returns the features of the dataset at the path of a layer, and the name of the format; returns `nil` for layer
    /// kinds without datasets.
    package static func dataset(
        of kind: LayerKind, at path: String, layer: String? = nil, memory: (_ byteCount: Int) -> MemoryBudget
    ) throws(MapError) -> (collection: FeatureCollection, format: String)? {
        guard let open = kind.openDataset else { return nil }
        let dataset: any FeatureDataset
        do { dataset = try open(path) } catch { throw MapError.layer(.features("\(error)"), source: path, kind: kind) }
        return try read(dataset, layer: layer, from: path, kind: kind, memory: memory(byteCount(at: path)))
    }

    /// Returns the size of the file of a dataset; 0 if it has none.
    package static func byteCount(at path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    /// Throws if a file is an SQLite file.
    static func refuseArchive(_ bytes: [UInt8], _ source: String) throws(MapError) {
        guard ContentKind(recognizing: bytes) == .sqlite else { return }
        throw MapError.layer(.file(FeatureFileError.FileKind(recognizing: bytes)), source: source)
    }
}
