public import Foundation
public import PortolanGeo

/// A position that was measured: where, when, and how well.
public struct PositionFix: Hashable, Sendable {
    /// Longitude and latitude in degrees (WGS 84).
    public var place: Coordinate
    /// When it was measured.
    public var time: Date
    /// The radius in metres within which the true position lies two times in three, or `nil` where it is not known.
    public var accuracy: Double?
    /// Metres above mean sea level, or `nil` where it is not known.
    public var altitude: Double?
    /// Metres a second over ground, or `nil` where it is not known.
    public var speed: Double?
    /// Where it moves to, in degrees clockwise from true north, or `nil` where it is not known.
    public var course: Double?
    /// Where the device points to, in degrees clockwise from true north, or `nil` where it is not known.
    public var heading: Double?

    /// Makes a fix.
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

    /// The fix without what cannot be: numbers that are none, and lengths below zero, which some systems write for unknown;
    /// `nil` when it is at no place on the earth or at no time.
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

/// Why there is no position.
public enum PositionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The person does not allow it.
    case denied
    /// The person may not allow it, as on a device under control.
    case restricted
    /// There is none at present: no satellites, or a receiver that says so.
    case unavailable
    /// None has come for the time that the settings allow.
    case timedOut
    /// What came is at no place on the earth.
    case impossibleFix
    /// The source has ended.
    case ended

    /// What is wrong, in one line.
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

/// What a source of positions reports.
public enum PositionUpdate: Hashable, Sendable {
    /// A position.
    case fix(PositionFix)
    /// Why there is none.
    case failure(PositionError)
    /// What the person allows.
    case permission(PositionPermission)
}

/// What a person allows to be known of their position.
public enum PositionPermission: Hashable, Sendable, CaseIterable {
    /// They were not asked yet.
    case notDetermined
    /// Nothing.
    case denied
    /// Nothing, and they cannot change it.
    case restricted
    /// Roughly where they are.
    case approximate
    /// Where they are.
    case precise
}

/// Where positions come from: the seam for receivers, logs and simulations.
///
/// A source is a sequence that ends when there is no more to come. What fails is an element, so that what comes after it is
/// not lost. An app reads it and hands each element to ``MapFacade/handle(_:at:)``.
public protocol PositionSource: AsyncSequence where Element == PositionUpdate, Failure == Never {}

/// How far a place is, and in which direction.
public struct RangeAndBearing: Hashable, Sendable, CustomStringConvertible {
    /// Metres on the ellipsoid of WGS 84, along the shortest line.
    public var meters: Double
    /// The direction in which one sets out, in degrees clockwise from true north.
    public var bearing: Double

    /// Measures from one longitude and latitude to another, in degrees; `nil` where one is no place on the earth.
    public init?(from one: Coordinate, to other: Coordinate) {
        guard abs(one.y) <= 90, abs(other.y) <= 90, one.x.isFinite, other.x.isFinite else { return nil }
        let line = Geodesic.line(from: one, to: other)
        (meters, bearing) = (line.meters, line.bearing)
    }

    /// The length in three digits and the direction, as `1.23 km, 045° NE`.
    public var description: String {
        Self.length(meters) + (Compass(bearing: bearing).map { ", \($0)" } ?? "")
    }

    /// A length in three digits, as `1.23 km`.
    package static func length(_ meters: Double) -> String {
        meters < 999.5
            ? "\(Int(meters.rounded())) m"
            : "\(digits(meters / 1000, meters < 9_995 ? 2 : meters < 99_950 ? 1 : 0)) km"
    }

    /// An area in three digits, as `1.23 km²`.
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
