/// A thing on the map: a shape with properties (RFC 7946 section 3.2).
public struct Feature: Hashable, Sendable {
    /// What tells the feature from others, or `nil` when the file gives it none.
    public var id: FeatureID?

    /// Where the feature lies, or `nil` when that is not known.
    public var geometry: Geometry?

    /// What is known about the feature.
    public var properties: Properties

    /// The `bbox` stated for the feature, or `nil` when none is; see ``Geometry/boundingBox`` for the true one.
    public var declaredBounds: DeclaredBounds?

    /// Members of the feature object that the standard does not define, kept for writing.
    public var foreignMembers: Properties

    /// Makes a feature.
    public init(
        id: FeatureID? = nil, geometry: Geometry?, properties: Properties = [:], declaredBounds: DeclaredBounds? = nil,
        foreignMembers: Properties = [:]
    ) {
        self.id = id
        self.geometry = geometry
        self.properties = properties
        self.declaredBounds = declaredBounds
        self.foreignMembers = foreignMembers
    }

    /// The text of the property `name`, or of simplestyle's `title`; `nil` when there is neither.
    public var title: String? { properties["name"]?.displayText ?? properties["title"]?.displayText }
}
