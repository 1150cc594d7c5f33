import PortolanFeatures
import PortolanGeo
import PortolanServices
import PortolanWeb

/// The parsed URL of an operation in an offering, such as a complete GetMap request.
struct ServiceOperation {
    /// The URL without the parameters of the protocol, to which those of another request can be added.
    let service: String
    /// The decoded values by uppercase name; the first of duplicates.
    let values: [String: String]
    /// The names as written, in their order.
    let names: [String]

    /// Parses a URL.
    ///
    /// - Parameter dropped: the uppercase names of protocol parameters.
    init(_ href: String, dropping dropped: Set<String>, orBeginningWith prefix: String? = nil) {
        var values: [String: String] = [:], names: [String] = [], own = dropped
        let query = href.firstIndex(of: "?").map { href[$0...].dropFirst().prefix { $0 != "#" } } ?? ""
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(parts[0]), key = name.uppercased()
            names.append(name)
            if values[key] == nil { values[key] = parts.count == 2 ? Self.decoded(parts[1]) : "" }
            if let prefix, key.hasPrefix(prefix) { own.insert(parts[0].uppercased()) }
        }
        self.values = values
        self.names = names
        service = ServiceURL(href).url(with: [], dropping: own)
    }

    /// Returns the value of a parameter, or `nil` if it is absent or empty.
    subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Decodes a query value, in which HTML forms encode a space as `+`.
    private static func decoded(_ text: Substring) -> String {
        let text = String(text).replacing("+", with: " ")
        guard let bytes = PercentEncoding.decode(text.utf8) else { return text }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}

/// Reads the layer in an offering of an OWS Context (OGC 12-080r2, annex A; 14-055r2).
struct OfferingReader {
    /// The offering classes that are drawn.
    ///
    /// The last three are not in the standard: other programs write two of them, and the one for OGC API is defined by
    /// this package.
    enum Kind: String {
        case wms, wmts, wfs, geojson, xyz
        case ogcAPI = "ogcapi-features"

        /// Creates the class for a code: of the GeoJSON or Atom encoding, in any spelling, or a schema URL.
        init?(code: String) {
            let parts = code.lowercased().split(separator: "/").map(String.init)
            guard let host = parts.firstIndex(where: { $0.hasSuffix("opengis.net") }) else { return nil }
            let path = parts[host...].dropFirst(), isSchema = parts[host] == "schemas.opengis.net"
            guard isSchema || path.contains(where: { $0.hasPrefix("owc") }) else { return nil }
            guard let name = isSchema ? path.first : path.last, let kind = Kind(rawValue: name) else { return nil }
            self = kind
        }

        /// The code in the GeoJSON encoding.
        var code: String { "http://www.opengis.net/spec/owc-geojson/1.0/req/\(rawValue)" }
    }

    /// The layer content of an offering.
    struct Content {
        var kind: LayerKind
        var source: String
        var values: [String: String] = [:]
    }

    private(set) var warnings: [MapWarning] = []

    private mutating func warn(_ message: String) {
        warnings.append(MapWarning(.oddValue, effect: .ignored, message: message))
    }

    /// Returns the layer, or `nil` if the offering is incomplete.
    mutating func content(of offering: Properties, _ kind: Kind) -> Content? {
        switch kind {
        case .wms: wms(offering)
        case .wmts: wmts(offering)
        case .wfs: wfs(offering)
        case .ogcAPI: ogcAPI(offering)
        case .geojson: features(offering)
        case .xyz: template(offering)
        }
    }

    /// Returns the URL of an operation, by its name in any case.
    private func href(_ code: String, in offering: Properties) -> String? {
        for case .object(let operation) in offering["operations"]?.arrayValue ?? []
        where operation["code"]?.stringValue?.lowercased() == code {
            let method = operation["method"]?.stringValue ?? "GET"
            if method.uppercased() == "GET", let href = operation["href"]?.stringValue, !href.isEmpty { return href }
        }
        return nil
    }

    // MARK: - WMS

    static let parametersOfWMS = WMSParameters.ofProtocol.union(["TIME", "ELEVATION"])
    private static let dimension = "DIM_"

    private mutating func wms(_ offering: Properties) -> Content? {
        let map = href("getmap", in: offering).map {
            ServiceOperation($0, dropping: Self.parametersOfWMS, orBeginningWith: Self.dimension)
        }
        let offer = href("getcapabilities", in: offering).map {
            ServiceOperation($0, dropping: Self.parametersOfWMS, orBeginningWith: Self.dimension)
        }
        guard let source = (offer ?? map)?.service, let map, let layers = map["LAYERS"] else { return nil }
        var content = Content(kind: .wms, source: source, values: ["layers": layers])
        if let text = map["VERSION"] ?? map["WMTVER"] {
            // Some contexts write `1.3`.
            let version =
                WMSCapabilities.Version(rawValue: text)
                ?? WMSCapabilities.Version.allCases.last { $0.rawValue.hasPrefix(text + ".") }
            content.values["version"] = version?.rawValue
            if version == nil { warn("unknown WMS version '\(text)'") }
        }
        if let styles = map["STYLES"], styles.contains(where: { $0 != "," }) {
            content.values["styles"] = styles
        } else if let style = chosenStyle(of: offering), !layers.contains(",") {
            content.values["styles"] = style
        }
        if let crs = map["CRS"] ?? map["SRS"] {
            if (try? CRS(crs)) != nil {
                content.values["crs"] = crs
            } else {
                warn("unknown coordinate system '\(crs)'; using one that the service offers")
            }
        }
        content.values["format"] = map["FORMAT"]
        if let text = map["TRANSPARENT"]?.lowercased(), ["true", "false"].contains(text) {
            content.values["transparent"] = text
        }
        let own = Set((offer?.values ?? [:]).keys)
        for name in map.names {
            let key = name.uppercased()
            let isDimension = key == "TIME" || key == "ELEVATION" || key.hasPrefix(Self.dimension)
            // The parameters of the service itself are already in its URL.
            guard isDimension || (!Self.parametersOfWMS.contains(key) && offer != nil && !own.contains(key)) else {
                continue
            }
            if let value = map[key] { content.values["params.\(name)"] = value }
        }
        return content
    }

    /// Returns the default style of an offering, for a request without a style.
    private func chosenStyle(of offering: Properties) -> String? {
        for case .object(let style) in offering["styles"]?.arrayValue ?? [] where style["default"]?.boolValue == true {
            if let name = style["name"]?.stringValue, !name.isEmpty, !name.contains(",") { return name }
        }
        return nil
    }

    // MARK: - WMTS

    static let parametersOfWMTS = WMTSParameters.ofProtocol

    private mutating func wmts(_ offering: Properties) -> Content? {
        let tile = href("gettile", in: offering).map { ServiceOperation($0, dropping: Self.parametersOfWMTS) }
        let offer = href("getcapabilities", in: offering).map {
            ServiceOperation($0, dropping: Self.parametersOfWMTS)
        }
        guard let source = (offer ?? tile)?.service else { return nil }
        var content = Content(kind: .wmts, source: source)
        content.values["layer"] = tile?["LAYER"]
        content.values["matrix-set"] = tile?["TILEMATRIXSET"]
        content.values["style"] = tile?["STYLE"] ?? chosenStyle(of: offering)
        content.values["format"] = tile?["FORMAT"]
        let own = Set((offer?.values ?? [:]).keys)
        for name in tile?.names ?? [] where offer != nil && !own.contains(name.uppercased()) {
            let key = name.uppercased()
            if !Self.parametersOfWMTS.contains(key), let value = tile?[key] { content.values["dim.\(name)"] = value }
        }
        return content
    }

    // MARK: - Feature services

    static let parametersOfWFS = WFSFeatureRequest.ofProtocol

    /// Reads a feature type; the first if the request has several.
    private mutating func wfs(_ offering: Properties) -> Content? {
        let features = href("getfeature", in: offering).map { ServiceOperation($0, dropping: Self.parametersOfWFS) }
        let offer = href("getcapabilities", in: offering).map {
            ServiceOperation($0, dropping: Self.parametersOfWFS)
        }
        guard let source = (offer ?? features)?.service, let features,
            let types = features["TYPENAMES"] ?? features["TYPENAME"]
        else { return nil }
        let names = types.split(separator: ",").map(String.init)
        guard let name = names.first else { return nil }
        if names.count > 1 { warn("only the first of the types \(types) is drawn") }
        var content = Content(kind: .wfs, source: source, values: ["layers": name])
        if let text = features["VERSION"] {
            content.values["version"] = WFSVersion(rawValue: text)?.rawValue
            if content.values["version"] == nil { warn("unknown WFS version '\(text)'") }
        }
        if let crs = features["SRSNAME"] {
            if (try? CRS(crs)) != nil {
                content.values["crs"] = crs
            } else {
                warn("unknown coordinate system '\(crs)'; using one that the service offers")
            }
        }
        content.values["format"] = features["OUTPUTFORMAT"]
        return content
    }

    /// Reads a collection; its items have a fixed path (OGC 17-069r4, clause 7.15).
    private func ogcAPI(_ offering: Properties) -> Content? {
        guard let items = href("items", in: offering) else { return nil }
        let path = items.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 3, parts.last == "items", parts[parts.count - 3] == "collections",
            let bytes = PercentEncoding.decode(parts[parts.count - 2].utf8),
            let name = String(validating: bytes, as: UTF8.self), !name.isEmpty
        else { return nil }
        let landing = href("landingpage", in: offering) ?? parts.dropLast(3).joined(separator: "/")
        var content = Content(kind: .ogcAPI, source: landing, values: ["layers": name])
        if let crs = ServiceOperation(items, dropping: [])["CRS"], (try? CRS(crs)) != nil {
            content.values["crs"] = crs
        }
        return content
    }

    // MARK: - Features and templates

    private func features(_ offering: Properties) -> Content? {
        for case .object(let content) in offering["contents"]?.arrayValue ?? [] {
            if let href = content["href"]?.stringValue, !href.isEmpty { return Content(kind: .features, source: href) }
            let inline: [UInt8]
            switch content["content"] {
            case .string(let text)?: inline = Array(text.utf8)
            case .object(let members)?: inline = GeoJSONWriter.json(.object(members))
            default: continue
            }
            return Content(
                kind: .features, source: "data:application/geo+json;base64," + Base64.encode(inline))
        }
        return nil
    }

    private func template(_ offering: Properties) -> Content? {
        for case .object(let operation) in offering["operations"]?.arrayValue ?? [] {
            guard let href = operation["href"]?.stringValue else { continue }
            let braces = [("%7B", "{"), ("%7b", "{"), ("%7D", "}"), ("%7d", "}")]
            let template = braces.reduce(href) { $0.replacing($1.0, with: $1.1) }
            if LayerSpecification.isTemplate(template) {
                return Content(kind: .xyz, source: template)
            }
        }
        return nil
    }
}
