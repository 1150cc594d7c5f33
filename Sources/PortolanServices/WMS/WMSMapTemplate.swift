public import PortolanGeo

/// All that the requests for maps of one source share; only extent and size are missing.
public struct WMSMapTemplate: Hashable, Sendable {
    /// The version spoken.
    public var version: WMSVersion
    /// The address that gets the requests.
    public var baseURL: String
    /// The layers, the bottommost first.
    public var layers: [String]
    /// A style for each layer.
    public var styles: [String]
    /// The system to ask in; extents of requests are in its units.
    public var crs: CRS
    /// The system's name as the server spells it.
    public var crsName: String
    /// Whether the map's system has other coordinates, so that pictures must be warped.
    public var needsReprojection: Bool
    /// The format as the server writes it.
    public var format: String
    /// Whether the background is transparent.
    public var isTransparent: Bool
    /// The colour of the background where it is not transparent.
    public var background: GetMapRequest.Color?
    /// In which order the sides of bounding boxes go.
    public var axisOrder: AxisOrderPolicy
    /// Whether ``axisOrder`` follows bounding boxes that contradict the standard; a lower version has no such doubt.
    public var isAxisOrderDoubtful: Bool
    /// More parameters, in their order.
    public var extraParameters: [GetMapRequest.Parameter]
    /// What can be had in one request.
    public var limits: WMSRequestLimits
    /// The most pixels in a row, or `nil`.
    public var maxWidth: Int? { limits.maxWidth }
    /// The most rows of pixels, or `nil`.
    public var maxHeight: Int? { limits.maxHeight }
    /// Where the layers have data together, in degrees, or `nil` when not all tell.
    public var geographicBox: BoundingBox?
    /// Whom to name beside the picture, each once, in the order of the layers.
    public var attributions: [WMSAttribution]
    /// What was decided against the user's wish or the document's word, a line each.
    public var warnings: [String]

    /// The request for a picture of `extent`, which is in units of ``crs``.
    ///
    /// - Parameter width: more than 0, as `height`.
    public func request(extent: Extent, width: Int, height: Int) -> GetMapRequest {
        GetMapRequest(
            version: version, baseURL: baseURL, layers: layers, styles: styles, crs: crs, crsName: crsName,
            extent: extent, width: width, height: height, format: format, isTransparent: isTransparent,
            background: background, axisOrder: axisOrder, extraParameters: extraParameters)
    }
}
