#if GDAL
public import PortolanFeatures
public import PortolanFormats
import PortolanGeo
import PortolanWeb
import Synchronization

/// Features in a file or folder that is read with GDAL: MapInfo, DXF, file geodatabases, TopoJSON and more.
///
/// Only drivers that read the file's content may open it, regardless of its name or content: virtual formats that refer to
/// other files, services, databases and URLs are refused. Nothing is written. GDAL's messages become errors.
/// Coordinates have x first in any CRS, curves become chords, and binary fields are left out.
///
/// Reading is thread-safe, but serialised. It ends with `CancellationError` soon after its task is cancelled. It needs
/// GDAL 3.6 or newer.
public final class GDALFeatures: FeatureDataset {
    /// The name of the driver, such as `MapInfo File`.
    public let name: String

    /// The layers with geometries, in the order of the file.
    public let layers: [FeatureLayerDescription]

    private let dataset: Mutex<GDALDataset>
    private let notes: [String: String]

    /// Opens a file, or a folder that is a dataset.
    ///
    /// - Parameters:
    ///   - path: a local path.
    ///   - driver: the name of the only driver that may open it, or `nil` for any of ``drivers``.
    /// - Throws: ``/PortolanFormats/FeatureFileError``.
    public init(path: String, driver: String? = nil) throws(FeatureFileError) {
        let opened = try GDALDataset(path: path, .features, driver: driver)
        name = opened.driver
        var layers: [FeatureLayerDescription] = [], notes: [String: String] = [:]
        for layer in try opened.layers() {
            layers.append(layer.description)
            notes[layer.description.name] = layer.note
        }
        self.layers = layers
        self.notes = notes
        dataset = Mutex(opened)
    }

    /// The drivers that may open a file.
    public static var drivers: [String] { GDALDrivers.features }

    /// Reads the features of a layer.
    ///
    /// - Throws: ``/PortolanFeatures/FeatureFileError``; its detail lists the layers if there is no layer with the
    ///   name, or several to choose from. `CancellationError` if the task is cancelled.
    /// - Complexity: O(features in the layer), or O(features in the box) if the format has an index.
    public func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection {
        let layer = try layer(query.layer)
        var gathering = try FeatureGathering(name, limits: limits, documentLength: 0)
        if let note = notes[layer.name] { gathering.warn(.note, note) }
        try dataset.withLock { dataset in
            try dataset.read(layer.name, in: query.box, limits: limits) {
                feature, number, fault throws(FeatureFileError) in
                if let fault { gathering.warn(.omitted, feature: "\(number)", "cannot read its geometry: \(fault)") }
                try gathering.add(feature, at: .record(number))
            }
        }
        return gathering.collection(crs: layer.crs)
    }

    private func layer(_ name: String?) throws(FeatureFileError) -> FeatureLayerDescription {
        let listed = layers.prefix(20).map { "'\($0.name)'" }.joined(separator: ", ")
        guard let name else {
            if layers.count == 1 { return layers[0] }
            throw FeatureFileError(
                .unsupported, in: self.name,
                layers.isEmpty
                    ? "it has no layer with geometries" : "it has several layers; choose one with layer=: \(listed)")
        }
        guard let layer = layers.first(where: { $0.name == name }) else {
            throw FeatureFileError(.unsupported, in: self.name, "unknown layer '\(name)'; available: \(listed)")
        }
        return layer
    }
}
#endif
