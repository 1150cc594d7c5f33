public import PortolanGeo
public import PortolanTransit

extension TransitPreferences {
    /// The user's choice of visible vehicles, stops and routes by line.
    public struct Filters: Hashable, Sendable, Codable {
        /// The visibility of a line's parts.
        public struct Switches: Hashable, Sendable, Codable {
            /// Whether vehicles are shown.
            public var vehicles: Bool
            /// Whether stops are shown.
            public var stops: Bool
            /// Whether the route is shown.
            public var route: Bool

            /// Creates switches.
            ///
            /// By default only vehicles are shown.
            public init(vehicles: Bool = true, stops: Bool = false, route: Bool = false) {
                self.vehicles = vehicles
                self.stops = stops
                self.route = route
            }
        }

        /// The switches of lines without specific ones.
        public var standard: Switches
        /// The specific switches of lines, by identifier.
        public private(set) var lines: [String: Switches] = [:]

        /// Creates filters with the same switches for all lines.
        public init(standard: Switches = Switches()) { self.standard = standard }

        /// The switches of a line.
        public subscript(line: String) -> Switches {
            get { lines[line] ?? standard }
            set { lines[line] = newValue == standard ? nil : newValue }
        }

        /// Returns whether a vehicle is shown.
        ///
        /// Vehicles without a line always are.
        public func shows(_ report: VehicleReport) -> Bool { report.line.map { self[$0].vehicles } ?? true }

        /// Returns whether a stop served by these lines is shown.
        public func showsStop(of lines: some Sequence<String>) -> Bool { lines.contains { self[$0].stops } }

        /// Returns the interest for a source, so that hidden vehicles are not even sent.
        ///
        /// - Parameters:
        ///   - extent: the visible extent, or `nil` for everywhere.
        ///   - all: the identifiers of all lines.
        public func interest(in extent: Extent?, of all: some Sequence<String>) -> VehicleInterest {
            let hidden = all.contains { !self[$0].vehicles }
            return VehicleInterest(extent: extent, lines: hidden ? Set(all.filter { self[$0].vehicles }) : nil)
        }

        /// Returns the lines grouped by mode for a list, sorted by sort order and name within a group.
        public static func sections(of lines: [Timetable.Line]) -> [(mode: TransitMode, lines: [Timetable.Line])] {
            let byMode = Dictionary(grouping: lines, by: \.mode)
            return TransitMode.allCases.compactMap { mode in
                guard let lines = byMode[mode] else { return nil }
                return (mode, lines.sorted(by: isBefore))
            }
        }

        private static func isBefore(_ a: Timetable.Line, _ b: Timetable.Line) -> Bool {
            let (first, second) = (a.sortOrder ?? .max, b.sortOrder ?? .max)
            if first != second { return first < second }
            // Sorts "9" before "10", and "3" before "3T".
            let numbers = [a, b].map { Int($0.badge.prefix { $0.isNumber }) ?? .max }
            if numbers[0] != numbers[1] { return numbers[0] < numbers[1] }
            return (a.badge, a.id) < (b.badge, b.id)
        }
    }
}
