/// A service or a map that another document of a Tile Map Service names.
public struct TMSReference: Hashable, Sendable {
    /// The title for people.
    public var title: String
    /// Where its own document is, as it is written.
    public var href: String
    /// The reference system of a map as it is written, empty for a service.
    public var crsName: String
    /// The profile of a map, as `global-mercator`; empty when there is none.
    public var profile: String

    /// Makes a reference.
    public init(title: String, href: String, crsName: String = "", profile: String = "") {
        self.title = title
        self.href = href
        self.crsName = crsName
        self.profile = profile
    }
}
