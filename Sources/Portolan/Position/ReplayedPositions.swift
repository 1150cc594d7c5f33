public import Foundation
public import PortolanFeatures
public import PortolanGeo

/// Positions that were recorded, or made up, as if they came now.
public struct ReplayedPositions: PositionSource {
    /// What it reports.
    public typealias Element = PositionUpdate
    /// Failures are elements.
    public typealias Failure = Never

    /// The fixes, oldest first.
    public let fixes: [PositionFix]
    /// How much faster than it was recorded.
    public var speed: Double
    /// Where in the recording to begin.
    public var offset: Duration
    /// The longest that is waited between two fixes: pauses of days are cut to it.
    public var longestPause = Duration.seconds(60)
    /// How to wait so long, or until the task is cancelled.
    private let sleep: @Sendable (Duration) async -> Void

    /// Makes a source of recorded fixes; those older than the one before them, or at no place on the earth, are left out.
    ///
    /// - Parameters:
    ///   - speed: 2 for twice as fast; what is not more than zero and finite counts as 1.
    ///   - offset: where in the recording to begin: at the first fix not before it.
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

    /// How long the recording is.
    public var duration: Duration {
        guard let first = fixes.first, let last = fixes.last else { return .zero }
        return Duration(inSeconds: last.time.timeIntervalSince(first.time))
    }

    /// Begins anew.
    public func makeAsyncIterator() -> Iterator {
        let start = fixes.first.map { $0.time.addingTimeInterval(offset.inSeconds) }
        let first = start.flatMap { start in fixes.firstIndex { $0.time >= start } } ?? fixes.count
        return Iterator(
            fixes: fixes[first...], speed: speed > 0 && speed.isFinite ? speed : 1, longestPause: longestPause,
            sleep: sleep)
    }

    /// The fixes, each at its time after the first.
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

        /// The next fix, when its time has come; `nil` at the end, and when the task is cancelled.
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
    /// The log of a receiver (NMEA 0183; see ``NMEAReader``), and what is wrong with its sentences.
    public static func nmea(
        _ document: [UInt8], speed: Double = 1, from offset: Duration = .zero
    ) -> (source: ReplayedPositions, problems: [NMEAError]) {
        var fixes: [PositionFix] = [], problems: [NMEAError] = []
        for item in NMEAReader.read(document) {
            switch item {
            case .fix(let fix): fixes.append(fix)
            case .problem(let problem): problems.append(problem)
            case .noFix: break
            }
        }
        return (ReplayedPositions(fixes, speed: speed, from: offset), problems)
    }

    /// The lines of a document whose points have times (GPX, or GeoJSON with `coordinateProperties.times`), as one recording;
    /// speed and course are those from point to point.
    ///
    /// Points without a time are passed over. Coordinates are degrees.
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

    /// A simulated drive along a line, at an even speed.
    ///
    /// - Parameters:
    ///   - line: longitudes and latitudes in degrees.
    ///   - metersPerSecond: the speed over ground; what is not more than zero and finite gives no fixes.
    ///   - interval: the time between fixes, at least a millisecond; at most 100,000 of them are made.
    ///   - accuracy: what the fixes say about themselves, in metres.
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
