extension Timetable {
    /// A line of public transport as passengers know it (GTFS Schedule, routes.txt).
    public struct Line: Hashable, Sendable {
        /// The identifier, unique within a feed.
        public var id: String
        /// The agency, as an index into ``Timetable/agencies``.
        public var agency: Int?
        /// The short name, such as "9" or "M1".
        public var shortName: String
        /// The long name, such as "Hakaniemi – Kamppi".
        public var longName = ""
        /// The description.
        public var details = ""
        /// The mode of transport.
        public var mode: TransitMode
        /// The colour as RRGGBB, or `nil`.
        public var color: UInt32?
        /// The colour of text on ``color`` as RRGGBB, or `nil`.
        public var textColor: UInt32?
        /// The sort order among lines, smallest first.
        public var sortOrder: Int?
        /// The URL of a page about the line.
        public var url = ""

        /// Creates a line.
        public init(id: String, shortName: String, mode: TransitMode) {
            self.id = id
            self.shortName = shortName
            self.mode = mode
        }

        /// The text of a line badge: the short name, the long name or the identifier.
        public var badge: String { !shortName.isEmpty ? shortName : !longName.isEmpty ? longName : id }
    }
}

/// The mode of transport of a line.
public enum TransitMode: String, Hashable, Sendable, CaseIterable, Codable {
    case tram, subway, rail, bus, ferry, cableTram, aerialLift, funicular, trolleybus, monorail, coach, air, taxi, other

    /// Creates the mode of a `route_type`, basic (0 to 12) or extended (100 to 1799).
    public init(routeType: Int) {
        self =
            switch routeType {
            case 0, 900..<1000: .tram
            case 1, 400..<405, 500..<700: .subway
            case 2, 100..<200, 300..<400: .rail
            case 3, 700..<800: .bus
            case 4, 1000..<1100, 1200..<1300: .ferry
            case 5: .cableTram
            case 6, 1300..<1400: .aerialLift
            case 7, 1400..<1500: .funicular
            case 11, 800..<900: .trolleybus
            case 12, 405..<500: .monorail
            case 200..<300: .coach
            case 1100..<1200: .air
            case 1500..<1600: .taxi
            default: .other
            }
    }
}

extension Timetable {
    /// An operator of lines (GTFS Schedule, agency.txt).
    public struct Agency: Hashable, Sendable {
        /// The identifier, which may be empty if the feed has a single agency.
        public var id = ""
        /// The name.
        public var name: String
        /// The URL of the agency.
        public var url = ""
        /// The time zone of its timetables, such as "Europe/Helsinki".
        public var timeZone: String
        /// The language of its texts (BCP 47).
        public var language = ""
        /// The phone number.
        public var phone = ""

        /// Creates an agency.
        public init(name: String, timeZone: String) {
            self.name = name
            self.timeZone = timeZone
        }
    }
}
