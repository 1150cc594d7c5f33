public import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanZip

extension Shapefile {
    /// Shapefiles in a ZIP archive, as published by data portals: each `.shp` with its companion files.
    ///
    /// Several Shapefiles are read in sequence and transformed to the CRS of the first. A note lists their names.
    public struct ZIPFormat: FeatureFormat {
        /// Creates the format.
        public init() {}

        /// `zipped Shapefile`.
        public var name: String { "zipped Shapefile" }

        /// Returns `false`, as the directory of an archive is at its end.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { false }

        /// Returns whether the document is a ZIP archive with a `.shp` file and without a KML document.
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
        /// - Complexity: linear in the archive and the files read from it.
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

        /// Writes a collection in its CRS, with a Shapefile for each kind of geometry, or returns `nil` if it cannot
        /// state the CRS.
        public func write(_ collection: FeatureCollection) -> [UInt8]? {
            (try? ShapefileWriter(collection, name: "features"))?.archive
        }

        /// Returns the `.shp` files, without the resource files that macOS adds to archives.
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
}
