import Foundation
import PortolanGeo
import PortolanTransit

extension VehicleReport {
    /// Returns this report completed with values of an older one of the same vehicle.
    ///
    /// - Parameter smallestMove: the minimum movement in metres for a derived bearing.
    func merged(over old: VehicleReport, smallestMove: Double) -> VehicleReport {
        var merged = self
        merged.place = place ?? old.place
        merged.mode = mode ?? old.mode
        merged.bearing = bearing ?? derivedBearing(from: old.place, smallestMove: smallestMove) ?? old.bearing
        guard isOnTrip(of: old) else { return merged }
        merged.line = line ?? old.line
        merged.label = label ?? old.label
        merged.headsign = headsign ?? old.headsign
        merged.delay = delay ?? old.delay
        merged.trip = trip ?? old.trip
        merged.stop = stop ?? old.stop
        return merged
    }

    /// Returns whether both reports differ at most in their time.
    func isUnchanged(from other: VehicleReport) -> Bool {
        place == other.place && bearing == other.bearing && line == other.line && label == other.label
            && delay == other.delay && stop == other.stop && speed == other.speed && headsign == other.headsign
            && mode == other.mode && trip == other.trip
    }

    /// Returns whether both reports may belong to the same trip.
    private func isOnTrip(of old: VehicleReport) -> Bool {
        if let line, let before = old.line, line != before { return false }
        guard let trip, let before = old.trip else { return true }
        if let id = trip.trip, let idBefore = before.trip { return id == idBefore }
        return trip.direction == before.direction || trip.direction == nil || before.direction == nil
    }

    private func derivedBearing(from start: Coordinate?, smallestMove: Double) -> Double? {
        guard let start, let place, start != place else { return nil }
        return GroundDirection.bearing(from: start, to: place, smallestMove: smallestMove)
    }
}

/// Directions between nearby coordinates.
enum GroundDirection {
    /// The length of a degree of latitude in metres, on a sphere with the mean radius of the earth.
    private static let metersPerDegree = 6_371_008.8 * Double.pi / 180

    /// Returns the bearing in degrees clockwise from north (0..<360), or `nil` if the distance is below the minimum.
    ///
    /// Longitude differences are taken the shorter way, so that the 180th meridian may be crossed.
    static func bearing(from start: Coordinate, to end: Coordinate, smallestMove: Double) -> Double? {
        let turn = (end.x - start.x).remainder(dividingBy: 360)
        let east = turn * cos((start.y + end.y) / 2 * .pi / 180) * metersPerDegree
        let north = (end.y - start.y) * metersPerDegree
        guard (east * east + north * north).squareRoot() >= smallestMove else { return nil }
        let degrees = atan2(east, north) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}
