/// An address that a layer or a style names for more about it.
public struct WMSLink: Hashable, Sendable {
    /// The address.
    public var url: String
    /// The format of what is there, a media type, or `nil` when the service does not tell.
    public var format: String?
    /// The standard that metadata follow, as `FGDC` or `ISO19115:2003`, or `nil`.
    public var type: String?

    /// Makes a link.
    public init(url: String, format: String? = nil, type: String? = nil) {
        self.url = url
        self.format = format
        self.type = type
    }
}
