import PortolanWeb

/// A service's error response in place of the requested document or image.
public struct ServiceException: Hashable, Sendable, CustomStringConvertible {
    /// The form of the response.
    public enum Shape: String, Hashable, Sendable {
        /// The `ServiceExceptionReport` of WMS 1.1.0 and later, with or without a namespace.
        case serviceExceptionReport
        /// The `WMTException` of WMS 1.0.0.
        case wmtException
        /// The `ExceptionReport` of OGC Web Services Common (WMTS and others).
        case owsExceptionReport
        /// An HTML page.
        case html
        /// Any other XML document.
        case xml
        /// Text without markup, or undecodable bytes.
        case text
    }

    /// A single problem.
    public struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// The code, as ``ServiceException/Code``, or `nil` if none exists.
        public let code: Code?
        /// The part of the request that caused the problem, or `nil`.
        public let locator: String?
        /// The service's message, in one line; may be empty.
        public let text: String

        /// Creates an entry.
        public init(code: Code?, locator: String? = nil, text: String) {
            self.code = code
            self.locator = locator
            self.text = text
        }

        /// The code, locator and message, in one line.
        public var description: String {
            var head = code?.rawValue ?? ""
            if let locator { head += head.isEmpty ? locator : " (\(locator))" }
            if head.isEmpty { return text }
            return text.isEmpty ? head : head + ": " + text
        }
    }

    /// The form of the response.
    public let shape: Shape
    /// The problems; never empty.
    public let entries: [Entry]

    private static let noReason = "no reason given by the service"

    /// Creates an exception with at least one entry.
    public init(shape: Shape, entries: [Entry]) {
        self.shape = shape
        self.entries = entries.isEmpty ? [Entry(code: nil, text: Self.noReason)] : entries
    }

    /// The first code, or `nil`.
    public var code: Code? { entries.lazy.compactMap(\.code).first }

    /// The messages of all entries, in one line.
    public var text: String { entries.map(\.text).filter { !$0.isEmpty }.joined(separator: "; ") }

    /// All entries in one line of at most 4000 characters.
    public var description: String {
        let told = entries.map(\.description).filter { !$0.isEmpty }
        return told.isEmpty ? Self.noReason : ReadableText.line(told.joined(separator: "; "), limit: 4000)
    }
}

extension ServiceException {
    /// The code of an exception, from a standard or custom.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as written by the service.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code as written by the service.
        public var description: String { rawValue }

        /// The format is not offered.
        public static let invalidFormat = Code(rawValue: "InvalidFormat")
        /// The CRS is not offered (WMS 1.3.0).
        public static let invalidCRS = Code(rawValue: "InvalidCRS")
        /// The CRS is not offered (WMS 1.1.1 and older).
        public static let invalidSRS = Code(rawValue: "InvalidSRS")
        /// The layer does not exist.
        public static let layerNotDefined = Code(rawValue: "LayerNotDefined")
        /// The layer has no such style.
        public static let styleNotDefined = Code(rawValue: "StyleNotDefined")
        /// The layer does not support feature info.
        public static let layerNotQueryable = Code(rawValue: "LayerNotQueryable")
        /// The position is outside the picture.
        public static let invalidPoint = Code(rawValue: "InvalidPoint")
        /// The update sequence is the current one.
        public static let currentUpdateSequence = Code(rawValue: "CurrentUpdateSequence")
        /// The update sequence is newer than the current one.
        public static let invalidUpdateSequence = Code(rawValue: "InvalidUpdateSequence")
        /// A dimension without a default has no value.
        public static let missingDimensionValue = Code(rawValue: "MissingDimensionValue")
        /// The dimension does not have this value.
        public static let invalidDimensionValue = Code(rawValue: "InvalidDimensionValue")
        /// The operation is not offered.
        public static let operationNotSupported = Code(rawValue: "OperationNotSupported")
        /// A parameter is missing (OWS Common).
        public static let missingParameterValue = Code(rawValue: "MissingParameterValue")
        /// A parameter has an invalid value (OWS Common).
        public static let invalidParameterValue = Code(rawValue: "InvalidParameterValue")
        /// The tile is not in the matrix (WMTS).
        public static let tileOutOfRange = Code(rawValue: "TileOutOfRange")
        /// Any other error (OWS Common).
        public static let noApplicableCode = Code(rawValue: "NoApplicableCode")
    }
}

extension ServiceException {
    /// The part of a request that caused an exception.
    public enum Fault: Hashable, Sendable {
        /// The layer does not exist.
        case layer
        /// The layer does not have the style.
        case style
        /// The format.
        case format
        /// The CRS.
        case crs
        /// A time, elevation or other dimension.
        case dimension
        /// The queried position.
        case place
        /// The operation, in general or for the layer.
        case operation
        /// Unknown from the code.
        case unknown
    }

    /// The part of the request that caused the exception, from the first code.
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
