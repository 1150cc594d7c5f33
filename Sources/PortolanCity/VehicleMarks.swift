public import Foundation
public import Portolan
import PortolanFeatures
public import PortolanRealtime
public import PortolanTransit

/// Converts vehicle reports to objects of a ``/Portolan/LiveLayer`` with mode, line and delay.
public struct VehicleMarks: Sendable {
    /// The lines by identifier, which complete the reports.
    public var lines: [String: Timetable.Line]
    /// The minimum delay in seconds that is shown; 60 by default.
    public var lateness = 60.0

    /// Creates marks for the lines of a timetable, or without lines.
    public init(_ timetable: Timetable? = nil) {
        lines = Dictionary((timetable?.lines ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the object for a report, or `nil` if the vehicle has no coordinate.
    ///
    /// The kind of the object is the raw value of a ``/PortolanTransit/TransitMode``, its label is the line name, and
    /// its shape is named by ``pathName(line:direction:)``. The properties are `line`, `headsign`, `stop`, `trip`,
    /// `delay` in seconds, and `late` in minutes as shown on the plate. The delay comes from the report, or from the
    /// trip updates of the fleet.
    public func object(of report: VehicleReport, in fleet: Fleet? = nil) -> LiveLayer.Object? {
        guard let place = report.place else { return nil }
        let line = report.line.flatMap { lines[$0] }
        var fix = PositionFix(place: place, time: report.time, course: report.bearing)
        fix.speed = report.speed
        var properties: Properties = [:]
        func put(_ name: String, _ text: String?) { if let text, !text.isEmpty { properties[name] = .string(text) } }
        put("line", report.line)
        put("headsign", report.headsign)
        put("stop", report.stop)
        put("trip", report.trip?.trip)
        var late = ""
        if let delay = fleet?.delay(of: report) ?? report.delay {
            let seconds = Double(delay.components.seconds)
            properties["delay"] = .number(seconds)
            if abs(seconds) >= lateness, abs(seconds) < 86_400 {
                late = (seconds > 0 ? " +" : " −") + "\(Int((abs(seconds) / 60).rounded()))"
            }
        }
        properties["late"] = .string(late)
        return LiveLayer.Object(
            id: .string(report.id), fix: fix, kind: (report.mode ?? line?.mode ?? .other).rawValue,
            label: report.label ?? line?.badge ?? report.line,
            shape: report.line.map { Self.pathName(line: $0, direction: report.trip?.direction) },
            properties: properties)
    }

    /// Returns the updates for reports.
    ///
    /// Vehicles without a coordinate are omitted.
    public func updates(of reports: [VehicleReport], in fleet: Fleet? = nil) -> [LiveLayer.Update] {
        reports.compactMap { object(of: $0, in: fleet).map(LiveLayer.Update.upsert) }
    }

    /// Returns the updates for a change of a fleet.
    ///
    /// Stationary vehicles stay fresh while they are reported.
    ///
    /// - Parameters:
    ///   - fleet: the current fleet, which provides delays of trips, or `nil`.
    ///   - time: the removal time of vehicles that are gone.
    public func updates(of change: Fleet.Change, in fleet: Fleet? = nil, at time: Date) -> [LiveLayer.Update] {
        // Trip updates may change the delay of any vehicle.
        updates(of: change.isOfTrips ? fleet?.snapshot ?? told(change) : told(change), in: fleet)
            + change.gone.map { .remove(.string($0), at: time) }
    }

    private func told(_ change: Fleet.Change) -> [VehicleReport] { change.changed + change.heard }

    /// Returns the name of the path of a line in a direction for ``/Portolan/LiveLayer/setShape(_:along:)``.
    public static func pathName(line: String, direction: Int?) -> String {
        line + (direction.map { "/\($0)" } ?? "")
    }
}
