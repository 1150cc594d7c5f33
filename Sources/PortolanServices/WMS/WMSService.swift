/// Who offers a service and under what terms.
public struct WMSService: Hashable, Sendable {
    /// The title for people.
    public var title = ""
    /// What it is about, or `nil`.
    public var abstract: String?
    /// Words to find it by.
    public var keywords: [String] = []
    /// A page about it, or `nil`; requests do not go there.
    public var onlineResource: String?
    /// What it costs, or `nil`.
    public var fees: String?
    /// Who may use it, or `nil`.
    public var accessConstraints: String?
    /// Whom to ask about it, or `nil`.
    public var contact: WMSContact?
    /// The organization that answers for it, or `nil`.
    public var organization: String? { contact?.organization }
    /// The most layers in a request, or `nil` when the service states no limit.
    public var layerLimit: Int?
    /// The most pixels in a row, or `nil` when the service states no limit.
    public var maxWidth: Int?
    /// The most rows of pixels, or `nil` when the service states no limit.
    public var maxHeight: Int?
}
