public import PortolanWeb

/// The offer of a Web Map Service: its capabilities document of version 1.0.0, 1.1.0, 1.1.1 or 1.3.0.
public struct WMSCapabilities: Hashable, Sendable {
    /// The version of the document, the nearest of those known.
    public var version: WMSVersion
    /// The version as the document writes it.
    public var versionText: String
    /// A value that changes when the document does, or `nil`.
    public var updateSequence: String?
    /// The provider of the service and its terms.
    public var service: WMSService
    /// The operations, in the order of the document.
    public var operations: [WMSOperation]
    /// The forms in which errors can be had.
    public var exceptionFormats: [WMSFormat]
    /// The outermost layers; mostly one.
    public var layers: [WMSLayer]
    /// The grids of tiles that the service has ready (WMS-C); listed in version 1.1.1 only, and when asked for.
    public var tileSets: [WMSCTileSet]
    /// Oddities of the document, a line each.
    public var warnings: [MapWarning]

    /// The operation with a name, whatever the case, or `nil`.
    public func operation(named name: String) -> WMSOperation? {
        operations.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The operation that draws maps, or `nil`.
    public var getMap: WMSOperation? { operation(named: "GetMap") }

    /// The operation that tells about features, or `nil`.
    public var getFeatureInfo: WMSOperation? { operation(named: "GetFeatureInfo") }

    /// The operation that gives this document, or `nil`.
    public var getCapabilities: WMSOperation? { operation(named: "GetCapabilities") }

    /// All layers, each before those inside it.
    ///
    /// - Complexity: linear in their number.
    public var allLayers: [WMSLayer] {
        var result: [WMSLayer] = []
        for layer in layers { layer.collect(into: &result) }
        return result
    }

    /// The names of all systems that layers list.
    ///
    /// - Complexity: linear in the document, in which lists of thousands of systems are inherited by thousands of layers.
    package var systemNames: Set<String> {
        var names: Set<String> = []
        func add(_ layer: WMSLayer, inherited: Int) {
            names.formUnion(layer.crsNames(besides: inherited))
            for child in layer.children { add(child, inherited: layer.crsNames.count) }
        }
        for layer in layers { add(layer, inherited: 0) }
        return names
    }

    /// The names that maps can be asked for by, in the order of the document and each once.
    public var layerNames: [String] {
        var seen: Set<String> = []
        return allLayers.compactMap(\.name).filter { seen.insert($0).inserted }
    }

    /// The first layer with a name, letter for letter, or `nil`.
    ///
    /// - Complexity: linear in the number of layers.
    public func layer(named name: String) -> WMSLayer? {
        for layer in layers {
            if let found = layer.layer(named: name) { return found }
        }
        return nil
    }
}

/// The provider of a service and its terms.
public struct WMSService: Hashable, Sendable {
    /// The title for people.
    public var title = ""
    /// The description, or `nil`.
    public var abstract: String?
    /// Words to find it by.
    public var keywords: [String] = []
    /// A page about it, or `nil`; requests do not go there.
    public var onlineResource: String?
    /// The fees, or `nil`.
    public var fees: String?
    /// The access constraints, or `nil`.
    public var accessConstraints: String?
    /// The contact, or `nil`.
    public var contact: WMSContact?
    /// The organization that answers for it, or `nil`.
    public var organization: String? { contact?.organization }
    /// The most layers in a request, or `nil` when the service states no limit.
    public var layerLimit: Int?
    /// The most pixels in a row, or `nil` when the service states no limit.
    public var maxWidth: Int?
    /// The most rows of pixels, or `nil` when the service states no limit.
    public var maxHeight: Int?
}

/// The contact of a service (OGC 06-042 7.2.4.3); fields that the service does not state are `nil`.
public struct WMSContact: Hashable, Sendable {
    /// A person.
    public var person: String?
    /// The organization.
    public var organization: String?
    /// The position of the person in it.
    public var position: String?
    /// The address in lines: street, place with postal code, province, country.
    public var address: [String] = []
    /// The telephone number.
    public var telephone: String?
    /// The fax number.
    public var fax: String?
    /// The electronic mail address.
    public var email: String?

    /// Creates a contact that tells nothing.
    public init() {}
}

/// An operation of a service.
public struct WMSOperation: Hashable, Sendable {
    /// The name by today's standard; `Map` of version 1.0.0 is `GetMap`.
    public var name: String
    /// The formats its answers can have.
    public var formats: [WMSFormat]
    /// The address for GET requests, or `nil`.
    public var getURL: String?
    /// The address for POST requests, or `nil`.
    public var postURL: String?
}

/// A version of the Web Map Service interface.
public enum WMSVersion: String, Hashable, Comparable, Sendable, CaseIterable, CustomStringConvertible {
    /// Version 1.0.0 (OGC 00-028).
    case v1_0_0 = "1.0.0"
    /// Version 1.1.0 (OGC 01-047r2).
    case v1_1_0 = "1.1.0"
    /// Version 1.1.1 (OGC 01-068r3).
    case v1_1_1 = "1.1.1"
    /// Version 1.3.0 (OGC 06-042, ISO 19128:2005).
    case v1_3_0 = "1.3.0"

    /// Reads a version; of one that is none of the four, as 1.0.7 or 1.2.0, the highest below it is taken.
    ///
    /// `nil` when the text is no version at all or one before 1.0.0.
    public init?(_ text: String) {
        let parts = text.trimmingSpace().split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...4).contains(parts.count), !parts.contains(nil) else { return nil }
        let numbers = parts.compactMap(\.self) + [0, 0, 0]
        guard numbers.allSatisfy({ (0...9999).contains($0) }) else { return nil }
        let number = numbers[0] * 100_000_000 + numbers[1] * 10_000 + numbers[2]
        switch number {
        case ..<100_000_000: return nil
        case ..<100_010_000: self = .v1_0_0
        case 100_010_000: self = .v1_1_0
        case ..<100_030_000: self = .v1_1_1
        default: self = .v1_3_0
        }
    }

    /// The three numbers.
    public var description: String { rawValue }

    /// Older versions come first.
    public static func < (left: WMSVersion, right: WMSVersion) -> Bool { left.rawValue < right.rawValue }

    /// The name of the parameter with the coordinate reference system.
    package var crsParameter: String { self >= .v1_3_0 ? "CRS" : "SRS" }

    /// The value of `EXCEPTIONS` that asks for XML.
    package var xmlExceptions: String {
        switch self {
        case .v1_0_0: "WMS_XML"
        case .v1_1_0, .v1_1_1: "application/vnd.ogc.se_xml"
        case .v1_3_0: "XML"
        }
    }
}

/// A request for what a WMS offers.
package struct GetCapabilitiesRequest: Hashable, Sendable {
    /// The version asked for, or `nil` for the highest there is; the answer may be of another.
    package var version: WMSVersion?
    /// The address of the service; its own query is kept.
    package var baseURL: NamedURL
    /// Whether tile sets (WMS-C) shall be listed; servers do so in version 1.1.1 only.
    package var isTiled: Bool
    /// More parameters, in their order.
    package var extraParameters: [GetMapRequest.Parameter]

    /// Creates a request.
    package init(
        version: WMSVersion? = nil, baseURL: NamedURL, isTiled: Bool = false,
        extraParameters: [GetMapRequest.Parameter] = []
    ) {
        self.version = version
        self.baseURL = baseURL
        self.isTiled = isTiled
        self.extraParameters = extraParameters
    }

    /// ``url``, named by who named the service's address.
    package var address: NamedURL { NamedURL(url, namedBy: baseURL.origin) }

    /// The address to get the document from.
    ///
    /// Follows OGC 06-042 table 3; without a version the parameter is left out, since an empty one is an error.
    package var url: String {
        var parameters = WMSParameters.opening(
            version: version, request: version == .v1_0_0 ? "capabilities" : "GetCapabilities")
        if isTiled { parameters.append(("TILED", "true")) }
        parameters += extraParameters.map { ($0.name, PercentEncoding.value($0.value)) }
        return ServiceURL(baseURL.text).url(with: parameters, dropping: WMSParameters.ofProtocol)
    }
}
