public import PortolanGeo
package import PortolanWeb

/// What is wanted of a WFS.
public struct WFSOptions: Hashable, Sendable {
    /// The name of the type of features; its prefix may be left out.
    public var typeName: String
    /// The version to speak, or `nil` for the newest.
    package var version: WFSVersion?
    /// The system to ask in, in any spelling, or `nil` for the one that suits.
    public var crsName: String?
    /// The format of the answers as the service writes it, or `nil` for GeoJSON, else the newest GML.
    public var outputFormat: String?
    /// The order of axes in bounding boxes and responses.
    public var axisOrder = AxisOrderPolicy.auto
    /// The address that is asked.
    public var urlPolicy = ServiceURLPolicy.advertised

    /// Creates options.
    public init(typeName: String) { self.typeName = typeName }
}

/// Chooses how a WFS is asked.
package enum WFSNegotiation {
    /// The requests for the features of a type.
    ///
    /// Asked for is, where nothing else is said: GeoJSON in degrees, which has no doubt of axes, or else the newest GML in the
    /// default system, or in one that is known.
    ///
    /// - Parameters:
    ///   - base: the address of the capabilities, from which those in them are judged.
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
        // A short name, and all names before 1.1.0, mean x first.
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
        // Who leaves the prefix out has mistaken the rest.
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
        /// Whether the name is one that the order of axes goes with, as URNs and URLs of OGC are.
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
            // Services give more systems than they list, and refuse those that they do not.
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

/// What the names of formats say.
enum WFSFormat {
    /// Whether a format is GeoJSON; names that have nothing of JSON but a call of a script are not.
    static func isGeoJSON(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.contains("json")
            && !["javascript", "jsonp", "callback", "esri", "topojson", "jsonld", "ld+json"]
                .contains(where: name.contains)
    }

    /// How new a format of GML is, or `nil` where it is none that can be read as it comes.
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

/// Why a WFS does not give what is asked for.
public enum WFSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no type of that name.
    case typeNotFound(String, suggestion: String?, offers: [String])
    /// The format is not among those offered, or, where none was asked for, none of them can be read.
    case formatNotOffered(String?, offers: [String])
    /// The system is not among those of the type, or, where none was asked for, none of them is known.
    case crsNotOffered(String?, type: String, offers: [String])
    /// The system asked for is not known.
    case crs(CRSError)

    /// The problem, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

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
