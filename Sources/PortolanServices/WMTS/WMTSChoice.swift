/// What a user wants of a tile service.
public struct WMTSChoice: Hashable, Sendable {
    /// How tiles are asked for.
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
    /// The format, a media type or a word like `png`, or `nil` for PNG before JPEG.
    public var format: String?
    /// Values of dimensions; those missing have the values that the service takes by default.
    public var dimensions: [String: String]
    /// How tiles are asked for, or `nil` for templates where there are some.
    public var encoding: Encoding?

    /// Makes a choice.
    public init(
        layer: String? = nil, matrixSet: String? = nil, style: String? = nil, format: String? = nil,
        dimensions: [String: String] = [:], encoding: Encoding? = nil
    ) {
        self.layer = layer
        self.matrixSet = matrixSet
        self.style = style
        self.format = format
        self.dimensions = dimensions
        self.encoding = encoding
    }
}
