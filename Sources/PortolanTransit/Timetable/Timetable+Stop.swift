public import PortolanGeo

extension Timetable {
    /// A stop, a station or a part of a station (GTFS Schedule, stops.txt).
    public struct Stop: Hashable, Sendable {
        /// The kind of location (`location_type`).
        public enum Kind: UInt8, Hashable, Sendable {
            /// A stop or platform where passengers board.
            case stop = 0
            /// A station, which contains stops.
            case station = 1
            /// An entrance of a station.
            case entrance = 2
            /// A node in the pathways of a station.
            case node = 3
            /// A part of a platform.
            case boardingArea = 4
        }

        /// The wheelchair accessibility (`wheelchair_boarding`).
        public enum Access: UInt8, Hashable, Sendable {
            /// The accessibility is unknown.
            case unknown = 0
            /// Some vehicles are accessible.
            case possible = 1
            /// No vehicles are accessible.
            case impossible = 2
        }

        /// The identifier, unique within a feed.
        public var id: String
        /// The code shown at the stop, or an empty string.
        public var code = ""
        /// The name shown to passengers.
        public var name: String
        /// The description.
        public var details = ""
        /// The coordinate in degrees (WGS 84), or `nil`.
        public var place: Coordinate?
        /// The kind of location.
        public var kind = Kind.stop
        /// The parent station, as an index into ``Timetable/stops``.
        public var parent: Int?
        /// The platform, such as "3" or "B".
        public var platform = ""
        /// The fare zone.
        public var zone = ""
        /// The time zone if it differs from the agency's.
        public var timeZone = ""
        /// The URL of a page about the stop.
        public var url = ""
        /// The wheelchair accessibility.
        public var wheelchair = Access.unknown

        /// Creates a stop.
        public init(id: String, name: String, place: Coordinate?) {
            self.id = id
            self.name = name
            self.place = place
        }
    }
}

/// The boardable stops of stations.
struct StationStops: Sendable {
    /// The stops of each station.
    private var members: [Int: [Int]] = [:]

    init(_ stops: [Timetable.Stop]) {
        for (index, stop) in stops.enumerated() where stop.kind == .stop {
            if let parent = stop.parent, stops.indices.contains(parent) { members[parent, default: []].append(index) }
        }
    }

    /// Returns the boardable stops of a location: a stop itself, the stops of a station or of the station of an
    /// entrance or node, or the platform of a boarding area.
    func boardable(_ stop: Int, _ stops: [Timetable.Stop]) -> [Int] {
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
