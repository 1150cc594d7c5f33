package import PortolanGeo
package import PortolanWeb

/// A version of the Web Feature Service standard.
package enum WFSVersion: String, Hashable, Sendable, CaseIterable, Comparable {
    /// OGC 02-058.
    case v1_0_0 = "1.0.0"
    /// OGC 04-094.
    case v1_1_0 = "1.1.0"
    /// OGC 09-025r2, ISO 19142; 2.0.2 among them.
    case v2_0_0 = "2.0.0"

    /// The version of a document, of which the third number does not count, or `nil` when it is none of these.
    init?(document text: String) {
        switch text.split(separator: ".").prefix(2) {
        case ["1", "0"]: self = .v1_0_0
        case ["1", "1"]: self = .v1_1_0
        case ["2", "0"]: self = .v2_0_0
        default: return nil
        }
    }

    /// Whether one is older.
    package static func < (one: WFSVersion, other: WFSVersion) -> Bool { one.rawValue < other.rawValue }
}

/// What a Web Feature Service offers, as its capabilities of version 1.0.0, 1.1.0 or 2.0.0 tell.
package struct WFSCapabilities: Hashable, Sendable {
    /// The version of the document.
    package let version: WFSVersion
    /// The version as the document writes it.
    package let versionText: String
    /// The title for people, or an empty text.
    package let title: String
    /// The description of the service, or `nil`.
    package let abstract: String?
    /// What is asked for the use, or `nil`.
    package let fees: String?
    /// What the use is bound to, or `nil`.
    package let accessConstraints: String?
    /// The operations.
    package let operations: [Operation]
    /// The types of features, in the order of the document.
    package let featureTypes: [WFSFeatureType]
    /// How many features an answer has where a request says no number, or `nil` where that is not said.
    package let defaultCount: Int?
    /// Whether answers come in pages, or `nil` where that is not said.
    package let hasPaging: Bool?
    /// What is odd about the document, a sentence each.
    package let warnings: [MapWarning]

    /// What can be asked of a service, and where.
    package struct Operation: Hashable, Sendable {
        /// The name, `GetFeature` for one.
        package let name: String
        /// The address for GET, or `nil` where there is none.
        package let getURL: String?
        /// The formats of its answers.
        package let outputFormats: [String]
    }

    /// The operation of a name, or `nil`.
    package func operation(named name: String) -> Operation? { operations.first { $0.name == name } }
}

/// A type of features that a WFS has.
package struct WFSFeatureType: Hashable, Sendable {
    /// The name, with its prefix where it has one.
    package let name: String
    /// The title for people, or an empty text.
    package let title: String
    /// What its features are, or `nil`.
    package let abstract: String?
    /// The system in which they are kept, as the document writes it, or `nil` where none is named.
    package let defaultCRSName: String?
    /// The other systems in which they can be had.
    package let otherCRSNames: [String]
    /// The formats of answers, where the type has its own.
    package let outputFormats: [String]
    /// Where they lie, in degrees, or `nil` where that is not said.
    package let geographicBox: BoundingBox?

    /// All systems, the default first.
    package var crsNames: [String] { [defaultCRSName].compactMap(\.self) + otherCRSNames }

    /// The name without its prefix.
    package var localName: String { name.split(separator: ":").last.map(String.init) ?? name }
}
