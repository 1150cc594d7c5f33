import Foundation
public import PortolanFeatures
import PortolanGeo
import PortolanWeb

/// Records positions in segments, as a route.
public struct TrackRecorder: Hashable, Sendable {
    /// The pause after which a new segment starts.
    public var longestPause = Duration.seconds(60)
    /// The accuracy in metres beyond which fixes are ignored.
    public var worstAccuracy = 100.0

    /// The segments of fixes without pauses, the oldest first.
    public private(set) var segments: [[PositionFix]] = []
    /// The total length of all segments in metres.
    public private(set) var meters = 0.0
    /// The number of fixes.
    public var fixCount: Int { segments.reduce(0) { $0 + $1.count } }
    /// The total duration of the segments, without pauses.
    public private(set) var duration = Duration.zero
    /// Whether the next fix starts a segment.
    private var isPaused = false

    /// Creates an empty recorder.
    public init() {}

    /// Adds a fix and returns whether it was accepted.
    ///
    /// Fixes that are older than the last, imprecise or invalid are rejected.
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

    /// Ends the segment.
    ///
    /// The next fix starts a new one.
    public mutating func pause() { isPaused = true }

    /// Returns the track as a route, or `nil` if no segment has two fixes.
    ///
    /// The route has the type, distance in kilometres, duration in minutes and time of a ``/PortolanFeatures/Route``;
    /// its coordinates are those of the fixes. Write it with ``/PortolanFeatures/GeoJSONWriter``.
    public func route(id: Feature.ID, named name: String) -> Feature? {
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
    /// Parses the time of a GPX point, to the second or finer.
    ///
    /// A time without a zone is UTC, as GPX requires.
    package init?(recorded text: String) {
        guard let seconds = ISOTime.seconds(text) else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }
}
