public import Foundation
public import PortolanGeo

/// A measured position with its time and accuracy.
public struct PositionFix: Hashable, Sendable {
    /// Longitude and latitude in degrees (WGS 84).
    public var place: Coordinate
    /// The time of the measurement.
    public var time: Date
    /// The radius in metres that contains the actual position with a probability of two thirds, or `nil` if unknown.
    public var accuracy: Double?
    /// The altitude in metres above mean sea level, or `nil` if unknown.
    public var altitude: Double?
    /// The speed over ground in metres per second, or `nil` if unknown.
    public var speed: Double?
    /// The direction of movement in degrees clockwise from true north, or `nil` if unknown.
    public var course: Double?
    /// The direction of the device in degrees clockwise from true north, or `nil` if unknown.
    public var heading: Double?

    /// Creates a fix.
    public init(
        place: Coordinate, time: Date, accuracy: Double? = nil, altitude: Double? = nil, speed: Double? = nil,
        course: Double? = nil, heading: Double? = nil
    ) {
        self.place = place
        self.time = time
        self.accuracy = accuracy
        self.altitude = altitude
        self.speed = speed
        self.course = course
        self.heading = heading
    }

    /// The fix without invalid numbers.
    ///
    /// Some systems use negative lengths for unknown values. It is `nil` if the coordinate or time is invalid.
    var checked: PositionFix? {
        guard abs(place.x) <= 360, abs(place.y) <= 90, abs(time.timeIntervalSince1970) < 1e12 else { return nil }
        func length(_ value: Double?) -> Double? { value.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil } }
        func angle(_ value: Double?) -> Double? { value.flatMap { $0 >= 0 ? Compass(bearing: $0)?.bearing : nil } }
        var copy = self
        copy.place.x = place.x > 180 ? place.x - 360 : place.x < -180 ? place.x + 360 : place.x
        copy.accuracy = length(accuracy)
        copy.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
        copy.speed = length(speed)
        copy.course = angle(course)
        copy.heading = angle(heading)
        return copy
    }
}

/// A reason why there is no position.
public enum PositionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The user denies access.
    case denied
    /// Access is restricted, for example by device management.
    case restricted
    /// No position is available, for example without satellite reception.
    case unavailable
    /// No position was received within the time limit.
    case timedOut
    /// The reported coordinate is invalid.
    case impossibleFix
    /// The source ended.
    case ended

    /// The error message, in one line.
    public var description: String {
        switch self {
        case .denied: "no permission to use the position"
        case .restricted: "positions are disabled on this device"
        case .unavailable: "no position is available"
        case .timedOut: "no position found yet"
        case .impossibleFix: "the receiver reports an invalid position"
        case .ended: "the position source has ended"
        }
    }
}

/// An update of a position source.
public enum PositionUpdate: Hashable, Sendable {
    /// A position.
    case fix(PositionFix)
    /// The position is unavailable, for this reason.
    case failure(PositionError)
    /// The permission of the user.
    case permission(PositionControl.Permission)
}

extension PositionControl {
    /// The user's permission for access to the position.
    public enum Permission: Hashable, Sendable, CaseIterable {
        /// The user was not asked yet.
        case notDetermined
        /// Access is denied.
        case denied
        /// Access is denied, and the user cannot change this.
        case restricted
        /// Access to the approximate position.
        case approximate
        /// Access to the precise position.
        case precise
    }
}

/// A source of positions, such as a receiver, a log or a simulation.
///
/// A source is a sequence. Failures are elements, so that later elements are not lost. An app reads the sequence and
/// passes each element to ``MapFacade/handle(_:at:)``.
public protocol PositionSource: AsyncSequence where Element == PositionUpdate, Failure == Never {}

/// The distance and bearing of a target.
public struct RangeAndBearing: Hashable, Sendable, CustomStringConvertible {
    /// The length of the geodesic on the WGS 84 ellipsoid, in metres.
    public var meters: Double
    /// The initial bearing, in degrees clockwise from true north.
    public var bearing: Double

    /// Computes distance and bearing between two coordinates in degrees, or returns `nil` if one is invalid.
    public init?(from one: Coordinate, to other: Coordinate) {
        guard abs(one.y) <= 90, abs(other.y) <= 90, one.x.isFinite, other.x.isFinite else { return nil }
        let line = Geodesic.line(from: one, to: other)
        (meters, bearing) = (line.meters, line.bearing)
    }

    /// The distance with three digits and the bearing, such as `1.23 km, 045° NE`.
    public var description: String {
        Self.length(meters) + (Compass(bearing: bearing).map { ", \($0)" } ?? "")
    }

    /// Returns a length with three digits, such as `1.23 km`.
    package static func length(_ meters: Double) -> String {
        meters < 999.5
            ? "\(Int(meters.rounded())) m"
            : "\(digits(meters / 1000, meters < 9_995 ? 2 : meters < 99_950 ? 1 : 0)) km"
    }

    /// Returns an area with three digits, such as `1.23 km²`.
    package static func area(_ squareMeters: Double) -> String {
        squareMeters < 99_950
            ? "\(Int(squareMeters.rounded())) m²"
            : "\(digits(squareMeters / 1e6, squareMeters < 9_995_000 ? 2 : squareMeters < 99_950_000 ? 1 : 0)) km²"
    }

    private static func digits(_ value: Double, _ decimals: Int) -> String {
        let scale = decimals == 2 ? 100.0 : decimals == 1 ? 10 : 1
        let scaled = Int((value * scale).rounded()), unit = Int(scale)
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % unit)
        return "\(scaled / unit)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
