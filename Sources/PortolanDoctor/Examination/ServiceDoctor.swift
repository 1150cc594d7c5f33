public import Portolan
public import PortolanFetch
public import PortolanServices

/// Uses a service as a client would, and reports deviations from its standard.
///
/// Requests are sent one after the other, each once. A WMS is asked for its capabilities without a version, in 1.3.0,
/// 1.0.0, 1.1.1 and 1.1.0, or in those of ``ServiceDoctor/Options/versions``. Small maps in each version and in
/// a few coordinate systems are compared, an exception is provoked, and GetFeatureInfo and legends are tried. For WMTS and TMS,
/// the documents and a few tiles are checked; for WFS and OGC API - Features a few features, their next page, those in
/// a box, and the same in another coordinate system.
public struct ServiceDoctor: Sendable {
    private let client: ServiceClient

    /// Makes a doctor.
    ///
    /// - Parameters:
    ///   - configuration: header fields, time limits and the identification. Its cache is not used: requests are always
    ///     sent, even if the configuration is offline. Failed requests are not retried: a response that only succeeds
    ///     the second time is a finding.
    ///   - transport: the HTTP transport; that of the platform if `nil`.
    public init(configuration: RendererConfiguration = RendererConfiguration(), transport: (any HTTPTransport)? = nil) {
        var configuration = configuration.withoutCache
        configuration.retries.maximumCount = 0
        client = ServiceClient(configuration: configuration, transport: transport)
    }

    /// Examines the service at a URL.
    ///
    /// - Parameter progress: called after each response with the number of completed requests.
    /// - Throws: ``/Portolan/MapError`` if the service is unreachable, of an unknown kind, or has no layer of a
    ///   name in the options.
    public func examine(
        _ url: String, options: ServiceDoctor.Options = ServiceDoctor.Options(),
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(MapError) -> ServiceDiagnosis {
        do { return try await diagnose(url, options: options, progress: progress) } catch { throw MapError(error) }
    }

    /// The same, with the closed error type of connections.
    package func diagnose(
        _ url: String, options: ServiceDoctor.Options, progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(ServiceError) -> ServiceDiagnosis {
        let probe = ServiceProbe(client: client, limit: options.maximumRequestCount, progress: progress)
        let none = ServiceError(
            .unreadable, url: url, detail: "the URL is not a WMS, WMTS, TMS, WFS, OGC API or TileJSON document")
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
        case .pmtiles?: return try await TileArchiveExamination.run(url: url, client)
        case .geoTIFF?: return try await GeoTIFFExamination.run(url: url, client)
        case .tileJSON?, .mbtiles?:
            guard let diagnosis = try await TileJSONExamination.run(url, options, probe) else { throw none }
            return diagnosis
        case nil: break
        }
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        if path.hasSuffix(".pmtiles") { return try await TileArchiveExamination.run(url: url, client) }
        if path.hasSuffix(".tif") || path.hasSuffix(".tiff") {
            return try await GeoTIFFExamination.run(url: url, client)
        }
        let isLikelyTileJSON = path.hasSuffix(".json")
        if isLikelyTileJSON, let diagnosis = try await TileJSONExamination.run(url, options, probe) { return diagnosis }
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
        if !isLikelyTileJSON, let diagnosis = try await TileJSONExamination.run(url, options, probe) {
            return diagnosis
        }
        throw first ?? none
    }
}

extension ServiceDoctor {
    /// Options of the examination of a service.
    public struct Options: Hashable, Sendable {
        /// The layers to request; empty for the first few that can be drawn.
        public var layers: [String]
        /// The kind of service, or `nil` for the most likely one.
        public var kind: ServiceDiagnosis.Kind?
        /// The number of layers if none are named.
        public var maximumLayerCount: Int
        /// The request limit.
        ///
        /// Further checks are skipped and reported.
        public var maximumRequestCount: Int
        /// The WMS versions to examine; empty for all supported ones.
        ///
        /// A MapProxy whose configuration skips a version between two others forgets the newer one when that version is
        /// requested, until it is restarted. In that case, name the other versions.
        public var versions: [WMSCapabilities.Version]

        /// Makes options: at most two layers and eighty requests.
        public init(
            layers: [String] = [], maximumLayerCount: Int = 2, maximumRequestCount: Int = 80,
            versions: [WMSCapabilities.Version] = []
        ) {
            self.layers = layers
            self.maximumLayerCount = maximumLayerCount
            self.maximumRequestCount = maximumRequestCount
            self.versions = versions
        }
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
        /// A TileJSON document.
        case tileJSON = "TileJSON"
        /// A PMTiles archive.
        case pmtiles = "PMTiles"
        /// An MBTiles file.
        case mbtiles = "MBTiles"
        /// A GeoTIFF image.
        case geoTIFF = "GeoTIFF"
    }

    /// One part of the examination.
    public struct Section: Hashable, Sendable {
        /// The subject of the part.
        public let title: String
        /// The passed checks, one line each.
        public var passed: [String] = []
        /// The findings, most severe first.
        public var findings: [Finding] = []
        /// The skipped checks, and why.
        public var skipped: [String] = []

        init(_ title: String) { self.title = title }
    }

    /// The kind of the service.
    public let kind: Kind
    /// The URL, without secrets.
    public let url: String
    /// Its title.
    public let title: String
    /// The supported versions, newest first.
    public let versions: [String]
    /// The parts, in the order of the examination.
    public let sections: [Section]
    /// The number of requests sent.
    public let requestCount: Int
    /// Whether the request limit cut the examination short.
    public let isCutShort: Bool

    /// All findings, in the order of the sections.
    public var findings: [Finding] { sections.flatMap(\.findings) }

    /// The highest severity of the findings, or `nil`.
    public var gravest: Finding.Severity? { findings.map(\.severity).max() }
}
