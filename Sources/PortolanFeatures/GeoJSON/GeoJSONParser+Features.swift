internal import PortolanGeo
import PortolanWeb

extension GeoJSONParser {
    /// Reads a feature, the cursor on its brace; only the outermost object may name a CRS.
    mutating func feature(_ text: Span<UInt8>, isRoot: Bool) throws(GeoJSONError) -> Feature {
        let start = position
        // What it takes itself, and where it lies and how it looks in a source.
        try charge(MemoryLayout<Feature>.stride + 160)
        var feature = Feature(geometry: nil)
        var foreign: [Properties.Element] = []
        var seen = SeenNames()
        var more = try begin(text, until: UInt8(ascii: "}"))
        while more {
            let number = try distinctName(text, &seen)
            switch number {
            case Known.type: try featureType(text)
            case Known.id: feature.id = try identifier(text)
            case Known.properties:
                switch skipSpace(text) {
                case UInt8(ascii: "{"): feature.properties = try properties(text)
                case UInt8(ascii: "n"): try literal(text, "null")
                default:
                    try passOver(text, wrongType(text, "the object of properties, or null,"), key: "properties")
                }
            case Known.geometry: feature.geometry = try geometryOrLoss(text, isRoot: isRoot)
            case Known.bbox: feature.declaredBounds = try bounds(text)
            case Known.crs where isRoot: try readCRS(text)
            default: foreign.append(Properties.Element(name: name(number), value: try value(text)))
            }
            more = try continues(text, until: UInt8(ascii: "}"))
        }
        if !seen.contains(Known.type) {
            guard seen.contains(Known.geometry) else {
                throw error(.missingMember, start, "a Feature needs a member \"type\"")
            }
            warn("a Feature needs a member \"type\"; taken as one", key: "type", at: start, effect: .repaired)
        }
        // QGIS Server tells so of pixels of a raster.
        for (member, name) in [(Known.geometry, "geometry"), (Known.properties, "properties")]
        where !seen.contains(member) {
            warn("a Feature should have a member \"\(name)\", be it null", key: name, at: start)
        }
        if !foreign.isEmpty { feature.foreignMembers = seen.properties(foreign) }
        if feature.geometry == nil, feature.foreignMembers["place"]?.objectValue != nil {
            // OGC 21-045r1: a geometry in another system, or of a kind that GeoJSON does not have.
            warn(
                "its shape stands in \"place\" of JSON-FG, which is not read", key: "place", at: start, effect: .omitted
            )
        }
        return feature
    }

    private static let featureType = ByteWords("\"Feature\"".utf8)

    private mutating func featureType(_ text: Span<UInt8>) throws(GeoJSONError) {
        guard skipSpace(text) == UInt8(ascii: "\"") else { throw wrongType(text, "the type \"Feature\"") }
        if Self.featureType.stands(in: text, at: position) { return position += Self.featureType.count }
        let offset = position
        let type = try string(text)
        guard type == "Feature" else {
            throw error(.wrongType, offset, "the type \"\(type.prefix(40))\" where \"Feature\" should stand")
        }
    }

    private mutating func identifier(_ text: Span<UInt8>) throws(GeoJSONError) -> FeatureID? {
        switch skipSpace(text) {
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return FeatureID(try value(text))
        case UInt8(ascii: "n"):
            try literal(text, "null")
            return nil
        default:
            try passOver(text, wrongType(text, "an id, which is a text or a number,"), key: "id")
            return nil
        }
    }

    /// Reads a `bbox`; one that is none is passed over with a warning, since the coordinates tell the same.
    mutating func bounds(_ text: Span<UInt8>) throws(GeoJSONError) -> DeclaredBounds? {
        _ = skipSpace(text)
        let offset = position
        let value = try value(text)
        if value == .null { return nil }
        guard let bounds = DeclaredBounds(value) else {
            warn("not a list of 4 or 6 numbers; ignored", key: "bbox", at: offset)
            return nil
        }
        return bounds
    }

    /// Reads the `crs` member as files from before RFC 7946 have it.
    ///
    /// Known forms: `{"type":"name","properties":{"name":…}}` of 2008, `{"type":"EPSG","properties":{"code":…}}` of
    /// 2006, `{"type":"OGC","properties":{"urn":…}}`, and a link whose address is itself a name of a CRS.
    mutating func readCRS(_ text: Span<UInt8>) throws(GeoJSONError) {
        _ = skipSpace(text)
        let offset = position
        let value = try value(text)
        if value == .null {
            warn("null says that no system may be assumed; taken as WGS 84", key: "crs", at: offset)
            return
        }
        if let name = value.stringValue {
            warn("a text where an object should stand; taken as a name", key: "crs", at: offset, effect: .repaired)
            return try setCRS(name, at: offset)
        }
        guard let object = value.objectValue else {
            return warn("not an object with a type and properties; ignored", key: "crs", at: offset, effect: .omitted)
        }
        let type = object["type"]?.stringValue ?? ""
        let properties = object["properties"]?.objectValue ?? [:]
        let name: String?
        switch type.lowercased() {
        case "name": name = properties["name"]?.stringValue
        case "epsg": name = properties["code"]?.displayText.map { $0.contains(":") ? $0 : "EPSG:\($0)" }
        case "ogc": name = properties["urn"]?.stringValue
        case "link": name = properties["href"]?.stringValue
        default:
            throw error(.unsupportedCRS, offset, "\"crs\" of the type \"\(type.prefix(40))\"; name and EPSG are known")
        }
        guard let name else {
            return warn("does not say which system it means; ignored", key: "crs", at: offset, effect: .omitted)
        }
        if type.lowercased() == "link" {
            guard let linked = try? CRS(name) else {
                return warn(
                    "a link (\(name.prefix(120))); links are not followed, taken as WGS 84", key: "crs", at: offset,
                    effect: .omitted)
            }
            crs = linked
        } else {
            try setCRS(name, at: offset)
        }
    }

    private mutating func setCRS(_ name: String, at offset: Int) throws(GeoJSONError) {
        do { crs = try CRS(name) } catch { throw self.error(.unsupportedCRS, offset, "\"crs\": \(error)") }
    }
}
