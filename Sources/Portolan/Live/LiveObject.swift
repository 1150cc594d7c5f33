public import Foundation
public import PortolanFeatures
import PortolanGeo

/// Something that moves and is heard of now and then: a vehicle, a ship, a person.
public struct LiveObject: Hashable, Sendable {
    /// What tells it from others.
    public var id: FeatureID
    /// Where it was last, when, and where it headed.
    public var fix: PositionFix
    /// What it is, such as `tram`: it decides on the badge (see ``LiveStyle``).
    public var kind: String?
    /// What is written at it, such as the number of its line.
    public var label: String?
    /// The name of the line along which it moves (see ``LiveLayer/setShape(_:along:)``), or `nil` when it moves straight.
    public var shape: String?
    /// What else is known of it.
    public var properties: Properties

    /// Makes an object.
    public init(
        id: FeatureID, fix: PositionFix, kind: String? = nil, label: String? = nil, shape: String? = nil,
        properties: Properties = [:]
    ) {
        self.id = id
        self.fix = fix
        self.kind = kind
        self.label = label
        self.shape = shape
        self.properties = properties
    }
}

extension LiveObject {
    /// The object with what can be of its fix and as much of its label as is drawn; `nil` when it is at no place or time.
    func checked(longestLabel: Int) -> LiveObject? {
        guard let fix = fix.checked else { return nil }
        var copy = self
        copy.fix = fix
        guard let label, label.utf8.count > longestLabel else { return copy }
        // Scalars and not characters: a character may have any number of them.
        let scalars = label.unicodeScalars
        if let end = scalars.index(scalars.startIndex, offsetBy: longestLabel, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        {
            copy.label = String(scalars[..<end]) + "…"
        }
        return copy
    }

    /// Where it heads, as it says itself.
    var heading: Double? { fix.heading ?? fix.course }

    /// The object as a feature at its true place.
    var feature: Feature { Feature(id: id, geometry: .point(fix.place), properties: featureProperties) }

    /// The properties of the feature that is drawn.
    var drawnProperties: Properties {
        var all = featureProperties
        if all["labelPriority"] == nil { all["labelPriority"] = .number(labelPriority) }
        return all
    }

    /// Its own properties after its kind and its label.
    var featureProperties: Properties {
        var all: Properties = [:]
        if let kind { all["kind"] = .string(kind) }
        if let label { all["label"] = .string(label) }
        for property in properties where all[property.name] == nil { all[property.name] = property.value }
        return all
    }

    /// Which of two labels gets its place first: by a number that is the object's for good, so that labels do not take turns.
    private var labelPriority: Double {
        // FNV-1a, 64 bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Double(hash >> 11) / 9_007_199_254_740_992
    }
}

/// One line of news of objects that move.
public enum LiveUpdate: Hashable, Sendable {
    /// The object is there, and all that is known of it is this.
    case upsert(LiveObject)
    /// It has been gone since a time.
    case remove(FeatureID, at: Date)
}

extension LiveUpdate {
    /// News of an object's place.
    public static func upsert(_ id: FeatureID, _ fix: PositionFix, _ properties: Properties = [:]) -> LiveUpdate {
        .upsert(LiveObject(id: id, fix: fix, properties: properties))
    }
}

/// What became of a batch of updates.
public struct LiveOutcome: Hashable, Sendable {
    /// How many objects came or changed.
    public internal(set) var upserted = 0
    /// How many objects went, those that were silent for too long among them.
    public internal(set) var removed = 0
    /// How many updates were older than what is known, or too old to be shown.
    public internal(set) var outdated = 0
    /// How many were at no place on the earth, at no time, or so far in the future that a clock must be wrong.
    public internal(set) var impossible = 0
    /// How many found no room: see ``LiveLayer/Settings/maximumCount``.
    public internal(set) var beyondLimit = 0

    /// Makes the outcome of no updates.
    public init() {}
}
