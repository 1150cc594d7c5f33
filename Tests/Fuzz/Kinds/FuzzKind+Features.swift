import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb

extension FuzzKind {
    /// Placemarks, their styles and folders.
    static let kml = features("kml", .xml, KMLFormat())
    /// The same in an archive, with pictures.
    static let kmz = features("kmz", .words, KMLFormat.KMZ())
    /// Answers of services with features.
    static let gml = features("gml", .xml, GMLFormat())
    /// Feeds with places.
    static let geoRSS = features("georss", .xml, GeoRSSFormat())
    /// Shapes in well-known text.
    static let wkt = features("wkt", .words, WKT.Format())
    /// Shapes in well-known binary.
    static let wkb = features("wkb", .words, WKB.Format())

    /// Lines in letters; a feature may have three of them.
    static let polyline = features(
        "polyline", .words, EncodedPolyline.Format(), memory: Bound(any: 1 << 20, each: 400))

    /// Documents of a format: what is read has finite coordinates, and where it is written it is read again as it was.
    private static func features(
        _ name: String, _ grammar: Grammar, _ format: some FeatureFormat, memory: Bound = Bound(any: 1 << 20, each: 100)
    ) -> FuzzKind {
        FuzzKind(name: name, grammar: grammar, corpus: ["Tests/Fuzz/Corpus/\(name)/*"], memory: memory) { bytes in
            let collection: FeatureCollection
            do { collection = try format.read(bytes, limits: FeatureLimits()) } catch let error as FeatureFileError {
                if case .byte(let offset)? = error.place, !(0...bytes.count).contains(offset) {
                    throw Violation("an error at no place: \(error)")
                }
                return try refused(error.description)
            }
            for warning in collection.warnings { _ = try refused(warning.description) }
            for coordinate in collection.features.compactMap(\.geometry).flatMap(coordinates)
            where !coordinate.isFinite {
                throw Violation("a place that is not finite")
            }
            if let written = format.write(collection) {
                let again: FeatureCollection
                do { again = try format.read(written, limits: FeatureLimits()) } catch {
                    throw Violation("what was written cannot be read: \(error)")
                }
                guard again.features.count == collection.features.filter({ keeps($0, format) }).count else {
                    throw Violation("features were lost")
                }
            }
            return .value("\(magnitude(collection.features.count)) \(magnitude(collection.warnings.count))")
        }
    }

    /// Whether a format has a place for a feature.
    private static func keeps(_ feature: Feature, _ format: some FeatureFormat) -> Bool {
        format is KMLFormat || format is CSVFormat || format is FlatGeobuf.Format || format is GeoParquet.Format
            || format is Shapefile.ZIPFormat
            || feature.geometry != nil
    }

    private static func coordinates(_ geometry: Geometry) -> [Coordinate] {
        geometry.coordinates + geometry.children.flatMap(coordinates)
    }
}

extension FuzzKind {
    /// Tables in text.
    static let csv = features("csv", .words, CSVFormat())
    /// Features in FlatBuffers.
    static let flatGeobuf = features("flatgeobuf", .words, FlatGeobuf.Format())
    /// Features in columns; a page of a few bytes may have many equal values.
    static let geoParquet = features(
        "geoparquet", .words, GeoParquet.Format(), memory: Bound(any: 64 << 20, each: 4000))
    /// Features of a FeatureServer.
    static let esriJSON = features("esri-json", .json, EsriJSONFormat(), memory: Bound(any: 4 << 20, each: 400))
    /// Geometries that share their borders.
    static let topoJSON = features("topojson", .json, TopoJSONFormat(), memory: Bound(any: 64 << 20, each: 400))
    /// Data of OpenStreetMap.
    static let osmJSON = features("osm-json", .json, OSMJSONFormat(), memory: Bound(any: 4 << 20, each: 400))
    static let osmXML = features("osm-xml", .xml, OSMXMLFormat(), memory: Bound(any: 4 << 20, each: 400))
    /// The files of Shapefiles in archives.
    static let zippedShapefile = features("zipped-shapefile", .words, Shapefile.ZIPFormat())
    /// Shapes of a Shapefile.
    static let shapefile = dataset("shapefile") {
        Shapefile(name: "x", shapes: $0, table: nil, projection: nil, encoding: nil)
    }
    /// The table of a Shapefile, with one shape and as many as it has rows.
    static let dbase = dataset("dbase") { bytes in
        let header: [UInt8] = [0, 0, 0x27, 0x0A] + [UInt8](repeating: 0, count: 96)
        let empty: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0]
        return Shapefile(
            name: "x", shapes: header + [empty, empty].flatMap { $0 }, table: bytes, projection: nil, encoding: nil)
    }

    private static func dataset(_ name: String, _ open: @escaping @Sendable ([UInt8]) -> Shapefile) -> FuzzKind {
        FuzzKind(name: name, grammar: .words, corpus: ["Tests/Fuzz/Corpus/\(name)/*"]) { bytes in
            do {
                let collection = try open(bytes).read(FeatureQuery(), limits: FeatureLimits())
                for warning in collection.warnings { _ = try refused(warning.description) }
                for coordinate in collection.features.compactMap(\.geometry).flatMap(coordinates)
                where !coordinate.isFinite {
                    throw Violation("a place that is not finite")
                }
                return .value("\(magnitude(collection.features.count)) \(magnitude(collection.warnings.count))")
            } catch let error as FeatureFileError { return try refused(error.description) }
        }
    }
}
