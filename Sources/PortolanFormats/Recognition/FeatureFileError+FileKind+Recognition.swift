import PortolanFeatures
import PortolanWeb
import PortolanXML
import PortolanZip

extension FeatureFileError.FileKind {
    /// The maximum number of bytes examined, in addition to the directory of an archive.
    private static let headLength = 1 << 16

    /// Determines the kind of a document that no feature format recognizes, or that a recognized format cannot read.
    ///
    /// - Complexity: linear in the first 64 KiB, and in the directory of an archive.
    package init(recognizing bytes: [UInt8]) {
        let head = bytes.prefix(Self.headLength)
        self = Self.binaryKind(of: bytes, head) ?? Self.textKind(of: head)
    }

    /// Determines the kind of JSON other than GeoJSON; returns `nil` for faulty GeoJSON, and for other documents.
    package init?(foreignJSON bytes: [UInt8]) {
        let head = bytes.prefix(Self.headLength).withoutByteOrderMark
        guard let first = head.first(where: { $0 > 0x20 }), first == 0x7B || first == 0x5B,
            let kind = Self.kind(ofJSON: JSONMembers(head))
        else { return nil }
        self = kind
    }

    /// Returns the kind of a document for messages, with an article: a supported feature format, or another kind.
    package static func words(for bytes: [UInt8]) -> String {
        let format = FeatureFormats.standard.format(recognizing: bytes)
        guard let format, ContentKind(recognizing: bytes) != .zip, FeatureFileError.FileKind(foreignJSON: bytes) == nil
        else {
            return FeatureFileError.FileKind(recognizing: bytes).words
        }
        return "features in \(format.name)"
    }

    // MARK: Binary files

    private struct Signature {
        let kind: FeatureFileError.FileKind
        let bytes: [UInt8]
        var offset = 0

        init(_ kind: FeatureFileError.FileKind, _ text: String, at offset: Int = 0) {
            self.init(kind, Array(text.utf8), at: offset)
        }

        init(_ kind: FeatureFileError.FileKind, _ bytes: [UInt8], at offset: Int = 0) {
            (self.kind, self.bytes, self.offset) = (kind, bytes, offset)
        }
    }

    private static let signatures: [Signature] = [
        Signature(.pmtiles, "PMTiles"), Signature(.parquet, "PAR1"), Signature(.arrow, "ARROW1"),
        Signature(.arrow, "FEA1"), Signature(.osmPBF, "OSMHeader", at: 6),
        Signature(.hdf5, [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]), Signature(.netCDF, [0x43, 0x44, 0x46, 1]),
        Signature(.netCDF, [0x43, 0x44, 0x46, 2]), Signature(.netCDF, [0x43, 0x44, 0x46, 5]),
        Signature(.grib, "GRIB"), Signature(.pointCloud, "LASF"), Signature(.fit, ".FIT", at: 8),
        Signature(.dwg, "AC10"), Signature(.dxf, "AutoCAD Binary DXF"),
        Signature(.archive, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]), Signature(.archive, "Rar!\u{1A}\u{7}"),
        Signature(.archive, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), Signature(.archive, "BZh"),
        Signature(.archive, [0x28, 0xB5, 0x2F, 0xFD]), Signature(.archive, "ustar", at: 257),
        Signature(.officeDocument, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
        Signature(.image, "ftypheic", at: 4), Signature(.image, "ftypmif1", at: 4),
        Signature(.image, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]), Signature(.image, [0xFF, 0x0A]),
    ]

    private static func binaryKind(of bytes: [UInt8], _ head: ArraySlice<UInt8>) -> FeatureFileError.FileKind? {
        guard head.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return .empty }
        switch ContentKind(recognizing: Array(head.prefix(1024))) {
        case .png, .jpeg, .gif, .webp, .bmp, .jpeg2000, .avif: return .image
        case .tiff: return .tiff
        case .svg: return .svg
        case .pdf: return .pdf
        case .sqlite: return kind(ofDatabase: head)
        case .zip: return kind(ofArchive: bytes)
        case .gzip: return .gzip
        case .shapefile:
            // The first record of an index starts where the header ends, in 16-bit words; the first record of the
            // shapes has number 1.
            return head.count >= 104 && head[100..<104] == [0, 0, 0, 50] ? .shapefileIndex : .shapefile
        case .flatGeobuf: return .flatGeobuf
        case .markup, .json, nil: break
        }
        if let known = signatures.first(where: { head.dropFirst($0.offset).starts(with: $0.bytes) }) {
            return known.kind
        }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            // The root of XML is recognized in any encoding.
            return XMLRoot(head).map(kind(ofXML:)) ?? .utf16
        }
        if isDBase(head) { return .dBase }
        guard head.contains(where: { $0 < 0x09 || (0x0E..<0x1B).contains($0) }) else { return nil }
        return WireOutline.kind(of: bytes) ?? .binary
    }

    private static func kind(ofDatabase head: ArraySlice<UInt8>) -> FeatureFileError.FileKind {
        // The application identifier (SQLite file format, 1.3.12).
        switch String(decoding: head.dropFirst(68).prefix(4), as: UTF8.self) {
        case "GPKG", "GP10", "GP11": .geoPackage
        case "MPBX": .mbtiles
        default: .sqlite
        }
    }

    private static func kind(ofArchive bytes: [UInt8]) -> FeatureFileError.FileKind {
        let entries: [ZipArchive.Entry]
        do { entries = try ZipArchive(bytes).entries } catch {
            switch error.code {
            case .encrypted: return .encryptedZip
            case .unsupported: return .splitZip
            case .malformed, .limitExceeded: return .zip
            }
        }
        let names = entries.map { $0.name.lowercased() }
        func has(_ suffix: String) -> Bool { names.contains { $0.hasSuffix(suffix) } }
        if names.contains("[content_types].xml") {
            return names.contains { $0.hasPrefix("xl/") } ? .spreadsheet : .officeDocument
        }
        if names.first == "mimetype", let type = entries.first.flatMap({ try? ZipArchive(bytes).content(of: $0) }) {
            let text = String(decoding: type.prefix(100), as: UTF8.self)
            if text.contains("opendocument.spreadsheet") { return .spreadsheet }
            if text.contains("opendocument") { return .officeDocument }
        }
        if has(".gdbtable") { return .zippedGeodatabase }
        if entries.contains(where: \.isEncrypted) { return .encryptedZip }
        if has(".shp") { return .zippedShapefile }
        if has("stops.txt") || has("stop_times.txt") { return .zippedTimetable }
        return .zip
    }

    /// Returns whether a file is a dBASE table: its date, and the lengths of its header and rows, are plausible.
    private static func isDBase(_ head: ArraySlice<UInt8>) -> Bool {
        guard head.count >= 33,
            [0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8B, 0x8E, 0xCB, 0xF5, 0xFB]
                .contains(head[0]), head[2] <= 12, head[3] <= 31
        else { return false }
        let header = Int(head[8]) | Int(head[9]) << 8, row = Int(head[10]) | Int(head[11]) << 8
        guard header >= 33, row > 0, header <= head.count else { return false }
        return head[header - 1] == 0x0D || head[header - 2] == 0x0D || header % 32 == 1
    }

    // MARK: Texts

    private static func textKind(of head: ArraySlice<UInt8>) -> FeatureFileError.FileKind {
        let text = head.withoutByteOrderMark.drop { $0 <= 0x20 }
        switch text.first {
        case UInt8(ascii: "<"):
            if String(decoding: text.prefix(40), as: UTF8.self).lowercased().hasPrefix("<!doctype html") {
                return .page
            }
            return XMLRoot(text).map(kind(ofXML:)) ?? .xml(root: "?")
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let members = JSONMembers(text)
            return kind(ofJSON: members) ?? .json(members: members.names)
        default: return TextOutline(text).kind
        }
    }

    private static func kind(ofXML root: XMLRoot) -> FeatureFileError.FileKind {
        switch root.name.lowercased() {
        case "html": .page
        case "svg": .svg
        case "osm": .osmXML
        case "osmchange": .osmChange
        case "trainingcenterdatabase": .tcx
        case "styledlayerdescriptor", "featuretypestyle": .sld
        case "qgis", "qlr", "qgis-layer-definition": .qgis
        case "map": root.rest.contains("opengis.net/gml") ? .gmlApplication : .mapnik
        case "siri": .siri
        case "citymodel": .cityGML
        case "serviceexceptionreport", "exceptionreport", "serviceexception", "exception": .serviceError("")
        default: root.rest.contains("opengis.net/gml") ? .gmlApplication : .xml(root: root.name)
        }
    }

    /// Returns the kind of JSON by its top-level members; `nil` for possible GeoJSON, and for unknown kinds.
    private static func kind(ofJSON members: JSONMembers) -> FeatureFileError.FileKind? {
        func has(_ names: String...) -> Bool { names.allSatisfy(members.has) }
        func has(any names: String...) -> Bool { names.contains(where: members.has) }
        let type = members["type"] ?? ""
        if [
            "FeatureCollection", "Feature", "GeometryCollection", "Point", "LineString", "Polygon", "MultiPoint",
            "MultiLineString", "MultiPolygon",
        ].contains(type) {
            return nil
        }
        if type == "Topology" { return .topoJSON }
        if type.hasPrefix("CityJSON") { return .cityJSON }
        if type.hasPrefix("Coverage") || type == "Domain" { return .coverageJSON }
        if has("tilejson") { return .tileJSON }
        if has("version", "sources", "layers") { return .mapboxStyle }
        if has("elements"), has(any: "osm3s", "generator", "version") { return .overpass }
        if type == "Feature Layer" || has("currentVersion") || has("mapName") || has("serviceDescription")
            || has("drawingInfo")
        {
            return .esriLayer
        }
        if has("layers"), members.names.count == 1 || has(any: "center", "zoom", "bbox", "size", "crs", "resolution") {
            return .mapDocument
        }
        if (members["geometryType"] ?? "").hasPrefix("esri")
            || has("features") && has(any: "fields", "spatialReference")
            || has("spatialReference") && has(any: "rings", "paths", "points", "x")
        {
            return .esriJSON
        }
        if has("stac_version") { return .stac }
        if has("Siri") { return .siri }
        if has("t", "event") { return .vehicleRecording }
        if has("links"), has(any: "title", "collections", "conformsTo", "description") { return .ogcAPI }
        if has(any: "error", "exceptions", "ExceptionReport"), members.names.count <= 5 {
            return .serviceError(members["error"] ?? members["message"] ?? "")
        }
        // Without a type it is not GeoJSON; an unknown type may be misspelt.
        return has("type") ? nil : .json(members: members.names)
    }
}
