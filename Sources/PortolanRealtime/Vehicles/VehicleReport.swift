public import Foundation
public import PortolanGeo
public import PortolanTransit

/// What a source says of a vehicle at a time.
///
/// What it does not say is `nil`: the source may have said it before.
public struct VehicleReport: Hashable, Sendable {
    /// The identifier, unique within the source: a number plate, a number of the fleet.
    public var id: String
    /// When it was measured.
    public var time: Date
    /// Longitude and latitude in degrees (WGS 84).
    public var place: Coordinate?
    /// The identifier of the line (`route_id`).
    public var line: String?
    /// What riders read on the vehicle, as "9" or "M1".
    public var label: String?
    /// What it is.
    public var mode: TransitMode?
    /// Where it goes, as it shows.
    public var headsign: String?
    /// Where it heads, in degrees clockwise from north.
    public var bearing: Double?
    /// How fast it is, in metres a second.
    public var speed: Double?
    /// How late it is; negative when early.
    public var delay: Duration?
    /// Its trip; the direction stands here.
    public var trip: TripReference?
    /// The identifier of the stop at which it is or to which it goes.
    public var stop: String?

    /// Makes a report.
    public init(id: String, time: Date, place: Coordinate? = nil) {
        self.id = id
        self.time = time
        self.place = place
    }
}

/// What a source is asked for: what lies in an extent, of some lines.
public struct VehicleInterest: Hashable, Sendable {
    /// Longitudes and latitudes in degrees (WGS 84), or `nil` for everywhere.
    public var extent: Extent?
    /// Identifiers of lines, or `nil` for all.
    public var lines: Set<String>?

    /// Makes an interest; in everything unless told.
    public init(extent: Extent? = nil, lines: Set<String>? = nil) {
        self.extent = extent
        self.lines = lines
    }

    /// Whether a report is of interest; what is not told is.
    public func contains(_ report: VehicleReport) -> Bool {
        if let extent, let place = report.place, !extent.contains(place) { return false }
        if let lines, let line = report.line, !lines.contains(line) { return false }
        return true
    }
}
