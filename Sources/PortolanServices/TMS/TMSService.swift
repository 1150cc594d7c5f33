/// What a Tile Map Service offers.
public struct TMSService: Hashable, Sendable {
    /// The version as the document writes it.
    public var version: String
    /// The title for people.
    public var title: String
    /// What it is about, or `nil`.
    public var abstract: String?
    /// Its maps, in the order of the document.
    public var maps: [TMSReference]
    /// What was odd in the document, a line each.
    public var warnings: [String]
}
