import PortolanGeo
import PortolanWeb

/// Options of a layer from a Web Map Service.
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
    /// The address that requests are sent to.
    public var urlPolicy: ServiceURLPolicy
    /// More parameters, in their order.
    public var extraParameters: [GetMapRequest.Parameter]
    /// The tiling of the picture, or `nil` for one picture a view.
    public var tiling: WMSTiling?

    /// Creates options.
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

/// The way a client cuts the pictures of a WMS into tiles that it can cache.
public struct WMSTiling: Hashable, Sendable {
    /// The side of a tile in pixels, 16 to 4096; less where the service does not draw as much.
    public var tileSize: Int
    /// How many pixels more each tile is asked for on all sides, 0 to 1024, which are cut off: labels near the edge of a
    /// tile are then whole in it and in its neighbour.
    public var gutter: Int
    /// Whether a tile set that the service has ready is used where one has the same layers, styles, format and CRS.
    public var usesTileSets: Bool

    /// Creates a way to cut; sizes out of their range are brought into it.
    public init(tileSize: Int = 512, gutter: Int = 64, usesTileSets: Bool = true) {
        self.tileSize = min(max(tileSize, 16), 4096)
        self.gutter = min(max(gutter, 0), 1024)
        self.usesTileSets = usesTileSets
    }
}

/// A reason why a service cannot give what is requested; each case names what it offers instead.
public enum WMSNegotiationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No layer was asked for.
    case noLayers(offers: [String])
    /// There is no layer of this name.
    case layerNotFound(String, suggestion: String?, offers: [String])
    /// There are more styles than layers.
    case tooManyStyles(layers: Int, styles: Int)
    /// The layer has no style of this name.
    case styleNotFound(String, layer: String, offers: [String])
    /// The layers cannot be drawn in the system named, or in none that both sides know when it is `nil`.
    case crsNotOffered(String?, offers: [String])
    /// The service does not draw in the format named, or in none that can be read when it is `nil`.
    case formatNotOffered(String?, offers: [String])
    /// The service offers the format, but it is no picture.
    case formatNotPicture(String, offers: [String])
    /// The address is none that requests can be sent to.
    case badAddress(String)

    /// The problem and the alternatives, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .noLayers(let offers): "no layer given; available: \(offers.listed)"
        case .layerNotFound(let name, let suggestion, let offers):
            "unknown layer '\(name)'"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? ";") + " available: \(offers.listed)"
        case .tooManyStyles(let layers, let styles):
            "\(styles) styles for \(layers) layers; give at most one per layer"
        case .styleNotFound(let name, let layer, let offers):
            "unknown style '\(name)' of layer '\(layer)'; available: \(offers.listed)"
        case .crsNotOffered(let name?, let offers):
            (offers.contains(name)
                ? "the CRS \(name) is offered, but not supported here"
                : "the layers are not available in \(name)") + "; " + Self.possible(offers)
        case .crsNotOffered(nil, let offers):
            "the layers are not available in a supported CRS; " + Self.possible(offers)
        case .formatNotOffered(let name?, let offers):
            "the format \(name) is not offered; available: \(offers.listed)"
        case .formatNotOffered(nil, let offers):
            "no supported format; available: \(offers.listed)"
        case .formatNotPicture(let name, let offers):
            "\(name) is not a supported image format; available: \(offers.listed)"
        case .badAddress(let url): "'\(url)' is not an http or https URL"
        }
    }

    /// The reference systems among `offers` that can be requested, those that maps are transformed from first.
    private static func possible(_ offers: [String]) -> String {
        var seen: Set<CRS> = [], known: [(name: String, isProjected: Bool)] = []
        for name in offers {
            guard let crs = try? CRS(name), seen.insert(crs).inserted else { continue }
            known.append((name, crs.projection != nil))
        }
        let names = known.filter(\.isProjected).map(\.name) + known.filter { !$0.isProjected }.map(\.name)
        guard !names.isEmpty else { return "none of the offered ones is supported here: \(offers.listed)" }
        return "available: \(names.listed)"
    }
}
