/// What stands on a picture beside the map: attribution, title, information bar.
public struct Furniture: Hashable, Sendable {
    /// Who is to be named, in the bottom right corner, or `nil`.
    public var attribution: String?

    /// A title along the top, or `nil`.
    public var title: String?

    /// A bar along the foot, or `nil`.
    public var infoBar: InfoBar?

    /// Whether an arrow points north, in the top right corner.
    public var showsNorthArrow: Bool

    /// Whether a bar at the bottom left shows a round length on the ground, true at the picture's centre.
    public var showsScaleBar: Bool

    /// Lines of longitude and latitude over the map, or `nil`.
    public var graticule: Graticule?

    /// Makes furniture; none by default.
    public init(
        attribution: String? = nil, title: String? = nil, infoBar: InfoBar? = nil, showsNorthArrow: Bool = false,
        showsScaleBar: Bool = false, graticule: Graticule? = nil
    ) {
        self.showsScaleBar = showsScaleBar
        self.graticule = graticule
        self.showsNorthArrow = showsNorthArrow
        self.attribution = attribution
        self.title = title
        self.infoBar = infoBar
    }
}

/// A bar along the foot of a picture: what is shown, and some facts about it.
public struct InfoBar: Hashable, Sendable {
    /// What is shown, in bold at the left.
    public var title: String

    /// Facts about it, at the right, from left to right.
    public var facts: [String]

    /// Makes a bar.
    public init(title: String, facts: [String] = []) {
        self.title = title
        self.facts = facts
    }
}
