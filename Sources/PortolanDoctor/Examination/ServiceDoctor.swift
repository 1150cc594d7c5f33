public import Portolan
public import PortolanFetch
public import PortolanServices

/// Does with a service what a client would, and tells where it deviates from its standard.
///
/// Requests go one after the other, each once. Of a WMS the capabilities are asked for without a version, in 1.3.0,
/// 1.0.0, 1.1.1 and 1.1.0, or in those of ``ExaminationOptions/versions``. Then small maps are asked for in each version and in
/// a few reference systems and compared, an exception is provoked, and questions and legends are tried. Of WMTS and TMS
/// the documents are checked and a few tiles asked for; of WFS and OGC API - Features a few features, their next page, those in
/// a box, and the same in another reference system.
public struct ServiceDoctor: Sendable {
    private let client: ServiceClient

    /// Makes a doctor.
    ///
    /// - Parameters:
    ///   - configuration: header fields, time limits and the identification to use. Its cache is not: the server itself is
    ///     asked, even when the configuration is offline. Nor are its tries again: an answer that comes only
    ///     at the second try is a finding.
    ///   - transport: what carries the requests; the platform's own when `nil`.
    public init(configuration: RendererConfiguration = RendererConfiguration(), transport: (any HTTPTransport)? = nil) {
        var configuration = configuration.withoutCache
        configuration.retries.maximumCount = 0
        client = ServiceClient(configuration: configuration, transport: transport)
    }

    /// Examines the service at an address.
    ///
    /// - Parameter progress: called with the number of requests answered after each.
    /// - Throws: ``/Portolan/MapError`` when the service cannot be reached, is none of the kinds known, or has no layer of a
    ///   name that the options give.
    public func examine(
        _ url: String, options: ExaminationOptions = ExaminationOptions(),
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(MapError) -> ServiceDiagnosis {
        do { return try await diagnose(url, options: options, progress: progress) } catch { throw MapError(error) }
    }

    /// The same, with the closed error of connections.
    package func diagnose(
        _ url: String, options: ExaminationOptions, progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(ServiceError) -> ServiceDiagnosis {
        let probe = ServiceProbe(client: client, limit: options.maximumRequestCount, progress: progress)
        let none = ServiceError(
            .unreadable, url: url, detail: "the address is none of a WMS, a WMTS, a TMS, a WFS or an OGC API")
        switch options.kind {
        case .wms?: return try await WMSExamination.run(url, options, probe)
        case .wmts?:
            guard let diagnosis = try await WMTSExamination.run(url, options, probe) else { throw none }
            return diagnosis
        case .tms?:
            guard let diagnosis = try await TMSExamination.run(url, options, probe) else { throw none }
            return diagnosis
        case .wfs?:
            guard let diagnosis = try await FeatureServiceExamination.wfs(url, options, probe) else { throw none }
            return diagnosis
        case .ogcAPI?:
            guard let diagnosis = try await FeatureServiceExamination.ogcAPI(url, options, probe) else { throw none }
            return diagnosis
        case nil: break
        }
        let isLikelyWFS = url.lowercased().contains("wfs")
        if isLikelyWFS, let diagnosis = try await FeatureServiceExamination.wfs(url, options, probe) {
            return diagnosis
        }
        let isTiled = url.lowercased().contains("wmts")
        if isTiled, let diagnosis = try await WMTSExamination.run(url, options, probe) { return diagnosis }
        let isLikelyTMS = TMSDocument.isLikely(at: url)
        if isLikelyTMS, let diagnosis = try await TMSExamination.run(url, options, probe) { return diagnosis }
        var first: ServiceError?
        do { return try await WMSExamination.run(url, options, probe) } catch {
            guard error.isAnswer else { throw error }
            first = error
        }
        if !isLikelyTMS, let diagnosis = try await TMSExamination.run(url, options, probe) { return diagnosis }
        if !isTiled, let diagnosis = try await WMTSExamination.run(url, options, probe) { return diagnosis }
        if !isLikelyWFS, let diagnosis = try await FeatureServiceExamination.wfs(url, options, probe) {
            return diagnosis
        }
        if let diagnosis = try await FeatureServiceExamination.ogcAPI(url, options, probe) { return diagnosis }
        throw first ?? none
    }
}

/// Options of the examination of a service.
public struct ExaminationOptions: Hashable, Sendable {
    /// The layers that maps are asked of; empty for the first few that can be drawn.
    public var layers: [String]
    /// The kind of service that is examined, or `nil` for the one that the address is likeliest of.
    public var kind: ServiceDiagnosis.Kind?
    /// The number of layers taken where none are named.
    public var maximumLayerCount: Int
    /// The most requests sent in all; what is beyond is left out and told.
    public var maximumRequestCount: Int
    /// The versions that a WMS is examined in; empty for all that it speaks.
    ///
    /// A MapProxy whose configuration leaves out a version between two of its own forgets the newer one when it is asked
    /// for it, until it is started anew: name the others then.
    public var versions: [WMSVersion]

    /// Makes options: two layers and eighty requests at the most.
    public init(
        layers: [String] = [], maximumLayerCount: Int = 2, maximumRequestCount: Int = 80, versions: [WMSVersion] = []
    ) {
        self.layers = layers
        self.maximumLayerCount = maximumLayerCount
        self.maximumRequestCount = maximumRequestCount
        self.versions = versions
    }
}

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
        /// A Web Feature Service.
        case wfs = "WFS"
        /// An OGC API - Features.
        case ogcAPI = "OGC API - Features"
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
