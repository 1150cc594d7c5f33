/// A line that riders know by a name, of one agency (GTFS Schedule, routes.txt).
public struct TransitLine: Hashable, Sendable {
    /// The identifier, unique within a feed.
    public var id: String
    /// Its agency, as an index of ``Timetable/agencies``.
    public var agency: Int?
    /// The short name, as "9" or "M1".
    public var shortName: String
    /// The long name, as "Hakaniemi – Kamppi".
    public var longName = ""
    /// What else there is to say of it.
    public var details = ""
    /// What runs on it.
    public var mode: TransitMode
    /// Its colour as RRGGBB, or `nil`.
    public var color: UInt32?
    /// The colour of text upon it as RRGGBB, or `nil`.
    public var textColor: UInt32?
    /// Where it stands among others, the smaller first.
    public var sortOrder: Int?
    /// A page about it.
    public var url = ""

    /// Makes a line.
    public init(id: String, shortName: String, mode: TransitMode) {
        self.id = id
        self.shortName = shortName
        self.mode = mode
    }

    /// The name that a badge has: the short one, else the long one, else the identifier.
    public var badge: String { !shortName.isEmpty ? shortName : !longName.isEmpty ? longName : id }
}

/// What runs on a line.
public enum TransitMode: String, Hashable, Sendable, CaseIterable, Codable {
    case tram, subway, rail, bus, ferry, cableTram, aerialLift, funicular, trolleybus, monorail, coach, air, taxi, other

    /// The mode of a `route_type`, the basic ones (0 to 12) and the extended ones (100 to 1799).
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

/// Who runs lines (GTFS Schedule, agency.txt).
public struct Agency: Hashable, Sendable {
    /// The identifier; nothing where a feed has one agency alone.
    public var id = ""
    /// The name.
    public var name: String
    /// Its page.
    public var url = ""
    /// The time zone of its timetables, as "Europe/Helsinki".
    public var timeZone: String
    /// The language of its texts (BCP 47).
    public var language = ""
    /// Its telephone number.
    public var phone = ""

    /// Makes an agency.
    public init(name: String, timeZone: String) {
        self.name = name
        self.timeZone = timeZone
    }
}
