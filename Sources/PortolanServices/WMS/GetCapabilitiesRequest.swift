import PortolanWeb

/// A request for what a WMS offers.
public struct GetCapabilitiesRequest: Hashable, Sendable {
    /// The version asked for, or `nil` for the highest there is; the answer may be of another.
    public var version: WMSVersion?
    /// The address of the service; its own query is kept.
    public var baseURL: String
    /// Whether tile sets (WMS-C) shall be listed; servers do so in version 1.1.1 only.
    public var isTiled: Bool
    /// More parameters, in their order.
    public var extraParameters: [GetMapRequest.Parameter]

    /// Makes a request.
    public init(
        version: WMSVersion? = nil, baseURL: String, isTiled: Bool = false,
        extraParameters: [GetMapRequest.Parameter] = []
    ) {
        self.version = version
        self.baseURL = baseURL
        self.isTiled = isTiled
        self.extraParameters = extraParameters
    }

    /// The address to get the document from.
    ///
    /// Follows OGC 06-042 table 3; without a version the parameter is left out, since an empty one is an error.
    public var url: String {
        var parameters = WMSParameters.opening(
            version: version, request: version == .v1_0_0 ? "capabilities" : "GetCapabilities")
        if isTiled { parameters.append(("TILED", "true")) }
        parameters += extraParameters.map { ($0.name, PercentEncoding.value($0.value)) }
        return ServiceURL(baseURL).url(with: parameters, dropping: WMSParameters.ofProtocol)
    }
}
