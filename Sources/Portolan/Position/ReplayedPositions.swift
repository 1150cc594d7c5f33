public import Foundation
public import PortolanFeatures
public import PortolanGeo

/// Recorded or simulated positions, replayed in real time.
public struct ReplayedPositions: PositionSource {
    /// A position update.
    public typealias Element = PositionUpdate
    /// Failures are reported as elements.
    public typealias Failure = Never

    /// The fixes, the oldest first.
    public let fixes: [PositionFix]
    /// The speed factor relative to the recording.
    public var speed: Double
    /// The start time in the recording.
    public var offset: Duration
    /// The maximum pause between two fixes, which shortens pauses of days.
    public var longestPause = Duration.seconds(60)
    /// Sleeps for a duration, or until the task is cancelled.
    private let sleep: @Sendable (Duration) async -> Void

    /// Creates a source of recorded fixes.
    ///
    /// Fixes with an invalid coordinate, or older than the previous one, are omitted.
    ///
    /// - Parameters:
    ///   - speed: the speed factor; 2 is twice as fast. A value that is not positive and finite is treated as 1.
    ///   - offset: the start time in the recording. The first fix is the first one at or after this time.
    public init(_ fixes: [PositionFix], speed: Double = 1, from offset: Duration = .zero) {
        self.init(fixes, speed: speed, from: offset, sleep: { try? await Task.sleep(for: $0) })
    }

    init(
        _ fixes: [PositionFix], speed: Double, from offset: Duration,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        var kept: [PositionFix] = []
        for fix in fixes.lazy.compactMap(\.checked) where kept.last.map({ $0.time <= fix.time }) ?? true {
            kept.append(fix)
        }
        self.fixes = kept
        self.speed = speed
        self.offset = offset
        self.sleep = sleep
    }

    /// The duration of the recording.
    public var duration: Duration {
        guard let first = fixes.first, let last = fixes.last else { return .zero }
        return Duration(inSeconds: last.time.timeIntervalSince(first.time))
    }

    /// Creates an iterator that starts at `offset`.
    public func makeAsyncIterator() -> Iterator {
        let start = fixes.first.map { $0.time.addingTimeInterval(offset.inSeconds) }
        let first = start.flatMap { start in fixes.firstIndex { $0.time >= start } } ?? fixes.count
        return Iterator(
            fixes: fixes[first...], speed: speed > 0 && speed.isFinite ? speed : 1, longestPause: longestPause,
            sleep: sleep)
    }

    /// Returns the fixes at their times relative to the first.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var fixes: ArraySlice<PositionFix>
        fileprivate let speed: Double
        fileprivate let longestPause: Duration
        fileprivate let sleep: @Sendable (Duration) async -> Void
        private var last: Date?

        fileprivate init(
            fixes: ArraySlice<PositionFix>, speed: Double, longestPause: Duration,
            sleep: @escaping @Sendable (Duration) async -> Void
        ) {
            self.fixes = fixes
            self.speed = speed
            self.longestPause = longestPause
            self.sleep = sleep
        }

        /// Returns the next fix at its time, or `nil` at the end or if the task is cancelled.
        public mutating func next() async -> PositionUpdate? {
            guard let fix = fixes.popFirst() else { return nil }
            if let last {
                await sleep(Swift.min(Duration(inSeconds: fix.time.timeIntervalSince(last) / speed), longestPause))
            }
            last = fix.time
            return Task.isCancelled ? nil : .fix(fix)
        }
    }
}

extension ReplayedPositions {
    /// Returns the positions in a receiver log (NMEA 0183; see ``NMEAReader``), and the errors in its sentences.
    public static func nmea(
        _ document: [UInt8], speed: Double = 1, from offset: Duration = .zero
    ) -> (source: ReplayedPositions, problems: [NMEAReader.SentenceError]) {
        var fixes: [PositionFix] = [], problems: [NMEAReader.SentenceError] = []
        for item in NMEAReader.read(document) {
            switch item {
            case .fix(let fix): fixes.append(fix)
            case .problem(let problem): problems.append(problem)
            case .noFix: break
            }
        }
        return (ReplayedPositions(fixes, speed: speed, from: offset), problems)
    }

    /// Returns the lines of a document whose points have times (GPX, or GeoJSON with `coordinateProperties.times`) as
    /// one recording.
    ///
    /// Speed and course are computed from point to point. Points without a time are ignored. Coordinates are degrees.
    public static func recorded(
        _ collection: FeatureCollection, speed: Double = 1, from offset: Duration = .zero
    ) -> ReplayedPositions {
        var fixes: [PositionFix] = []
        for feature in collection.features {
            guard let geometry = feature.geometry, geometry.kind == .lineString || geometry.kind == .multiLineString,
                let lists = feature.properties["coordinateProperties"]?.objectValue?["times"]?.arrayValue
            else { continue }
            let times = geometry.kind == .lineString ? lists : lists.flatMap { $0.arrayValue ?? [] }
            for (index, place) in geometry.coordinates.enumerated() where index < times.count {
                guard let time = times[index].stringValue.flatMap(Date.init(recorded:)) else { continue }
                var fix = PositionFix(
                    place: place, time: time,
                    altitude: index < geometry.altitudes.count ? geometry.altitudes[index] : nil)
                if let last = fixes.last, let leg = RangeAndBearing(from: last.place, to: place) {
                    let seconds = time.timeIntervalSince(last.time)
                    if seconds > 0 { fix.speed = leg.meters / seconds }
                    fix.course = leg.meters > 0.5 ? leg.bearing : last.course
                }
                fixes.append(fix)
            }
        }
        return ReplayedPositions(fixes, speed: speed, from: offset)
    }

    /// Returns a simulated drive along a line at constant speed.
    ///
    /// - Parameters:
    ///   - line: longitudes and latitudes in degrees.
    ///   - metersPerSecond: the speed over ground. If it is not positive and finite, there are no fixes.
    ///   - interval: the time between fixes, at least a millisecond. There are at most 100,000 fixes.
    ///   - accuracy: the accuracy of the fixes in metres.
    public static func along(
        _ line: [Coordinate], metersPerSecond: Double, every interval: Duration = .seconds(1),
        startingAt start: Date = Date(timeIntervalSince1970: 0), accuracy: Double? = 5
    ) -> ReplayedPositions {
        let step = metersPerSecond * Swift.max(interval.inSeconds, 0.001)
        guard step.isFinite, step > 0 else { return ReplayedPositions([]) }
        var fixes: [PositionFix] = [], traveled = 0.0, next = 0.0
        func add(_ place: Coordinate, _ course: Double) {
            fixes.append(
                PositionFix(
                    place: place, time: start.addingTimeInterval(next / metersPerSecond), accuracy: accuracy,
                    speed: metersPerSecond, course: course, heading: course))
        }
        for (one, other) in zip(line, line.dropFirst()) {
            guard let leg = RangeAndBearing(from: one, to: other) else { continue }
            while next <= traveled + leg.meters, fixes.count < 100_000 {
                let place = Geodesic.place(from: one, bearing: leg.bearing, meters: next - traveled)
                add(
                    place,
                    RangeAndBearing(from: place, to: other).map { $0.meters > 0.01 ? $0.bearing : leg.bearing }
                        ?? leg.bearing)
                next += step
            }
            traveled += leg.meters
        }
        return ReplayedPositions(fixes)
    }
}
