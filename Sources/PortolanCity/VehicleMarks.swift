public import Foundation
public import Portolan
import PortolanFeatures
public import PortolanRealtime
public import PortolanTransit

/// Turns what is heard of vehicles into objects that a ``/Portolan/LiveLayer`` draws: with what runs, the line's name, and how late it is.
public struct VehicleMarks: Sendable {
    /// The lines by identifier, which give what a report leaves open.
    public var lines: [String: TransitLine]
    /// From how late on it is told, in seconds; a minute unless set.
    public var lateness = 60.0

    /// Makes marks of the lines of a timetable, or of none.
    public init(_ timetable: Timetable? = nil) {
        lines = Dictionary((timetable?.lines ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The object of a report; `nil` while it is not known where it is.
    ///
    /// How late it is tells the report, or else what its fleet knows of its trip.
    ///
    /// Its kind is a ``/PortolanTransit/TransitMode`` in words, its label the name of the line, its shape that of
    /// ``pathName(line:direction:)``; its properties are `line`, `headsign`, `stop`, `trip`, `delay` in seconds, and `late` in
    /// minutes as the plate shows it.
    public func object(of report: VehicleReport, in fleet: Fleet? = nil) -> LiveObject? {
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
        return LiveObject(
            id: .string(report.id), fix: fix, kind: (report.mode ?? line?.mode ?? .other).rawValue,
            label: report.label ?? line?.badge ?? report.line,
            shape: report.line.map { Self.pathName(line: $0, direction: report.trip?.direction) },
            properties: properties)
    }

    /// The updates of reports; those without a place are left out.
    public func updates(of reports: [VehicleReport], in fleet: Fleet? = nil) -> [LiveUpdate] {
        reports.compactMap { object(of: $0, in: fleet).map(LiveUpdate.upsert) }
    }

    /// The updates of what has become of a fleet; what stands but is heard of stays fresh.
    ///
    /// - Parameters:
    ///   - fleet: as it is now; it knows how late trips are.
    ///   - time: when those that are gone went.
    public func updates(of change: Fleet.Change, in fleet: Fleet? = nil, at time: Date) -> [LiveUpdate] {
        // News of trips tells how late any vehicle is.
        updates(of: change.isOfTrips ? fleet?.snapshot ?? told(change) : told(change), in: fleet)
            + change.gone.map { .remove(.string($0), at: time) }
    }

    private func told(_ change: Fleet.Change) -> [VehicleReport] { change.changed + change.heard }

    /// What the path of a line in a direction is called in ``/Portolan/LiveLayer/setShape(_:along:)``.
    public static func pathName(line: String, direction: Int?) -> String {
        line + (direction.map { "/\($0)" } ?? "")
    }
}
