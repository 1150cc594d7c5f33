import PortolanWeb

/// Options of a layer from a tile service.
public struct WMTSChoice: Hashable, Sendable {
    /// The encoding of tile requests.
    public enum Encoding: String, Hashable, Sendable, CaseIterable {
        /// By the parameters of a query (OGC 07-057r7 clause 8).
        case parameters
        /// By the templates of addresses (OGC 07-057r7 clause 10).
        case path
    }

    /// The layer, or `nil` for the only one.
    public var layer: String?
    /// The matrix set, or `nil` for the best for the map.
    public var matrixSet: String?
    /// The style, or `nil` for the default one.
    public var style: String?
    /// The format, a media type or a word like `png`, or `nil` for PNG before others.
    public var format: String?
    /// Values of dimensions; those missing have the values that the service takes by default.
    public var dimensions: [String: String]
    /// The encoding of requests, or `nil` for templates where there are some, and parameters where those fail.
    public var encoding: Encoding?
    /// The system of the matrix set, for a set whose own is not known or wrong, or `nil` for what the document says.
    public var crsName: String?
    /// The choice among the addresses that the service advertises and the caller's.
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

/// A reason why a service cannot give the requested tiles; each case names what it offers instead.
public enum WMTSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are several layers and none is named.
    case noLayer(offers: [String])
    /// There is no layer of this name.
    case layerNotFound(String, suggestion: String?, offers: [String])
    /// The layer has no style of this name.
    case styleNotFound(String, layer: String, offers: [String])
    /// The layer's tiles cannot be had in the format named, or in none that can be read when it is `nil`.
    case formatNotOffered(String?, offers: [String])
    /// The layer cannot be had in the matrix set named, or in none that can be brought onto the map when it is `nil`.
    case matrixSetNotOffered(String?, offers: [String])
    /// The layer has no dimension of this name.
    case dimensionNotFound(String, layer: String, offers: [String])
    /// The reference system is not known.
    case crs(String)
    /// The matrix set named has no tiles that can be asked for.
    case noTiles(String)
    /// The matrix sets that the layer is linked to are missing or cannot be used; the texts tell why.
    case noMatrixSet(reasons: [String])
    /// Nothing tells where tiles can be had, in the encoding wanted; the texts are templates that cannot be used.
    case noAddress(unusable: [String])
    /// The address is none that requests can be sent to.
    case badAddress(String)

    /// The problem and the alternatives, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

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
