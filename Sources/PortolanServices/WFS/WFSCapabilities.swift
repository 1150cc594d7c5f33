package import PortolanGeo
package import PortolanWeb

/// A version of the Web Feature Service standard.
package enum WFSVersion: String, Hashable, Sendable, CaseIterable, Comparable {
    /// OGC 02-058.
    case v1_0_0 = "1.0.0"
    /// OGC 04-094.
    case v1_1_0 = "1.1.0"
    /// OGC 09-025r2, ISO 19142, including 2.0.2.
    case v2_0_0 = "2.0.0"

    /// Creates the version of a document, without regard to its third number, or returns `nil` for other versions.
    init?(document text: String) {
        switch text.split(separator: ".").prefix(2) {
        case ["1", "0"]: self = .v1_0_0
        case ["1", "1"]: self = .v1_1_0
        case ["2", "0"]: self = .v2_0_0
        default: return nil
        }
    }

    /// Returns whether one version is older than another.
    package static func < (one: WFSVersion, other: WFSVersion) -> Bool { one.rawValue < other.rawValue }
}

/// The capabilities of a Web Feature Service, version 1.0.0, 1.1.0 or 2.0.0.
package struct WFSCapabilities: Hashable, Sendable {
    /// The version of the document.
    package let version: WFSVersion
    /// The version as written in the document.
    package let versionText: String
    /// The title, or an empty string.
    package let title: String
    /// The description of the service, or `nil`.
    package let abstract: String?
    /// The fees, or `nil`.
    package let fees: String?
    /// The access constraints, or `nil`.
    package let accessConstraints: String?
    /// The operations.
    package let operations: [Operation]
    /// The feature types, in the order of the document.
    package let featureTypes: [WFSFeatureType]
    /// The number of features in a response to a request without a number, or `nil` if unknown.
    package let defaultCount: Int?
    /// Whether responses can be paged, or `nil` if unknown.
    package let hasPaging: Bool?
    /// Warnings about the document.
    package let warnings: [MapWarning]

    /// An operation of the service.
    package struct Operation: Hashable, Sendable {
        /// The name, such as `GetFeature`.
        package let name: String
        /// The URL for GET, or `nil`.
        package let getURL: String?
        /// The response formats.
        package let outputFormats: [String]
    }

    /// Returns the operation with a name, or `nil`.
    package func operation(named name: String) -> Operation? { operations.first { $0.name == name } }
}

/// A feature type of a WFS.
package struct WFSFeatureType: Hashable, Sendable {
    /// The name, with its prefix if there is one.
    package let name: String
    /// The title, or an empty string.
    package let title: String
    /// The description, or `nil`.
    package let abstract: String?
    /// The default CRS as written in the document, or `nil`.
    package let defaultCRSName: String?
    /// The other available CRSs.
    package let otherCRSNames: [String]
    /// The response formats of the type, if it has its own.
    package let outputFormats: [String]
    /// The bounding box in degrees, or `nil` if unknown.
    package let geographicBox: BoundingBox?

    /// All CRSs, the default first.
    package var crsNames: [String] { [defaultCRSName].compactMap(\.self) + otherCRSNames }

    /// The name without its prefix.
    package var localName: String { name.split(separator: ":").last.map(String.init) ?? name }
}
