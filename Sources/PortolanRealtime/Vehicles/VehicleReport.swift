public import Foundation
public import PortolanGeo
public import PortolanTransit

/// A report of a vehicle at a time.
///
/// Missing values are `nil`. The source may have sent them before.
public struct VehicleReport: Hashable, Sendable {
    /// The identifier, unique within the source, such as a number plate or fleet number.
    public var id: String
    /// The time of the measurement.
    public var time: Date
    /// The coordinate in degrees (WGS 84): x is the longitude, y the latitude.
    public var place: Coordinate?
    /// The identifier of the line (`route_id`).
    public var line: String?
    /// The label shown on the vehicle, such as "9" or "M1".
    public var label: String?
    /// The mode of transport.
    public var mode: TransitMode?
    /// The headsign.
    public var headsign: String?
    /// The bearing in degrees clockwise from north.
    public var bearing: Double?
    /// The speed in metres per second.
    public var speed: Double?
    /// The delay; negative if the vehicle is early.
    public var delay: Duration?
    /// The trip, including the direction.
    public var trip: TripReference?
    /// The identifier of the current or the next stop.
    public var stop: String?

    /// Creates a report.
    public init(id: String, time: Date, place: Coordinate? = nil) {
        self.id = id
        self.time = time
        self.place = place
    }
}

/// The interest of a client: an extent and some lines.
public struct VehicleInterest: Hashable, Sendable {
    /// The extent in degrees (WGS 84), or `nil` for everywhere.
    public var extent: Extent?
    /// The identifiers of lines, or `nil` for all.
    public var lines: Set<String>?

    /// Creates an interest, in everything by default.
    public init(extent: Extent? = nil, lines: Set<String>? = nil) {
        self.extent = extent
        self.lines = lines
    }

    /// Returns whether a report is of interest.
    ///
    /// Missing values match.
    public func contains(_ report: VehicleReport) -> Bool {
        if let extent, let place = report.place, !extent.contains(place) { return false }
        if let lines, let line = report.line, !lines.contains(line) { return false }
        return true
    }
}
