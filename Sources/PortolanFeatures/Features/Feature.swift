/// A geometry with properties (RFC 7946, section 3.2).
///
/// ```swift
/// let feature = Feature(
///     id: "fountain", geometry: .point(Coordinate(x: -0.88, y: 41.65)), properties: ["name": "Fountain", "open":
///     true])
/// ```
public struct Feature: Hashable, Sendable {
    /// The identifier, or `nil` if none exists in the file.
    public var id: Feature.ID?

    /// The geometry, or `nil` if it is unknown.
    public var geometry: Geometry?

    /// The properties.
    public var properties: Properties

    /// Rarely used values, stored separately to keep features small; `nil` without such values.
    @usableFromInline var rare: Rare?

    @usableFromInline final class Rare: Hashable, Sendable {
        let declaredBounds: FeatureCollection.DeclaredBounds?
        let foreignMembers: Properties

        init?(_ declaredBounds: FeatureCollection.DeclaredBounds?, _ foreignMembers: Properties) {
            if declaredBounds == nil, foreignMembers.isEmpty { return nil }
            self.declaredBounds = declaredBounds
            self.foreignMembers = foreignMembers
        }

        @usableFromInline static func == (left: Rare, right: Rare) -> Bool {
            left === right
                || left.declaredBounds == right.declaredBounds && left.foreignMembers == right.foreignMembers
        }

        @usableFromInline func hash(into hasher: inout Hasher) {
            hasher.combine(declaredBounds)
            hasher.combine(foreignMembers)
        }
    }

    /// The declared `bbox`, or `nil`; see ``Geometry/boundingBox`` for the actual one.
    public var declaredBounds: FeatureCollection.DeclaredBounds? {
        get { rare?.declaredBounds }
        set { rare = Rare(newValue, foreignMembers) }
    }

    /// Members of the feature object that the standard does not define, preserved for writing.
    public var foreignMembers: Properties {
        get { rare?.foreignMembers ?? [:] }
        set { rare = Rare(declaredBounds, newValue) }
    }

    /// Creates a feature.
    public init(
        id: Feature.ID? = nil, geometry: Geometry?, properties: Properties = [:],
        declaredBounds: FeatureCollection.DeclaredBounds? = nil,
        foreignMembers: Properties = [:]
    ) {
        self.id = id
        self.geometry = geometry
        self.properties = properties
        rare = Rare(declaredBounds, foreignMembers)
    }

    /// Creates a feature without properties.
    ///
    /// Faster than the public initializer, for readers of large files.
    package init(id: Feature.ID?, geometry: Geometry?) {
        self.id = id
        self.geometry = geometry
        properties = Properties()
    }

    /// Creates a feature with properties.
    ///
    /// Faster than the public initializer, for readers of large files.
    @inlinable package init(id: Feature.ID?, geometry: Geometry?, properties: Properties) {
        self.id = id
        self.geometry = geometry
        self.properties = properties
    }

    package init(geometry: Geometry?) { self.init(id: nil, geometry: geometry) }

    /// The text of the property `name`, or of simplestyle's `title`, or `nil`.
    public var title: String? { properties["name"]?.displayText ?? properties["title"]?.displayText }
}

extension Feature {
    /// The identifier: `id`, or else the property `id`, as in route files.
    public var identifier: Feature.ID? { id ?? properties["id"].flatMap { Feature.ID($0) } }

    /// Returns whether the feature has an identifier, as its `id` or as its property `id`.
    public func isIdentified(by identifier: Feature.ID) -> Bool {
        id == identifier || properties["id"].flatMap { Feature.ID($0) } == identifier
    }
}

extension Feature {
    /// A feature identifier: a text or a number (RFC 7946, section 3.2).
    public enum ID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral,
        ExpressibleByIntegerLiteral
    {
        /// A text.
        case string(String)
        /// An integer.
        case integer(Int)
        /// A number with a fraction, or outside the range of `Int`.
        case number(Double)

        /// Creates the identifier in a property value, or returns `nil` if it is neither text nor number.
        ///
        /// A number such as `7.0` becomes the integer 7.
        public init?(_ value: PropertyValue) {
            switch value {
            case .string(let text): self = .string(text)
            case .integer(let number): self = .integer(number)
            case .number(let number): self = Int(exactly: number).map(Feature.ID.integer) ?? .number(number)
            case .null, .bool, .array, .object: return nil
            }
        }

        /// Creates a text identifier.
        public init(stringLiteral value: String) { self = .string(value) }

        /// Creates an integer identifier.
        public init(integerLiteral value: Int) { self = .integer(value) }

        /// The identifier as a property value.
        public var propertyValue: PropertyValue {
            switch self {
            case .string(let text): .string(text)
            case .integer(let number): .integer(number)
            case .number(let number): .number(number)
            }
        }

        /// The text, or the shortest decimal form of the number.
        public var description: String {
            switch self {
            case .string(let text): text
            case .integer(let number): String(number)
            case .number(let number): JSONNumber.text(number)
            }
        }
    }
}
