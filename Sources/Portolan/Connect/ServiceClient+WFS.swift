public import PortolanFeatures
import PortolanFetch
public import PortolanPlan
public import PortolanServices
public import PortolanStyles
public import PortolanWeb

extension ServiceClient {
    /// The style and the maximum number of features of a feature service layer.
    public struct FeatureAppearance: Sendable {
        /// The style keys of the layer.
        public var style = StyleDeclaration()
        /// The style sheet that replaces all other styling, or `nil`.
        public var sheet: StyleSheet?
        /// The base URL of relative sprite URLs in the style sheet, or `nil` to ignore them.
        public var sheetBaseURL: BaseURL?
        /// The table whose values features get, or `nil`.
        public var join: FeatureJoin?
        /// The maximum number of features per view.
        public var limit = FeatureServiceSource.standardLimit

        /// Creates the default appearance.
        public init() {}
    }

    /// Returns the capabilities of a Web Feature Service.
    ///
    /// - Parameters:
    ///   - url: the URL of the service; its query is kept.
    ///   - version: the requested version, or `nil` for the newest. The response may have another version.
    /// - Throws: ``MapError``.
    package func wfsCapabilities(
        of url: String, version: WFSVersion? = nil
    ) async throws(MapError) -> WFSCapabilities {
        do { return try await readWFSCapabilities(of: url, version: version) } catch { throw MapError(error) }
    }

    /// Implements `wfsCapabilities` with the typed error `ServiceError`.
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

    /// Creates a layer of the features of a WFS.
    ///
    /// Each view fetches the features that it shows.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of the service; its query is kept.
    ///   - options: the options of the layer.
    ///   - appearance: how the features are drawn.
    /// - Returns: the layer, and warnings about the negotiation.
    /// - Throws: ``MapError``.
    public func wfsLayer(
        named name: String, url: String, options: WFSOptions, appearance: FeatureAppearance = FeatureAppearance()
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectWFS(
                named: name, url: url, options: options, appearance: appearance)
        } catch { throw MapError(error) }
    }

    /// Implements `wfsLayer` with the typed error `ServiceError`.
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

    /// Returns the layer of a request for features.
    package func featureLayer(
        _ name: String, _ request: FeatureRequest, _ bounds: LayerBounds?, _ appearance: FeatureAppearance
    ) -> MapLayer {
        var source = FeatureServiceSource(
            request, style: appearance.style, sheet: appearance.sheet, limit: appearance.limit, bounds: bounds,
            memory: memory)
        source.appearance.sheetBaseURL = appearance.sheetBaseURL
        source.appearance.join = appearance.join
        return MapLayer(name: name, source: source)
    }
}
