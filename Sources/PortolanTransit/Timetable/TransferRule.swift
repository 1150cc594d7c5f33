/// How passengers change between two stops, or at one (GTFS Schedule, transfers.txt).
///
/// A rule holds for all vehicles, or for those of a line or a trip alone. Of the rules that hold for a change the most specific one counts.
public struct TransferRule: Hashable, Sendable {
    /// The kind (`transfer_type`).
    public enum Kind: UInt8, Hashable, Sendable {
        /// Changing is recommended here.
        case recommended = 0
        /// The second vehicle waits for the first.
        case guaranteed = 1
        /// Changing takes a least time.
        case timed = 2
        /// Changing is impossible.
        case impossible = 3
    }

    /// Stops, as indices of ``Timetable/stops``; stations stand for all of their stops.
    public var from: Int, to: Int
    /// The kind.
    public var kind: Kind
    /// The least time in seconds, or `nil`.
    public var seconds: Int?
    /// The only lines that one comes from and goes on with, as indices of ``Timetable/lines``; `nil` for all.
    public var fromLine: Int?, toLine: Int?
    /// The only trips that one comes from and goes on with, by identifier; `nil` for all.
    ///
    /// They go before lines.
    public var fromTrip: String?, toTrip: String?

    /// Makes a rule for all vehicles.
    public init(from: Int, to: Int, kind: Kind, seconds: Int? = nil) {
        self.from = from
        self.to = to
        self.kind = kind
        self.seconds = seconds
    }

    /// The rank of the specification, from 0 for stops alone to 5 for two trips: of the rules that hold for a change the greatest counts.
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

/// Two trips that one vehicle runs in turn (GTFS Schedule, transfers.txt, "Linked trips"); it goes before what blocks say.
public struct TripLink: Hashable, Sendable {
    /// The trips, by identifier.
    public var from: String, to: String
    /// Whether passengers may stay on board (`transfer_type` 4) or must leave and board again (5).
    public var staysSeated: Bool

    /// Makes a link.
    public init(from: String, to: String, staysSeated: Bool) {
        self.from = from
        self.to = to
        self.staysSeated = staysSeated
    }
}
