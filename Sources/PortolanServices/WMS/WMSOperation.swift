/// An operation of a service.
public struct WMSOperation: Hashable, Sendable {
    /// The name by today's standard; `Map` of version 1.0.0 is `GetMap`.
    public var name: String
    /// The formats its answers can have.
    public var formats: [WMSFormat]
    /// The address for GET requests, or `nil`.
    public var getURL: String?
    /// The address for POST requests, or `nil`.
    public var postURL: String?
}
