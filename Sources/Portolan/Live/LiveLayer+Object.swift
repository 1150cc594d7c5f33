public import Foundation
public import PortolanFeatures
import PortolanGeo

extension LiveLayer {
    /// A moving object with occasional position reports: a vehicle, a ship, a person.
    public struct Object: Hashable, Sendable {
        /// The unique identifier.
        public var id: Feature.ID
        /// The last position, its time and its direction.
        public var fix: PositionFix
        /// The kind, such as `tram`, which selects the badge (see ``LiveLayer/Appearance``).
        public var kind: String?
        /// The label, such as the number of the tram line.
        public var label: String?
        /// The name of the line it moves along (see ``LiveLayer/setShape(_:along:)``), or `nil` for straight motion.
        public var shape: String?
        /// Additional properties.
        public var properties: Properties

        /// Creates an object.
        public init(
            id: Feature.ID, fix: PositionFix, kind: String? = nil, label: String? = nil, shape: String? = nil,
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
}

extension LiveLayer.Object {
    /// Returns the object with the valid parts of its fix and a label of limited length, or `nil` if its position or
    /// time is invalid.
    func checked(longestLabel: Int) -> LiveLayer.Object? {
        guard let fix = fix.checked else { return nil }
        var copy = self
        copy.fix = fix
        guard let label, label.utf8.count > longestLabel else { return copy }
        // The limit is in scalars because a character may have any number of them.
        let scalars = label.unicodeScalars
        if let end = scalars.index(scalars.startIndex, offsetBy: longestLabel, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        {
            copy.label = String(scalars[..<end]) + "…"
        }
        return copy
    }

    /// The reported heading, or else the course.
    var heading: Double? { fix.heading ?? fix.course }

    /// The object as a feature at its actual position.
    var feature: Feature { Feature(id: id, geometry: .point(fix.place), properties: featureProperties) }

    /// The properties of the drawn feature.
    var drawnProperties: Properties {
        var all = featureProperties
        if all["labelPriority"] == nil { all["labelPriority"] = .number(labelPriority) }
        return all
    }

    /// Its own properties after kind and label.
    var featureProperties: Properties {
        var all: Properties = [:]
        if let kind { all["kind"] = .string(kind) }
        if let label { all["label"] = .string(label) }
        for property in properties where all[property.name] == nil { all[property.name] = property.value }
        return all
    }

    /// The label priority: a constant number per object, so that labels do not alternate.
    private var labelPriority: Double {
        // FNV-1a, 64 bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Double(hash >> 11) / 9_007_199_254_740_992
    }
}

extension LiveLayer {
    /// An update of a moving object.
    public enum Update: Hashable, Sendable {
        /// The object exists, with this complete state.
        case upsert(LiveLayer.Object)
        /// The object was removed at a time.
        case remove(Feature.ID, at: Date)
    }
}

extension LiveLayer.Update {
    /// Returns an update with a new position.
    public static func upsert(_ id: Feature.ID, _ fix: PositionFix, _ properties: Properties = [:]) -> LiveLayer.Update
    {
        .upsert(LiveLayer.Object(id: id, fix: fix, properties: properties))
    }
}

extension LiveLayer {
    /// The outcome of a batch of updates.
    public struct Outcome: Hashable, Sendable {
        /// The number of added or changed objects.
        public internal(set) var upserted = 0
        /// The number of removed objects, including silent ones.
        public internal(set) var removed = 0
        /// The number of outdated updates, older than the known state or too old to be shown.
        public internal(set) var outdated = 0
        /// The number of updates with an invalid position or time, or a time too far in the future.
        public internal(set) var impossible = 0
        /// The number of updates beyond ``LiveLayer/Settings/maximumCount``.
        public internal(set) var beyondLimit = 0

        /// Creates an empty outcome.
        public init() {}
    }
}
