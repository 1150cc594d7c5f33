public import Foundation

extension BeaconMonitor {
    /// A single reception of a beacon.
    public struct Sighting: Hashable, Sendable {
        /// The received advertisement.
        public var advertisement: BeaconAdvertisement
        /// The received signal strength in dBm.
        public var strength: Int

        /// Creates a sighting.
        public init(_ advertisement: BeaconAdvertisement, strength: Int) {
            self.advertisement = advertisement
            self.strength = strength
        }
    }
}

extension BeaconMonitor {
    /// An event of a beacon monitor.
    public enum Event: Hashable, Sendable {
        /// The reason for leaving a beacon.
        public enum Leaving: Hashable, Sendable {
            /// The beacon is too far away.
            case far
            /// The beacon has not been received for some time.
            case silent
            /// The radio stopped receiving beacons.
            case radio
        }

        /// The device entered the range of a beacon, at this distance.
        case entered(BeaconAdvertisement.Identity, meters: Double)
        /// The device left the range of a beacon.
        case left(BeaconAdvertisement.Identity, Leaving)
        /// The nearest beacon in range changed, or is `nil`.
        case nearest(BeaconAdvertisement.Identity?)
        /// The state of the radio changed.
        case radio(BeaconMonitor.RadioState)
    }
}

/// Determines which beacons are in range from received signals: a value that returns the changes.
///
/// A beacon comes into range within ``Settings/enterMeters``, and leaves it beyond ``Settings/leaveMeters`` or after
/// ``Settings/silence``, so that an unsteady signal does not cause repeated events. Beacons are distinguished by UUID,
/// major and minor. Callers provide the time; a time before the last one counts as the last one.
public struct BeaconMonitor: Sendable {
    /// The parameters of a monitor.
    public struct Settings: Hashable, Sendable {
        /// The accepted beacon UUIDs.
        ///
        /// An empty set accepts all.
        public var uuids: Set<UUID>
        /// The distance in metres within which a beacon comes into range; 3 by default.
        public var enterMeters: Double
        /// The distance in metres beyond which a beacon leaves the range; 6 by default.
        public var leaveMeters: Double
        /// The seconds without a signal after which a beacon leaves the range; 10 by default.
        public var silence: Double
        /// The ratio of distances below which another beacon becomes the nearest; 0.8 by default.
        public var nearerShare: Double
        /// The number of readings that are averaged; 7 by default.
        public var windowCount: Int

        /// Creates settings.
        ///
        /// Negative distances and times become 0, and `leaveMeters` is at least `enterMeters`.
        public init(
            uuids: Set<UUID> = [], enterMeters: Double = 3, leaveMeters: Double = 6, silence: Double = 10,
            nearerShare: Double = 0.8, windowCount: Int = 7
        ) {
            self.uuids = uuids
            self.enterMeters = max(0, enterMeters)
            self.leaveMeters = max(self.enterMeters, leaveMeters)
            self.silence = max(0, silence)
            self.nearerShare = min(max(0, nearerShare), 1)
            self.windowCount = min(max(1, windowCount), 100)
        }

        /// The settings for a phone held to the sign of a stop, within 0.1 metres.
        public static let touch = Settings(enterMeters: 0.1, leaveMeters: 1)
    }

    private struct Heard: Sendable {
        var power: Int8
        var readings: [(time: Double, strength: Int)]
        var isHere = false
        var meters = 1000.0
        var lastTime: Double { readings.last?.time ?? -.infinity }
    }

    /// The parameters.
    public let settings: Settings
    /// The state of the radio.
    public private(set) var radio: BeaconMonitor.RadioState
    /// The nearest beacon in range, or `nil`.
    public private(set) var nearest: BeaconAdvertisement.Identity?
    /// The time of the last update in seconds.
    public private(set) var time = -Double.infinity
    private var heard: [BeaconAdvertisement.Identity: Heard] = [:]

    /// The maximum number of beacons.
    ///
    /// Beyond it, the beacon that has been silent longest is forgotten.
    public static let maximumCount = 256

    /// Creates a monitor without any beacons.
    public init(_ settings: Settings = Settings(), radio: BeaconMonitor.RadioState = .on) {
        self.settings = settings
        self.radio = radio
    }

    /// The beacons in range with their distances in metres, nearest first.
    public var present: [(identity: BeaconAdvertisement.Identity, meters: Double)] {
        heard.filter(\.value.isHere).map { (identity: $0.key, meters: $0.value.meters) }
            .sorted { Self.isBefore(($0.meters, $0.identity), ($1.meters, $1.identity)) }
    }

    /// Returns the distance of a beacon in metres, or `nil` if it is not received.
    public func meters(to identity: BeaconAdvertisement.Identity) -> Double? { heard[identity]?.meters }

    /// Adds a sighting at a time in seconds, and returns the changes.
    ///
    /// - Complexity: O(beacons).
    public mutating func hear(_ sighting: BeaconMonitor.Sighting, at time: Double) -> [BeaconMonitor.Event] {
        var events = advance(to: time)
        let identity = sighting.advertisement.identity
        guard radio.hearsBeacons, BeaconDistance.strengths.contains(sighting.strength),
            settings.uuids.isEmpty || settings.uuids.contains(identity.uuid)
        else { return events }
        forgetOldest(for: identity, &events)
        var beacon = heard[identity] ?? Heard(power: 0, readings: [])
        beacon.power = sighting.advertisement.measuredPower
        beacon.readings.append((self.time, sighting.strength))
        // Old readings say nothing about the current distance.
        let oldest = self.time - settings.silence
        beacon.readings.removeAll { $0.time < oldest }
        if beacon.readings.count > settings.windowCount { beacon.readings.removeFirst() }
        let strength = BeaconDistance.smoothed(beacon.readings.map(\.strength)) ?? -120
        beacon.meters = BeaconDistance.meters(power: Double(beacon.power), strength: strength)
        if !beacon.isHere, beacon.meters <= settings.enterMeters {
            beacon.isHere = true
            events.append(.entered(identity, meters: beacon.meters))
        } else if beacon.isHere, beacon.meters > settings.leaveMeters {
            beacon.isHere = false
            events.append(.left(identity, .far))
        }
        heard[identity] = beacon
        findNearest(&events)
        return events
    }

    /// Advances the time in seconds, and returns the changes.
    ///
    /// Beacons that have been silent for too long leave the range.
    ///
    /// - Complexity: O(beacons).
    public mutating func advance(to time: Double) -> [BeaconMonitor.Event] {
        // Ignores clocks that were set back and invalid times.
        if time > self.time { self.time = time }
        let oldest = self.time - settings.silence
        var events: [BeaconMonitor.Event] = []
        let silent = heard.filter { $0.value.lastTime < oldest }.map { ($0.value.lastTime, $0.key) }
        for (_, identity) in silent.sorted(by: Self.isBefore) {
            if heard.removeValue(forKey: identity)?.isHere == true { events.append(.left(identity, .silent)) }
        }
        if !silent.isEmpty { findNearest(&events) }
        return events
    }

    /// Sets the state of the radio, and returns the changes.
    ///
    /// If the radio stops receiving, all beacons leave the range.
    public mutating func set(_ radio: BeaconMonitor.RadioState, at time: Double) -> [BeaconMonitor.Event] {
        var events = advance(to: time)
        guard radio != self.radio else { return events }
        self.radio = radio
        events.append(.radio(radio))
        guard !radio.hearsBeacons else { return events }
        events += present.map { .left($0.identity, .radio) }
        heard = [:]
        findNearest(&events)
        return events
    }

    private mutating func forgetOldest(
        for identity: BeaconAdvertisement.Identity, _ events: inout [BeaconMonitor.Event]
    ) {
        guard heard[identity] == nil, heard.count >= Self.maximumCount else { return }
        let oldest = heard.min { Self.isBefore(($0.value.lastTime, $0.key), ($1.value.lastTime, $1.key)) }
        guard let oldest else { return }
        heard[oldest.key] = nil
        if oldest.value.isHere { events.append(.left(oldest.key, .silent)) }
    }

    private mutating func findNearest(_ events: inout [BeaconMonitor.Event]) {
        var next = nearest.flatMap { heard[$0]?.isHere == true ? $0 : nil }
        let first = heard.filter(\.value.isHere).min {
            Self.isBefore(($0.value.meters, $0.key), ($1.value.meters, $1.key))
        }
        if let first {
            let current = next.flatMap { heard[$0]?.meters }
            if current.map({ first.value.meters < $0 * settings.nearerShare }) ?? true { next = first.key }
        }
        guard next != nearest else { return }
        nearest = next
        events.append(.nearest(next))
    }

    /// A deterministic order of beacons with equal numbers, independent of the dictionary order.
    private static func isBefore(
        _ a: (Double, BeaconAdvertisement.Identity), _ b: (Double, BeaconAdvertisement.Identity)
    ) -> Bool {
        guard a.0 == b.0 else { return a.0 < b.0 }
        guard (a.1.major, a.1.minor) == (b.1.major, b.1.minor) else {
            return (a.1.major, a.1.minor) < (b.1.major, b.1.minor)
        }
        return a.1.uuid.uuidString < b.1.uuid.uuidString
    }
}
