/// Who offers a tile service and under what terms.
public struct WMTSService: Hashable, Sendable {
    /// The title for people.
    public var title = ""
    /// What it is about, or `nil`.
    public var abstract: String?
    /// Words to find it by.
    public var keywords: [String] = []
    /// What it costs, or `nil`.
    public var fees: String?
    /// Who may use it, or `nil`.
    public var accessConstraints: String?
    /// The organization that answers for it, or `nil`.
    public var provider: String?
    /// A page of that organization, or `nil`.
    public var providerSite: String?
}
