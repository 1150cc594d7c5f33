/// What a user wants of a Web Map Service.
public struct WMSOptions: Hashable, Sendable {
    /// The layers, the bottommost first.
    public var layers: [String]
    /// A style for each layer; those missing or empty are the default ones.
    public var styles: [String]
    /// The version to speak, or `nil` for that of the capabilities.
    public var version: WMSVersion?
    /// The reference system to ask in, in any spelling, or `nil` for the best one.
    public var crsName: String?
    /// The format, a media type, or `nil` for the best one.
    public var format: String?
    /// Whether the background shall be transparent.
    public var isTransparent: Bool
    /// The colour of the background where it is not transparent; `nil` leaves it to the server.
    public var background: GetMapRequest.Color?
    /// In which order the sides of bounding boxes go.
    public var axisOrder: AxisOrderPolicy
    /// Which address gets the requests.
    public var urlPolicy: ServiceURLPolicy
    /// More parameters, in their order.
    public var extraParameters: [GetMapRequest.Parameter]
    /// How the picture is cut into tiles, or `nil` for one picture a view.
    public var tiling: WMSTiling?

    /// Makes options.
    public init(
        layers: [String], styles: [String] = [], version: WMSVersion? = nil, crsName: String? = nil,
        format: String? = nil, isTransparent: Bool = true, background: GetMapRequest.Color? = .white,
        axisOrder: AxisOrderPolicy = .auto, urlPolicy: ServiceURLPolicy = .advertised,
        extraParameters: [GetMapRequest.Parameter] = [], tiling: WMSTiling? = nil
    ) {
        self.layers = layers
        self.styles = styles
        self.version = version
        self.crsName = crsName
        self.format = format
        self.isTransparent = isTransparent
        self.background = background
        self.axisOrder = axisOrder
        self.urlPolicy = urlPolicy
        self.extraParameters = extraParameters
        self.tiling = tiling
    }
}
