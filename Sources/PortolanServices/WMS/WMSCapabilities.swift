public import PortolanWeb

/// The capabilities of a Web Map Service, version 1.0.0, 1.1.0, 1.1.1 or 1.3.0.
public struct WMSCapabilities: Hashable, Sendable {
    /// The closest known version to that of the document.
    public var version: WMSCapabilities.Version
    /// The version as written in the document.
    public var versionText: String
    /// A value that changes with the document, or `nil`.
    public var updateSequence: String?
    /// The provider of the service and its terms of use.
    public var service: WMSCapabilities.Service
    /// The operations, in the order of the document.
    public var operations: [WMSCapabilities.Operation]
    /// The exception formats.
    public var exceptionFormats: [WMSCapabilities.Format]
    /// The top-level layers, usually one.
    public var layers: [WMSCapabilities.Layer]
    /// The tile sets of the service (WMS-C), which are listed in version 1.1.1 and on request only.
    public var tileSets: [WMSCTileSet]
    /// Warnings about the document.
    public var warnings: [MapWarning]

    /// Returns the operation with a name, ignoring case, or `nil`.
    public func operation(named name: String) -> WMSCapabilities.Operation? {
        operations.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The GetMap operation, or `nil`.
    public var getMap: WMSCapabilities.Operation? { operation(named: "GetMap") }

    /// The GetFeatureInfo operation, or `nil`.
    public var getFeatureInfo: WMSCapabilities.Operation? { operation(named: "GetFeatureInfo") }

    /// The GetCapabilities operation, or `nil`.
    public var getCapabilities: WMSCapabilities.Operation? { operation(named: "GetCapabilities") }

    /// All layers, each before its children.
    ///
    /// - Complexity: linear in their number.
    public var allLayers: [WMSCapabilities.Layer] {
        var result: [WMSCapabilities.Layer] = []
        for layer in layers { layer.collect(into: &result) }
        return result
    }

    /// The names of all CRSs that layers list.
    ///
    /// - Complexity: linear in the document, even if thousands of layers inherit thousands of CRSs.
    package var systemNames: Set<String> {
        var names: Set<String> = []
        func add(_ layer: WMSCapabilities.Layer, inherited: Int) {
            names.formUnion(layer.crsNames(besides: inherited))
            for child in layer.children { add(child, inherited: layer.crsNames.count) }
        }
        for layer in layers { add(layer, inherited: 0) }
        return names
    }

    /// The unique layer names for map requests, in the order of the document.
    public var layerNames: [String] {
        var seen: Set<String> = []
        return allLayers.compactMap(\.name).filter { seen.insert($0).inserted }
    }

    /// Returns the first layer with exactly this name, or `nil`.
    ///
    /// - Complexity: linear in the number of layers.
    public func layer(named name: String) -> WMSCapabilities.Layer? {
        for layer in layers {
            if let found = layer.layer(named: name) { return found }
        }
        return nil
    }
}

extension WMSCapabilities {
    /// The provider of a service and its terms of use.
    public struct Service: Hashable, Sendable {
        /// The title.
        public var title = ""
        /// The description, or `nil`.
        public var abstract: String?
        /// The keywords.
        public var keywords: [String] = []
        /// A web page about the service, or `nil`; it is not used for requests.
        public var onlineResource: String?
        /// The fees, or `nil`.
        public var fees: String?
        /// The access constraints, or `nil`.
        public var accessConstraints: String?
        /// The contact, or `nil`.
        public var contact: WMSCapabilities.Contact?
        /// The organization that provides the service, or `nil`.
        public var organization: String? { contact?.organization }
        /// The maximum number of layers in a request, or `nil` for no stated limit.
        public var layerLimit: Int?
        /// The maximum width in pixels, or `nil` for no stated limit.
        public var maxWidth: Int?
        /// The maximum height in pixels, or `nil` for no stated limit.
        public var maxHeight: Int?
    }
}

extension WMSCapabilities {
    /// The contact of a service (OGC 06-042 7.2.4.3).
    ///
    /// Fields that the service does not state are `nil`.
    public struct Contact: Hashable, Sendable {
        /// The name of a person.
        public var person: String?
        /// The organization.
        public var organization: String?
        /// The position of the person in the organization.
        public var position: String?
        /// The lines of the postal address: street, city with postal code, province, country.
        public var address: [String] = []
        /// The telephone number.
        public var telephone: String?
        /// The fax number.
        public var fax: String?
        /// The email address.
        public var email: String?

        /// Creates an empty contact.
        public init() {}
    }
}

extension WMSCapabilities {
    /// An operation of a service.
    public struct Operation: Hashable, Sendable {
        /// The current standard name; `Map` of version 1.0.0 is `GetMap`.
        public var name: String
        /// The response formats.
        public var formats: [WMSCapabilities.Format]
        /// The URL for GET requests, or `nil`.
        public var getURL: String?
        /// The URL for POST requests, or `nil`.
        public var postURL: String?
    }
}

extension WMSCapabilities {
    /// A version of the Web Map Service interface.
    public enum Version: String, Hashable, Comparable, Sendable, CaseIterable, CustomStringConvertible {
        /// Version 1.0.0 (OGC 00-028).
        case v1_0_0 = "1.0.0"
        /// Version 1.1.0 (OGC 01-047r2).
        case v1_1_0 = "1.1.0"
        /// Version 1.1.1 (OGC 01-068r3).
        case v1_1_1 = "1.1.1"
        /// Version 1.3.0 (OGC 06-042, ISO 19128:2005).
        case v1_3_0 = "1.3.0"

        /// Parses a version.
        ///
        /// For a version other than the four, such as 1.0.7 or 1.2.0, the highest version below it is used.
        ///
        /// Returns `nil` if the text is not a version, or a version before 1.0.0.
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

        /// The three numbers of the version.
        public var description: String { rawValue }

        /// Whether one version is older than another.
        public static func < (left: WMSCapabilities.Version, right: WMSCapabilities.Version) -> Bool {
            left.rawValue < right.rawValue
        }

        /// The name of the CRS parameter.
        package var crsParameter: String { self >= .v1_3_0 ? "CRS" : "SRS" }

        /// The value of `EXCEPTIONS` for XML.
        package var xmlExceptions: String {
            switch self {
            case .v1_0_0: "WMS_XML"
            case .v1_1_0, .v1_1_1: "application/vnd.ogc.se_xml"
            case .v1_3_0: "XML"
            }
        }
    }
}

/// A WMS GetCapabilities request.
package struct GetCapabilitiesRequest: Hashable, Sendable {
    /// The requested version, or `nil` for the highest.
    ///
    /// The response may have another version.
    package var version: WMSCapabilities.Version?
    /// The URL of the service; its query is kept.
    package var baseURL: NamedURL
    /// Whether tile sets (WMS-C) are requested; servers list them in version 1.1.1 only.
    package var isTiled: Bool
    /// Additional parameters, in order.
    package var extraParameters: [GetMapRequest.Parameter]

    /// Creates a request.
    package init(
        version: WMSCapabilities.Version? = nil, baseURL: NamedURL, isTiled: Bool = false,
        extraParameters: [GetMapRequest.Parameter] = []
    ) {
        self.version = version
        self.baseURL = baseURL
        self.isTiled = isTiled
        self.extraParameters = extraParameters
    }

    /// ``url`` with the origin of the service's URL.
    package var address: NamedURL { NamedURL(url, namedBy: baseURL.origin) }

    /// The request URL.
    ///
    /// It follows OGC 06-042 table 3. Without a version the parameter is omitted, since an empty one is an error.
    package var url: String {
        var parameters = WMSParameters.opening(
            version: version, request: version == .v1_0_0 ? "capabilities" : "GetCapabilities")
        if isTiled { parameters.append(("TILED", "true")) }
        parameters += extraParameters.map { ($0.name, PercentEncoding.value($0.value)) }
        return ServiceURL(baseURL.text).url(with: parameters, dropping: WMSParameters.ofProtocol)
    }
}
