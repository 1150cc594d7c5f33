/// Who must be named beside a picture.
public struct WMSAttribution: Hashable, Sendable {
    /// The words to show, or `nil`.
    public var title: String?
    /// A page about the provider, or `nil`.
    public var url: String?
    /// A logo to show, or `nil`.
    public var logo: WMSStyle.Legend?
    /// The address of the logo, or `nil`.
    public var logoURL: String? { logo?.url }
}
