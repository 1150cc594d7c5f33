import PortolanWeb

/// Something of a document, or of a saved state, that is not as it was written or is to be.
public struct DocumentWarning: Hashable, Sendable, CustomStringConvertible {
    /// What it is about.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The document is of a newer version than is known; what is not known of it is passed over.
        case newerVersion
        /// A key is not known.
        case unknownKey
        /// A layer is of a kind that is not known, or its offerings are not drawn here.
        case unknownLayer
        /// A value is odd, and is read as it must be meant or passed over.
        case oddValue
        /// The address of a layer leads where its document may not lead.
        case refusedAddress
        /// Names, passwords or keys stand in the address of a layer, and are not written.
        case credentials
        /// Something has no place in the document that is written.
        case notWritten
        /// A layer, or what was selected, is not there any more.
        case notRestored
        /// A service is odd, or cannot be reached.
        case service
    }

    /// What it is about.
    public let code: Code
    /// The layer, where it is about one.
    public let layer: String?
    /// What is the matter, for a person.
    public let detail: String

    init(_ code: Code, layer: String? = nil, _ detail: String) {
        self.code = code
        self.layer = layer
        self.detail = detail
    }

    /// The layer and what is the matter, in one line.
    public var description: String {
        ((layer.map { "layer '\($0)': " } ?? "") + detail).inOneLine(limit: 1000)
    }
}
