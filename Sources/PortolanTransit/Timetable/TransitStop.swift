public import PortolanGeo

/// A place where vehicles stop, or a part of a station (GTFS Schedule, stops.txt).
public struct TransitStop: Hashable, Sendable {
    /// What a place is (`location_type`).
    public enum Kind: UInt8, Hashable, Sendable {
        /// A stop or platform: here passengers board.
        case stop = 0
        /// A station, which has stops.
        case station = 1
        /// An entrance of a station.
        case entrance = 2
        /// A node of the ways inside a station.
        case node = 3
        /// A part of a platform.
        case boardingArea = 4
    }

    /// Whether people in wheelchairs can board (`wheelchair_boarding`).
    public enum Access: UInt8, Hashable, Sendable {
        /// Nothing is known.
        case unknown = 0
        /// Some vehicles can be boarded.
        case possible = 1
        /// None can be boarded.
        case impossible = 2
    }

    /// The identifier, unique within a feed.
    public var id: String
    /// The code that riders read at the stop, or nothing.
    public var code = ""
    /// The name that riders know.
    public var name: String
    /// What else there is to say of it.
    public var details = ""
    /// Longitude and latitude in degrees (WGS 84), or `nil` where the feed has none.
    public var place: Coordinate?
    /// What it is.
    public var kind = Kind.stop
    /// The station to which it belongs, as an index of ``Timetable/stops``.
    public var parent: Int?
    /// The platform, as "3" or "B".
    public var platform = ""
    /// The zone of fares.
    public var zone = ""
    /// The time zone, where it is not that of the agency.
    public var timeZone = ""
    /// A page about it.
    public var url = ""
    /// Whether people in wheelchairs can board.
    public var wheelchair = Access.unknown

    /// Makes a stop.
    public init(id: String, name: String, place: Coordinate?) {
        self.id = id
        self.name = name
        self.place = place
    }
}

/// Where vehicles are boarded at stations.
struct StationStops: Sendable {
    /// The stops of each station.
    private var members: [Int: [Int]] = [:]

    init(_ stops: [TransitStop]) {
        for (index, stop) in stops.enumerated() where stop.kind == .stop {
            if let parent = stop.parent, stops.indices.contains(parent) { members[parent, default: []].append(index) }
        }
    }

    /// The stops that an index stands for: itself, those of a station, of the station of an entrance or node, or the platform of
    /// which it is a part.
    func boardable(_ stop: Int, _ stops: [TransitStop]) -> [Int] {
        guard stops.indices.contains(stop) else { return [] }
        switch stops[stop].kind {
        case .stop: return [stop]
        case .station: return members[stop] ?? []
        case .entrance, .node, .boardingArea:
            guard let parent = stops[stop].parent, stops.indices.contains(parent) else { return [] }
            return stops[parent].kind == .stop ? [parent] : members[parent] ?? []
        }
    }
}
