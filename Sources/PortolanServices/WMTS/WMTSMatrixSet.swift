public import PortolanGeo

/// A pyramid of tiles as a service describes it.
public struct WMTSMatrixSet: Hashable, Sendable {
    /// One level, in the numbers of the document.
    public struct Matrix: Hashable, Sendable {
        /// The name to ask for it by.
        public var identifier: String
        /// The scale denominator, for pixels of 0.28 mm unless the service errs.
        public var scaleDenominator: Double
        /// The first number of the top left corner, in the order of the document.
        public var cornerFirst: Double
        /// The second number of the top left corner, in the order of the document.
        public var cornerSecond: Double
        /// Pixels in a row of a tile.
        public var tileWidth: Int
        /// Rows of pixels of a tile.
        public var tileHeight: Int
        /// How many columns of tiles there are.
        public var columnCount: Int
        /// How many rows of tiles there are.
        public var rowCount: Int
    }

    /// The name to ask for it by.
    public var identifier: String
    /// The title for people, or `nil`.
    public var title: String?
    /// The reference system's name as the document writes it.
    public var crsName: String
    /// The system, or `nil` when it is not in the catalogue.
    public var crs: CRS?
    /// What it covers, or `nil` when the document does not tell.
    public var box: WMTSLayer.Box?
    /// The name of the well-known scale set that its levels are of, or `nil`.
    public var wellKnownScaleSet: String?
    /// The levels, in the order of the document.
    public var matrices: [Matrix]
}
