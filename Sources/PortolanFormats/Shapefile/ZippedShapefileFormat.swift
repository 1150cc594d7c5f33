public import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanZip

/// Shapefiles in a ZIP archive, as data portals give them out: each `.shp` with the files of its name beside it.
///
/// The features of several are read one after the other, brought into the system of the first; a note names them.
public struct ZippedShapefileFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `zipped Shapefile`.
    public var name: String { "zipped Shapefile" }

    /// `false`: the directory of an archive is at its end.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { false }

    /// Whether it is a ZIP archive with a `.shp` and without a KML document.
    public func recognizes(document: [UInt8]) -> Bool {
        guard ContentKind(recognizing: Array(document.prefix(4))) == .zip, let archive = try? ZipArchive(document)
        else {
            return false
        }
        let names = archive.entries.map { $0.name.lowercased() }
        return !Self.shapes(in: archive).isEmpty
            && !names.contains { $0.hasSuffix(".kml") || $0.hasSuffix(".gdbtable") }
    }

    /// Reads an archive.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the archive and the files in it that are read.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        let archive: ZipArchive
        do {
            archive = try ZipArchive(
                document, limits: ZipArchive.Limits(byteCount: min(limits.maximumByteCount, 512 << 20)))
        } catch { throw FeatureFileError(error, in: name) }
        let shapes = Self.shapes(in: archive)
        guard !shapes.isEmpty else {
            throw FeatureFileError(.otherFormat, in: name, "no .shp file in the archive")
        }
        var system = CommonSystem(), left = limits
        for entry in shapes {
            let stem = entry.name.dropLast(4)
            func beside(_ suffix: String) throws -> [UInt8]? {
                let wanted = "\(stem).\(suffix)".lowercased()
                return try archive.entries.first { $0.name.lowercased() == wanted }
                    .map { try Self.content(of: $0, archive, limits) }
            }
            let title = stem.split(separator: "/").last.map(String.init) ?? String(stem)
            let shapefile = Shapefile(
                name: title, shapes: try Self.content(of: entry, archive, limits), index: try beside("shx"),
                table: try beside("dbf"), projection: try beside("prj").map { String(decoding: $0, as: UTF8.self) },
                encoding: try beside("cpg").map { String(decoding: $0.prefix(40), as: UTF8.self) })
            let part = try shapefile.read(FeatureQuery(), limits: left)
            for warning in part.warnings { gathering.add(warning) }
            for var feature in part.features {
                let shape = feature.geometry
                feature.geometry = shape.flatMap { system.geometry($0, in: part.crs) }
                if shape != nil, feature.geometry == nil {
                    gathering.warn(
                        .omitted, "a shape of '\(title)' is outside the area of the first layer's CRS")
                }
                try gathering.add(feature)
            }
            left.maximumFeatureCount = max(left.maximumFeatureCount - part.features.count, 0)
        }
        if shapes.count > 1 {
            let names = shapes.prefix(20).map(\.name).joined(separator: ", ")
            gathering.warn(.note, "\(shapes.count) Shapefiles, read together: \(names)")
        }
        return gathering.collection(crs: system.crs)
    }

    /// Writes a collection in degrees, as a Shapefile for each kind of shape that it has.
    public func write(_ collection: FeatureCollection) -> [UInt8]? {
        ShapefileWriter(collection, name: "features").archive
    }

    /// The `.shp` files; what macOS keeps beside each file of an archive is none.
    private static func shapes(in archive: ZipArchive) -> [ZipArchive.Entry] {
        archive.entries.filter { entry in
            let parts = entry.name.split(separator: "/")
            return entry.name.lowercased().hasSuffix(".shp") && parts.first != "__MACOSX"
                && parts.last?.hasPrefix(".") == false
        }
    }

    private static func content(
        of entry: ZipArchive.Entry, _ archive: ZipArchive, _ limits: FeatureLimits
    ) throws -> [UInt8] {
        try limits.lookForRoom(entry.byteCount, in: "zipped Shapefile")
        do { return try archive.content(of: entry) } catch { throw FeatureFileError(error, in: "zipped Shapefile") }
    }
}
