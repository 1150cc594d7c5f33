import Foundation
public import PortolanFeatures
import PortolanGeo
import PortolanWeb

/// Records where a position goes, in segments, as a route.
public struct TrackRecorder: Hashable, Sendable {
    /// A pause after which a new segment begins.
    public var longestPause = Duration.seconds(60)
    /// The accuracy in metres beyond which a fix is left out.
    public var worstAccuracy = 100.0

    /// The segments, each of fixes without a pause, oldest first.
    public private(set) var segments: [[PositionFix]] = []
    /// The length of all segments together, in metres.
    public private(set) var meters = 0.0
    /// How many fixes there are.
    public var fixCount: Int { segments.reduce(0) { $0 + $1.count } }
    /// The time spent in segments, without the pauses between.
    public private(set) var duration = Duration.zero
    /// Whether the next fix begins a segment.
    private var isPaused = false

    /// Makes a recorder that has nothing.
    public init() {}

    /// Adds a fix, and tells whether it was kept: those that are older than the last, imprecise or at no place are not.
    @discardableResult
    public mutating func add(_ fix: PositionFix) -> Bool {
        guard let fix = fix.checked, (fix.accuracy ?? 0) <= worstAccuracy else { return false }
        guard let last = segments.last?.last else {
            segments.append([fix])
            isPaused = false
            return true
        }
        let seconds = fix.time.timeIntervalSince(last.time)
        guard seconds > 0 else { return false }
        if isPaused || Duration(inSeconds: seconds) > longestPause {
            segments.append([fix])
            isPaused = false
        } else {
            segments[segments.count - 1].append(fix)
            meters += Geodesic.line(from: last.place, to: fix.place).meters
            duration += Duration(inSeconds: seconds)
        }
        return true
    }

    /// Ends the segment: the next fix begins another.
    public mutating func pause() { isPaused = true }

    /// The track as a route, or `nil` as long as no segment has two fixes.
    ///
    /// It has the type, distance in kilometres, duration in minutes and time of a ``/PortolanFeatures/Route``; its coordinates
    /// are those of the fixes. Write it with ``/PortolanFeatures/GeoJSONWriter``.
    public func route(id: FeatureID, named name: String) -> Feature? {
        let lines = segments.filter { $0.count > 1 }.map { $0.map(\.place) }
        guard let start = segments.first?.first?.time, !lines.isEmpty else { return nil }
        let minutes = duration.inSeconds / 60
        return Feature(
            id: id, geometry: lines.count == 1 ? .lineString(lines[0]) : .multiLineString(lines),
            properties: [
                "type": "route", "id": id.propertyValue, "name": .string(name),
                "distance": .number((meters / 1000 * 1000).rounded() / 1000),
                "duration": .number((minutes * 10).rounded() / 10), "time": .string(start.formatted(.iso8601)),
            ])
    }
}

extension Date {
    /// The time of a point as GPX writes it: to the second or finer; one that names no zone is in UTC, as GPX has them all.
    package init?(recorded text: String) {
        guard let seconds = ISOTime.seconds(text) else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }
}
