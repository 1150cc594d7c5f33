public import PortolanGeo
public import PortolanTransit

/// What a rider wants to see of each line: its vehicles, its stops, its route.
public struct TransitFilters: Hashable, Sendable, Codable {
    /// The three switches of a line.
    public struct Switches: Hashable, Sendable, Codable {
        /// Whether its vehicles are shown.
        public var vehicles: Bool
        /// Whether its stops are shown.
        public var stops: Bool
        /// Whether its route is shown.
        public var route: Bool

        /// Makes switches; vehicles alone are shown unless told.
        public init(vehicles: Bool = true, stops: Bool = false, route: Bool = false) {
            self.vehicles = vehicles
            self.stops = stops
            self.route = route
        }
    }

    /// The switches of lines of which nothing else is told.
    public var standard: Switches
    /// The switches of lines that are not as the others, by identifier.
    public private(set) var lines: [String: Switches] = [:]

    /// Makes filters by which all lines are as `standard`.
    public init(standard: Switches = Switches()) { self.standard = standard }

    /// The switches of a line.
    public subscript(line: String) -> Switches {
        get { lines[line] ?? standard }
        set { lines[line] = newValue == standard ? nil : newValue }
    }

    /// Whether a vehicle is shown; one of no known line is.
    public func shows(_ report: VehicleReport) -> Bool { report.line.map { self[$0].vehicles } ?? true }

    /// Whether a stop is shown, that one of these lines has.
    public func showsStop(of lines: some Sequence<String>) -> Bool { lines.contains { self[$0].stops } }

    /// What a source is to be asked for, so that what is hidden is not even sent.
    ///
    /// - Parameters:
    ///   - extent: what is in view, or `nil` for everywhere.
    ///   - all: the identifiers of all lines that there are.
    public func interest(in extent: Extent?, of all: some Sequence<String>) -> VehicleInterest {
        let hidden = all.contains { !self[$0].vehicles }
        return VehicleInterest(extent: extent, lines: hidden ? Set(all.filter { self[$0].vehicles }) : nil)
    }

    /// The lines by what runs on them, as a list has them: kinds in their order, within them by sort order and name.
    public static func sections(of lines: [TransitLine]) -> [(mode: TransitMode, lines: [TransitLine])] {
        let byMode = Dictionary(grouping: lines, by: \.mode)
        return TransitMode.allCases.compactMap { mode in
            guard let lines = byMode[mode] else { return nil }
            return (mode, lines.sorted(by: isBefore))
        }
    }

    private static func isBefore(_ a: TransitLine, _ b: TransitLine) -> Bool {
        let (first, second) = (a.sortOrder ?? .max, b.sortOrder ?? .max)
        if first != second { return first < second }
        // "9" before "10", and "3" before "3T".
        let numbers = [a, b].map { Int($0.badge.prefix { $0.isNumber }) ?? .max }
        if numbers[0] != numbers[1] { return numbers[0] < numbers[1] }
        return (a.badge, a.id) < (b.badge, b.id)
    }
}
