/// The result of examining a service.
public struct ServiceDiagnosis: Hashable, Sendable {
    /// The kinds of service.
    public enum Kind: String, Hashable, Sendable {
        /// A Web Map Service.
        case wms = "WMS"
        /// A Web Map Tile Service.
        case wmts = "WMTS"
        /// A Tile Map Service.
        case tms = "TMS"
    }

    /// One part of the examination.
    public struct Section: Hashable, Sendable {
        /// The subject of the part.
        public let title: String
        /// The checks that passed, a line each.
        public var passed: [String] = []
        /// The findings, the gravest first.
        public var findings: [Finding] = []
        /// The checks that were left out, and why.
        public var skipped: [String] = []

        init(_ title: String) { self.title = title }
    }

    /// The kind of the service.
    public let kind: Kind
    /// The address, without secrets.
    public let url: String
    /// Its title for people.
    public let title: String
    /// The versions it speaks, the newest first.
    public let versions: [String]
    /// The parts, in the order of the examination.
    public let sections: [Section]
    /// The number of requests sent.
    public let requestCount: Int
    /// Whether the bound on requests cut the examination short.
    public let isCutShort: Bool

    /// All findings, in the order of the sections.
    public var findings: [Finding] { sections.flatMap(\.findings) }

    /// The severity of the gravest finding, or `nil` when there is none.
    public var gravest: Finding.Severity? { findings.map(\.severity).max() }
}
