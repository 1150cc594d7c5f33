import PortolanWeb

/// The options of a WMTS layer.
///
/// ```swift
/// let choice = WMTSChoice(layer: "topo", matrixSet: "WebMercatorQuad", format: "png")
/// ```
public struct WMTSOptions: Hashable, Sendable {
    /// The encoding of tile requests.
    public enum Encoding: String, Hashable, Sendable, CaseIterable {
        /// Key-value parameters in the query (OGC 07-057r7 clause 8).
        case parameters
        /// URL templates (OGC 07-057r7 clause 10).
        case path
    }

    /// The layer, or `nil` for the only one.
    public var layer: String?
    /// The tile matrix set, or `nil` for the best for the map.
    public var matrixSet: String?
    /// The style, or `nil` for the default.
    public var style: String?
    /// The format, a media type or a word such as `png`, or `nil` for PNG if available.
    public var format: String?
    /// The values of dimensions; missing ones have the default of the service.
    public var dimensions: [String: String]
    /// The encoding of requests, or `nil` for templates if available, with parameters as a fallback.
    public var encoding: Encoding?
    /// The CRS of the matrix set, if that in the document is unknown or wrong; `nil` for that in the document.
    public var crsName: String?
    /// The policy for the service URL.
    public var urlPolicy = ServiceURLPolicy.advertised

    /// Creates a choice.
    public init(
        layer: String? = nil, matrixSet: String? = nil, style: String? = nil, format: String? = nil,
        dimensions: [String: String] = [:], encoding: Encoding? = nil, crsName: String? = nil
    ) {
        self.layer = layer
        self.matrixSet = matrixSet
        self.style = style
        self.format = format
        self.dimensions = dimensions
        self.encoding = encoding
        self.crsName = crsName
    }
}

/// A reason why a service cannot provide the requested tiles, with the available alternatives.
package enum WMTSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are several layers, and none is named.
    case noLayer(offers: [String])
    /// The layer does not exist.
    case layerNotFound(String, suggestion: String?, offers: [String])
    /// The layer does not have the style.
    case styleNotFound(String, layer: String, offers: [String])
    /// The tiles are not available in the given format or, if it is `nil`, in any readable format.
    case formatNotOffered(String?, offers: [String])
    /// The layer is not available in the given matrix set or, if it is `nil`, in any that can be transformed to the
    /// map.
    case matrixSetNotOffered(String?, offers: [String])
    /// The layer does not have the dimension.
    case dimensionNotFound(String, layer: String, offers: [String])
    /// The CRS is unknown.
    case crs(String)
    /// The matrix set has no tiles that can be requested.
    case noTiles(String)
    /// The matrix sets of the layer are missing or unusable, for the given reasons.
    case noMatrixSet(reasons: [String])
    /// There is no URL for tiles in the requested encoding; the texts are unusable templates.
    case noAddress(unusable: [String])
    /// The URL is not valid for requests.
    case badAddress(String)

    /// The cause and the alternatives, in one line.
    package var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .noLayer(let offers): "no layer given; available: \(offers.listed)"
        case .layerNotFound(let name, let suggestion, let offers):
            "unknown layer '\(name)'"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? ";") + " available: \(offers.listed)"
        case .styleNotFound(let name, let layer, let offers):
            "unknown style '\(name)' of layer '\(layer)'; available: \(offers.listed)"
        case .formatNotOffered(let name?, let offers):
            "the layer is not available as \(name); available: \(offers.listed)"
        case .formatNotOffered(nil, let offers):
            "the layer has no supported format; available: \(offers.listed)"
        case .matrixSetNotOffered(let name?, let offers):
            "the layer is not available in the matrix set '\(name)'; available: \(offers.listed)"
        case .matrixSetNotOffered(nil, let offers):
            "the layer has no matrix set with a supported CRS; available: \(offers.listed); the key crs sets the CRS of "
                + "a set whose own is unknown"
        case .dimensionNotFound(let name, let layer, let offers):
            "unknown dimension '\(name)' of layer '\(layer)'; available: \(offers.listed)"
        case .crs(let text): text
        case .noTiles(let name): "no usable tiles in the matrix set '\(name)'"
        case .noMatrixSet(let reasons):
            "no usable matrix set for the layer"
                + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: "; "))")
        case .noAddress(let unusable) where unusable.isEmpty:
            "no tile URL in the capabilities: neither a template nor a KVP URL"
        case .noAddress(let unusable):
            "no usable tile URL in the capabilities; a template needs {TileMatrix}, {TileRow} and {TileCol}, "
                + "each once, and a host: \(unusable.listed)"
        case .badAddress(let url): "'\(url)' is not an http or https URL"
        }
    }
}
