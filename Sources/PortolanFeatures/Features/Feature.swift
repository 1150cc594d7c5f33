/// A thing on the map: a shape with properties (RFC 7946 section 3.2).
public struct Feature: Hashable, Sendable {
    /// What tells the feature from others, or `nil` when the file gives it none.
    public var id: FeatureID?

    /// Where the feature lies, or `nil` when that is not known.
    public var geometry: Geometry?

    /// What is known about the feature.
    public var properties: Properties

    /// What few features have, kept apart so that the others are small; `nil` for nothing.
    private var rare: Rare?

    private final class Rare: Hashable, Sendable {
        let declaredBounds: DeclaredBounds?
        let foreignMembers: Properties

        init?(_ declaredBounds: DeclaredBounds?, _ foreignMembers: Properties) {
            if declaredBounds == nil, foreignMembers.isEmpty { return nil }
            self.declaredBounds = declaredBounds
            self.foreignMembers = foreignMembers
        }

        static func == (left: Rare, right: Rare) -> Bool {
            left === right
                || left.declaredBounds == right.declaredBounds && left.foreignMembers == right.foreignMembers
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(declaredBounds)
            hasher.combine(foreignMembers)
        }
    }

    /// The `bbox` stated for the feature, or `nil` when none is; see ``Geometry/boundingBox`` for the true one.
    public var declaredBounds: DeclaredBounds? {
        get { rare?.declaredBounds }
        set { rare = Rare(newValue, foreignMembers) }
    }

    /// Members of the feature object that the standard does not define, kept for writing.
    public var foreignMembers: Properties {
        get { rare?.foreignMembers ?? [:] }
        set { rare = Rare(declaredBounds, newValue) }
    }

    /// Makes a feature.
    public init(
        id: FeatureID? = nil, geometry: Geometry?, properties: Properties = [:], declaredBounds: DeclaredBounds? = nil,
        foreignMembers: Properties = [:]
    ) {
        self.id = id
        self.geometry = geometry
        self.properties = properties
        rare = Rare(declaredBounds, foreignMembers)
    }

    /// Makes a feature without properties, as readers of very many begin with: the literals above cost more than the rest.
    package init(id: FeatureID?, geometry: Geometry?) {
        self.id = id
        self.geometry = geometry
        properties = Properties()
    }

    /// Makes a feature of what a reader of very many has found.
    package init(id: FeatureID?, geometry: Geometry?, properties: Properties) {
        self.id = id
        self.geometry = geometry
        self.properties = properties
    }

    package init(geometry: Geometry?) { self.init(id: nil, geometry: geometry) }

    /// The text of the property `name`, or of simplestyle's `title`; `nil` when there is neither.
    public var title: String? { properties["name"]?.displayText ?? properties["title"]?.displayText }
}

extension Feature {
    /// What tells the feature from others: its `id`, or else its property `id`, as route files have it.
    public var identifier: FeatureID? { id ?? properties["id"].flatMap { FeatureID($0) } }

    /// Whether the feature has an identifier, as its `id` or as its property `id`.
    public func isIdentified(by identifier: FeatureID) -> Bool {
        id == identifier || properties["id"].flatMap { FeatureID($0) } == identifier
    }
}

/// What tells a feature from others: a text or a number (RFC 7946 section 3.2).
public enum FeatureID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral
{
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction, or too large for an `Int`.
    case number(Double)

    /// Makes the identifier that a property's value stands for, or `nil` when it is neither text nor number.
    ///
    /// A number such as `7.0` becomes the whole number 7.
    public init?(_ value: PropertyValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = Int(exactly: number).map(FeatureID.integer) ?? .number(number)
        case .null, .bool, .array, .object: return nil
        }
    }

    /// Makes a text identifier.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes a whole number identifier.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// The identifier as the value of a property.
    public var propertyValue: PropertyValue {
        switch self {
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        }
    }

    /// The text, or the number in shortest decimals.
    public var description: String {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): JSONNumber.text(number)
        }
    }
}
