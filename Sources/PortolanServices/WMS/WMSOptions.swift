import PortolanGeo
import PortolanWeb

/// The options of a WMS layer.
///
/// ```swift
/// var options = WMSOptions(layers: ["depths"])
/// options.extraParameters = [.init("TIME", "2026-11-26")]
/// options.tiling = WMSTiling(tileSize: 512)
/// ```
public struct WMSOptions: Hashable, Sendable {
    /// The layers, the lowest first.
    public var layers: [String]
    /// A style for each layer; missing and empty ones are the default style.
    public var styles: [String]
    /// The protocol version, or `nil` for that of the capabilities.
    public var version: WMSCapabilities.Version?
    /// The CRS of requests, in any spelling, or `nil` for the best one.
    public var crsName: String?
    /// The media type of images, or `nil` for the best one.
    public var format: String?
    /// Whether the background is transparent.
    public var isTransparent: Bool
    /// The colour of an opaque background; `nil` for that of the server.
    public var background: GetMapRequest.Color?
    /// The axis order of bounding boxes.
    public var axisOrder: WMSOptions.AxisOrderPolicy
    /// The policy for the service URL.
    public var urlPolicy: ServiceURLPolicy
    /// Additional parameters, in order.
    public var extraParameters: [GetMapRequest.Parameter]
    /// The tiling of the layer, or `nil` for one image per view.
    public var tiling: WMSOptions.Tiling?

    /// Creates options.
    public init(
        layers: [String], styles: [String] = [], version: WMSCapabilities.Version? = nil, crsName: String? = nil,
        format: String? = nil, isTransparent: Bool = true, background: GetMapRequest.Color? = .white,
        axisOrder: WMSOptions.AxisOrderPolicy = .auto, urlPolicy: ServiceURLPolicy = .advertised,
        extraParameters: [GetMapRequest.Parameter] = [], tiling: WMSOptions.Tiling? = nil
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

extension WMSOptions {
    /// The division of WMS images into cacheable tiles.
    public struct Tiling: Hashable, Sendable {
        /// The side length of a tile in pixels, 16 to 4096; less if the service has a lower limit.
        public var tileSize: Int
        /// The margin that is requested on all sides of a tile and cut off, 0 to 1024 pixels.
        ///
        /// With it, labels near the edge of a tile are complete across both tiles.
        public var gutter: Int
        /// Whether an existing tile set of the service is used if it has the same layers, styles, format and CRS.
        public var usesTileSets: Bool

        /// Creates a tiling; sizes out of range are clamped.
        public init(tileSize: Int = 512, gutter: Int = 64, usesTileSets: Bool = true) {
            self.tileSize = min(max(tileSize, 16), 4096)
            self.gutter = min(max(gutter, 0), 1024)
            self.usesTileSets = usesTileSets
        }
    }
}

/// A reason why a service cannot provide the requested map, with the available alternatives.
package enum WMSNegotiationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No layer was requested.
    case noLayers(offers: [String])
    /// The layer does not exist.
    case layerNotFound(String, suggestion: String?, offers: [String])
    /// There are more styles than layers.
    case tooManyStyles(layers: Int, styles: Int)
    /// The layer does not have the style.
    case styleNotFound(String, layer: String, offers: [String])
    /// The layers are not available in the given CRS or, if it is `nil`, in any CRS that both sides support.
    case crsNotOffered(String?, offers: [String])
    /// The service does not offer the given format or, if it is `nil`, any readable format.
    case formatNotOffered(String?, offers: [String])
    /// The service offers the format, but it is not an image format.
    case formatNotPicture(String, offers: [String])
    /// The URL is not valid for requests.
    case badAddress(String)

    /// The cause and the alternatives, in one line.
    package var description: String { ReadableText.line(words, limit: 4000) }

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

    /// Returns the supported CRSs among `offers`, those with a transformation to map CRSs first.
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
