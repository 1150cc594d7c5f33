extension ServiceException {
    /// The code of an exception: one of a standard or any the service made up.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as the service wrote it.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code as the service wrote it.
        public var description: String { rawValue }

        /// The format is not offered.
        public static let invalidFormat = Code(rawValue: "InvalidFormat")
        /// The CRS is not offered (WMS 1.3.0).
        public static let invalidCRS = Code(rawValue: "InvalidCRS")
        /// The CRS is not offered (WMS 1.1.1 and older).
        public static let invalidSRS = Code(rawValue: "InvalidSRS")
        /// There is no such layer.
        public static let layerNotDefined = Code(rawValue: "LayerNotDefined")
        /// The layer has no such style.
        public static let styleNotDefined = Code(rawValue: "StyleNotDefined")
        /// The layer answers no questions about features.
        public static let layerNotQueryable = Code(rawValue: "LayerNotQueryable")
        /// The place asked about is outside the picture.
        public static let invalidPoint = Code(rawValue: "InvalidPoint")
        /// The update sequence is the current one.
        public static let currentUpdateSequence = Code(rawValue: "CurrentUpdateSequence")
        /// The update sequence is newer than the current one.
        public static let invalidUpdateSequence = Code(rawValue: "InvalidUpdateSequence")
        /// A value for a dimension without a default is missing.
        public static let missingDimensionValue = Code(rawValue: "MissingDimensionValue")
        /// A dimension has no such value.
        public static let invalidDimensionValue = Code(rawValue: "InvalidDimensionValue")
        /// The operation is not offered.
        public static let operationNotSupported = Code(rawValue: "OperationNotSupported")
        /// A parameter is missing (OWS Common).
        public static let missingParameterValue = Code(rawValue: "MissingParameterValue")
        /// A parameter has a value that is not allowed (OWS Common).
        public static let invalidParameterValue = Code(rawValue: "InvalidParameterValue")
        /// The tile is not in the matrix (WMTS).
        public static let tileOutOfRange = Code(rawValue: "TileOutOfRange")
        /// None of the other codes (OWS Common).
        public static let noApplicableCode = Code(rawValue: "NoApplicableCode")
    }
}
