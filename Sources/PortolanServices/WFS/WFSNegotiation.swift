package import PortolanGeo
package import PortolanWeb

/// The options of a WFS layer.
public struct WFSOptions: Hashable, Sendable {
    /// The name of the feature type; its prefix may be omitted.
    public var typeName: String
    /// The protocol version, or `nil` for the newest.
    package var version: WFSVersion?
    /// The CRS to request, in any spelling, or `nil` for the most suitable.
    public var crsName: String?
    /// The response format as written by the service, or `nil` for GeoJSON, or else the newest GML.
    public var outputFormat: String?
    /// The order of axes in bounding boxes and responses.
    public var axisOrder = WMSOptions.AxisOrderPolicy.auto
    /// The policy for the service URL.
    public var urlPolicy = ServiceURLPolicy.advertised

    /// Creates options.
    public init(typeName: String) { self.typeName = typeName }
}

/// Negotiates WFS requests.
package enum WFSNegotiation {
    /// Returns the request template for the features of a type.
    ///
    /// By default, it requests GeoJSON in degrees, whose axis order is unambiguous, or else the newest GML in the
    /// default CRS or in a known one.
    ///
    /// - Parameters:
    ///   - base: the URL of the capabilities, the base document for URLs in them.
    /// - Throws: ``WFSError``.
    package static func request(
        for options: WFSOptions, of offered: WFSCapabilities, document base: BaseURL
    ) throws(WFSError) -> WFSFeatureRequest {
        let type = try featureType(options.typeName, in: offered)
        var notes = ReaderNotes()
        let operation = offered.operation(named: "GetFeature")
        if operation != nil, operation?.getURL == nil {
            notes.add("no GET URL in the capabilities; using the URL of the service")
        }
        let formats = type.outputFormats + (operation?.outputFormats ?? [])
        let format = try format(options.outputFormat, among: formats, type.name)
        let isGeoJSON = format.map(WFSFormat.isGeoJSON) ?? false
        let system = try system(options.crsName, of: type, prefersDegrees: isGeoJSON, version: offered.version)
        let rule = AdvertisedAddress(
            document: base, policy: options.urlPolicy, subject: "features", dropping: WFSFeatureRequest.ofProtocol,
            hasKey: true)
        let address = rule.operation(operation?.getURL) { notes.add($0) }
        // A short CRS name, and all names before 1.1.0, mean x first.
        let hasOwnOrder = offered.version > .v1_0_0 && system.isFormal
        let axisOrder = options.axisOrder == .auto && !hasOwnOrder ? .xy : options.axisOrder
        let isNorthFirst = BoundingBoxWriter.isNorthFirst(crs: system.crs, axisOrder: axisOrder)
        return WFSFeatureRequest(
            version: offered.version, typeName: type.name, crs: system.crs, crsName: system.name, outputFormat: format,
            isGeoJSON: isGeoJSON, isNorthFirst: isNorthFirst, axisOrder: options.axisOrder,
            hasPaging: offered.version == .v2_0_0 && offered.hasPaging != false, defaultCount: offered.defaultCount,
            address: address, document: base, warnings: notes.warnings)
    }

    private static func featureType(_ name: String, in offered: WFSCapabilities) throws(WFSError) -> WFSFeatureType {
        let types = offered.featureTypes
        if let type = types.first(where: { $0.name == name }) { return type }
        let alike = types.filter { $0.localName == name }
        if let only = alike.first, alike.count == 1 { return only }
        let names = types.map(\.name)
        // If the prefix is missing, the rest of the name may be misspelt.
        let near =
            NearName.nearest(to: name, in: names)
            ?? NearName.nearest(to: name, in: types.map(\.localName)).flatMap { local in
                types.first { $0.localName == local }?.name
            }
        throw .typeNotFound(name, suggestion: near, offers: names)
    }

    private static func format(
        _ wanted: String?, among formats: [String], _ type: String
    ) throws(WFSError) -> String? {
        if let wanted {
            let found = formats.first { $0.lowercased() == wanted.lowercased() }
            guard found != nil || formats.isEmpty else { throw .formatNotOffered(wanted, offers: formats) }
            return found ?? wanted
        }
        if let json = formats.first(where: WFSFormat.isGeoJSON) { return json }
        let ranked = formats.compactMap { format in WFSFormat.rankOfGML(format).map { (rank: $0, format: format) } }
        if let best = ranked.max(by: { $0.rank < $1.rank }) { return best.format }
        guard formats.isEmpty else { throw .formatNotOffered(nil, offers: formats) }
        return nil
    }

    private struct System {
        let crs: CRS
        let name: String
        /// Whether the name implies the axis order of the CRS, as URNs and URLs of OGC do.
        var isFormal: Bool { name.lowercased().hasPrefix("urn:") || name.lowercased().contains("/def/crs/") }
    }

    private static func system(
        _ pinned: String?, of type: WFSFeatureType, prefersDegrees: Bool, version: WFSVersion
    ) throws(WFSError) -> System {
        let offered = type.crsNames.compactMap { name in (try? CRS(name)).map { System(crs: $0, name: name) } }
        if let pinned {
            let wanted: CRS
            do { wanted = try CRS(pinned) } catch { throw .crs(error) }
            if let named = offered.first(where: { $0.name == pinned }) { return named }
            if let same = offered.first(where: { $0.crs == wanted }) { return same }
            guard offered.isEmpty || version > .v1_0_0 else {
                throw .crsNotOffered(pinned, type: type.name, offers: type.crsNames)
            }
            // Some services support more CRSs than they list, and reject unsupported ones.
            return System(crs: wanted, name: pinned)
        }
        let usable = offered.filter { $0.crs.projection != nil }
        if prefersDegrees, let degrees = usable.first(where: { $0.crs.hasCoordinates(of: .crs84) }) { return degrees }
        if let first = usable.first { return first }
        guard type.crsNames.isEmpty || version > .v1_0_0 else {
            throw .crsNotOffered(nil, type: type.name, offers: type.crsNames)
        }
        return System(crs: .epsg4326, name: version == .v1_0_0 ? "EPSG:4326" : "urn:ogc:def:crs:EPSG::4326")
    }
}

/// Recognizes format names.
enum WFSFormat {
    /// Returns whether a format is GeoJSON.
    ///
    /// JSONP formats are excluded.
    static func isGeoJSON(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.contains("json")
            && !["javascript", "jsonp", "callback", "esri", "topojson", "jsonld", "ld+json"]
                .contains(where: name.contains)
    }

    /// Returns the rank of a GML format by version, or `nil` for formats that cannot be read directly.
    static func rankOfGML(_ name: String) -> Int? {
        let name = name.lowercased()
        guard name.contains("gml") || name.hasPrefix("text/xml; subtype") || name == "text/xml" || name == "xmlschema"
        else { return nil }
        guard !["zip", "gzip", "compressed"].contains(where: name.contains) else { return nil }
        if name.contains("3.2") || name.contains("gml32") { return 4 }
        if name.contains("3.1") || name.contains("gml31") { return 3 }
        if name.contains("gml3") || name.contains("gml/3") { return 2 }
        return name.contains("gml2") || name.contains("2.1") || name.contains("gml/2") ? 1 : 0
    }
}

/// A reason why a WFS cannot provide the requested features.
package enum WFSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The feature type does not exist.
    case typeNotFound(String, suggestion: String?, offers: [String])
    /// The format is not offered or, without a requested format, none of the offered ones is supported.
    case formatNotOffered(String?, offers: [String])
    /// The CRS is not offered for the type or, without a requested CRS, none of the offered ones is known.
    case crsNotOffered(String?, type: String, offers: [String])
    /// The requested CRS is unknown.
    case crs(CRSError)

    /// The error message, in one line.
    package var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .typeNotFound(let name, let suggestion, let offers):
            "unknown feature type '\(name)'"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? ";") + " available: \(offers.listed)"
        case .formatNotOffered(let name?, let offers):
            "features are not available as \(name); available: \(offers.listed)"
        case .formatNotOffered(nil, let offers):
            "no supported feature format; available: \(offers.listed)"
        case .crsNotOffered(let name?, let type, let offers):
            "'\(type)' is not available in \(name); available: \(offers.listed)"
        case .crsNotOffered(nil, let type, let offers):
            "'\(type)' has no known CRS; available: \(offers.listed)"
        case .crs(let error): error.description
        }
    }
}
