/// A capabilities document as it came, for those who check it.
public struct CapabilitiesEvidence: Hashable, Sendable {
    /// The body.
    public var bytes: [UInt8]
    /// The media type declared with it, or `nil`.
    public var contentType: String?
    /// The address of the service that was asked.
    public var address: String
    /// The version asked for, or `nil` when none was.
    public var askedVersion: String?

    /// Makes evidence.
    public init(bytes: [UInt8], contentType: String? = nil, address: String, askedVersion: String? = nil) {
        self.bytes = bytes
        self.contentType = contentType
        self.address = address
        self.askedVersion = askedVersion
    }
}
