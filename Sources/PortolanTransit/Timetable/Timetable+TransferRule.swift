extension Timetable {
    /// A transfer rule between two stops or at one stop (GTFS Schedule, transfers.txt).
    ///
    /// A rule applies to all vehicles, or only to those of a line or a trip. The most specific rule for a change takes
    /// precedence.
    public struct TransferRule: Hashable, Sendable {
        /// The kind of transfer (`transfer_type`).
        public enum Kind: UInt8, Hashable, Sendable {
            /// A recommended transfer.
            case recommended = 0
            /// The second vehicle waits for the first.
            case guaranteed = 1
            /// The transfer needs a minimum time.
            case timed = 2
            /// The transfer is impossible.
            case impossible = 3
        }

        /// The stops, as indices into ``Timetable/stops``.
        ///
        /// A station means all of their stops.
        public var from: Int, to: Int
        /// The kind.
        public var kind: Kind
        /// The minimum transfer time in seconds, or `nil`.
        public var seconds: Int?
        /// The lines to which the rule is limited, as indices into ``Timetable/lines``; `nil` for all lines.
        public var fromLine: Int?, toLine: Int?
        /// The trips to which the rule is limited, by identifier; `nil` for all trips.
        ///
        /// Trips take precedence over lines.
        public var fromTrip: String?, toTrip: String?

        /// Creates a rule for all vehicles.
        public init(from: Int, to: Int, kind: Kind, seconds: Int? = nil) {
            self.from = from
            self.to = to
            self.kind = kind
            self.seconds = seconds
        }

        /// The rank defined by the specification, from 0 for stops alone to 5 for two trips.
        ///
        /// The rule with the highest rank applies.
        public var specificity: Int {
            switch (fromTrip != nil, toTrip != nil, fromLine != nil, toLine != nil) {
            case (true, true, _, _): 5
            case (true, false, _, true), (false, true, true, _): 4
            case (true, false, _, false), (false, true, false, _): 3
            case (false, false, true, true): 2
            case (false, false, false, false): 0
            default: 1
            }
        }
    }
}

extension Timetable {
    /// A link between two trips that one vehicle runs in turn (GTFS Schedule, transfers.txt, "Linked trips").
    ///
    /// It overrides blocks.
    public struct TripLink: Hashable, Sendable {
        /// The trips, by identifier.
        public var from: String, to: String
        /// Whether passengers may stay seated (`transfer_type` 4) or must alight (5).
        public var staysSeated: Bool

        /// Creates a link.
        public init(from: String, to: String, staysSeated: Bool) {
            self.from = from
            self.to = to
            self.staysSeated = staysSeated
        }
    }
}
