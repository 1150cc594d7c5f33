import PortolanWeb

/// What a service answered in place of what was asked for.
public struct ServiceException: Error, Hashable, Sendable, CustomStringConvertible {
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

        /// Makes an entry.
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
    /// What went wrong; never empty.
    public let entries: [Entry]

    private static let noReason = "the service gives no reason"

    /// Makes an exception with at least one entry.
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
