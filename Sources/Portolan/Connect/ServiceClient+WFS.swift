public import PortolanFeatures
import PortolanFetch
public import PortolanPlan
public import PortolanServices
public import PortolanStyles
public import PortolanWeb

extension ServiceClient {
    /// How the features of a service are drawn, and how many at the most.
    public struct FeatureAppearance: Sendable {
        /// What the layer says about the look of features.
        public var style = StyleDeclaration()
        /// The style that draws them in place of all else, or `nil`.
        public var sheet: StyleSheet?
        /// What relative addresses of that style's sprites are relative to, or `nil` when they lead nowhere.
        public var sheetBaseURL: BaseURL?
        /// The most features of a view.
        public var limit = FeatureServiceSource.standardLimit

        /// Makes the usual look.
        public init() {}
    }

    /// What a Web Feature Service offers.
    ///
    /// - Parameters:
    ///   - url: the address of the service; its own query is kept.
    ///   - version: the version asked for, or `nil` for the newest; the answer may be of another.
    /// - Throws: ``MapError``.
    package func wfsCapabilities(
        of url: String, version: WFSVersion? = nil
    ) async throws(MapError) -> WFSCapabilities {
        do { return try await readWFSCapabilities(of: url, version: version) } catch { throw MapError(error) }
    }

    /// The same, with the closed error of connections.
    package func readWFSCapabilities(
        of url: String, version: WFSVersion? = nil
    ) async throws(ServiceError) -> WFSCapabilities {
        try await wfsDocument(of: url, version: version).capabilities
    }

    private func wfsDocument(
        of url: String, version: WFSVersion?
    ) async throws(ServiceError) -> (capabilities: WFSCapabilities, base: BaseURL) {
        let address = WFSCapabilitiesRequest(version: version, baseURL: NamedURL(url, namedBy: origin)).address
        return try await document(at: address) { response throws(ServiceError) in
            do throws(CapabilitiesError) {
                let type = response.header("Content-Type")
                let capabilities = try WFSCapabilitiesReader.read(response.body, contentType: type)
                return (capabilities, base(of: response, askedFor: NamedURL(url, namedBy: origin)))
            } catch {
                throw ServiceError(error, in: response, url: address.text)
            }
        }
    }

    /// A layer of the features of a WFS, which a view fetches as far as it shows them.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the address of the service; its own query is kept.
    ///   - options: what is wanted of it.
    ///   - appearance: how the features are drawn.
    /// - Returns: the layer, and what a person should know of the negotiation.
    /// - Throws: ``MapError``.
    public func wfsLayer(
        named name: String, url: String, options: WFSOptions, appearance: FeatureAppearance = FeatureAppearance()
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectWFS(
                named: name, url: url, options: options, appearance: appearance)
        } catch { throw MapError(error) }
    }

    /// The same, with the closed error of connections.
    package func connectWFS(
        named name: String, url: String, options: WFSOptions, appearance: FeatureAppearance = FeatureAppearance()
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let (offered, base) = try await naming(NamedURL(url, namedBy: origin), wanted: .wfs) {
            () throws(ServiceError) in
            try await wfsDocument(of: url, version: options.version)
        }
        let request: WFSFeatureRequest
        do { request = try WFSNegotiation.request(for: options, of: offered, document: base) } catch {
            throw ServiceError(.wfs(error), url: url)
        }
        var warnings = offered.warnings + request.warnings
        if let wanted = options.version, wanted != offered.version {
            warnings.append(
                MapWarning(
                    .service,
                    message: "version \(wanted.rawValue) is not offered; using \(offered.version.rawValue)"))
        }
        if offered.version == .v1_0_0 {
            warnings.append(
                MapWarning(
                    .service, message: "version 1.0.0 has no paging and no reliable axis order; prefer a newer version"
                ))
        }
        let type = offered.featureTypes.first { $0.name == request.typeName }
        return (
            featureLayer(name, .wfs(request), type?.geographicBox.flatMap { LayerBounds(geographic: $0) }, appearance),
            warnings
        )
    }

    func featureLayer(
        _ name: String, _ request: FeatureRequest, _ bounds: LayerBounds?, _ appearance: FeatureAppearance
    ) -> MapLayer {
        var source = FeatureServiceSource(
            request, style: appearance.style, sheet: appearance.sheet, limit: appearance.limit, bounds: bounds,
            memory: memory)
        source.appearance.sheetBaseURL = appearance.sheetBaseURL
        return MapLayer(name: name, source: source)
    }
}
