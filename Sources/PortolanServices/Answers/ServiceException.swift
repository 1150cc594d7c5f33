import PortolanWeb

/// An answer of a service in place of the requested document or picture.
public struct ServiceException: Hashable, Sendable, CustomStringConvertible {
    /// The form the answer had.
    public enum Shape: String, Hashable, Sendable {
        /// The `ServiceExceptionReport` of WMS 1.1.0 and newer, with or without a namespace.
        case serviceExceptionReport
        /// The `WMTException` of WMS 1.0.0.
        case wmtException
        /// The `ExceptionReport` of OGC Web Services Common (WMTS and others).
        case owsExceptionReport
        /// A page for people.
        case html
        /// Any other XML document.
        case xml
        /// Words without markup, or bytes that are none.
        case text
    }

    /// One of the things that went wrong.
    public struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// The code, as ``ServiceException/Code``, or `nil` when the service gave none.
        public let code: Code?
        /// The part of the request that the service found at fault, or `nil`.
        public let locator: String?
        /// The service's own words, in one line; may be empty.
        public let text: String

        /// Creates an entry.
        public init(code: Code?, locator: String? = nil, text: String) {
            self.code = code
            self.locator = locator
            self.text = text
        }

        /// Code, locator and words in one line.
        public var description: String {
            var head = code?.rawValue ?? ""
            if let locator { head += head.isEmpty ? locator : " (\(locator))" }
            if head.isEmpty { return text }
            return text.isEmpty ? head : head + ": " + text
        }
    }

    /// The form the answer had.
    public let shape: Shape
    /// The problems; never empty.
    public let entries: [Entry]

    private static let noReason = "no reason given by the service"

    /// Creates an exception with at least one entry.
    public init(shape: Shape, entries: [Entry]) {
        self.shape = shape
        self.entries = entries.isEmpty ? [Entry(code: nil, text: Self.noReason)] : entries
    }

    /// The first code there is, or `nil`.
    public var code: Code? { entries.lazy.compactMap(\.code).first }

    /// The words of all entries in one line.
    public var text: String { entries.map(\.text).filter { !$0.isEmpty }.joined(separator: "; ") }

    /// All entries in one line, of at most 4000 characters.
    public var description: String {
        let told = entries.map(\.description).filter { !$0.isEmpty }
        return told.isEmpty ? Self.noReason : ReadableText.line(told.joined(separator: "; "), limit: 4000)
    }
}

extension ServiceException {
    /// The code of an exception: one of a standard or any the service made up.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as the service wrote it.
        public let rawValue: String

        /// Creates a code.
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

extension ServiceException {
    /// The part of a request that a service finds at fault.
    public enum Fault: Hashable, Sendable {
        /// A layer that is not there.
        case layer
        /// A style that the layer does not have.
        case style
        /// The format.
        case format
        /// The reference system.
        case crs
        /// A time, an elevation or another dimension.
        case dimension
        /// The place asked about.
        case place
        /// The operation, in whole or for the layer.
        case operation
        /// None that the code tells.
        case unknown
    }

    /// The part of the request that the service finds at fault, by the first code there is.
    public var fault: Fault {
        switch code {
        case .layerNotDefined?: .layer
        case .styleNotDefined?: .style
        case .invalidFormat?: .format
        case .invalidCRS?, .invalidSRS?: .crs
        case .missingDimensionValue?, .invalidDimensionValue?: .dimension
        case .invalidPoint?: .place
        case .operationNotSupported?, .layerNotQueryable?: .operation
        default: .unknown
        }
    }
}
