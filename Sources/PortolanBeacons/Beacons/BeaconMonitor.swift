public import Foundation

/// A beacon that was heard once.
public struct BeaconSighting: Hashable, Sendable {
    /// What it sent.
    public var advertisement: BeaconAdvertisement
    /// How strong its signal was, in dBm.
    public var strength: Int

    /// Makes a sighting.
    public init(_ advertisement: BeaconAdvertisement, strength: Int) {
        self.advertisement = advertisement
        self.strength = strength
    }
}

/// What a monitor has to tell.
public enum BeaconEvent: Hashable, Sendable {
    /// Why one is no longer at a beacon.
    public enum Leaving: Hashable, Sendable {
        /// It is too far.
        case far
        /// It has not been heard for a while.
        case silent
        /// The radio hears nothing more.
        case radio
    }

    /// One has come to a beacon, so many metres from it.
    case entered(BeaconIdentity, meters: Double)
    /// One has left it.
    case left(BeaconIdentity, Leaving)
    /// The nearest of the beacons at which one is has changed; `nil` when there is none.
    case nearest(BeaconIdentity?)
    /// The radio has another state.
    case radio(RadioState)
}

/// At which beacons one is, by what is heard and when: a value that tells what changes.
///
/// One comes to a beacon within ``Settings/enterMeters`` and leaves it beyond ``Settings/leaveMeters`` or after
/// ``Settings/silence``, so that a signal that comes and goes does not open and close a page. Beacons are told apart by UUID,
/// major and minor together. The clock is that of who calls; a time before the last one counts as the last one.
public struct BeaconMonitor: Sendable {
    /// When one is at a beacon.
    public struct Settings: Hashable, Sendable {
        /// Whose beacons are listened to; those of all when this is empty.
        public var uuids: Set<UUID>
        /// From how near on one is at a beacon, in metres; 3.
        public var enterMeters: Double
        /// From how far on one is there no longer, in metres; 6.
        public var leaveMeters: Double
        /// After how many seconds without a signal one is there no longer; 10.
        public var silence: Double
        /// How much nearer another beacon must be to become the nearest, as a share of the distance; 0.8.
        public var nearerShare: Double
        /// How many readings are taken together; 7.
        public var windowCount: Int

        /// Makes settings; distances and times below nought are nought, and one never leaves nearer than one enters.
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

        /// Those of Q-Bus: a phone held to the sign of the stop, within a tenth of a metre.
        public static let touch = Settings(enterMeters: 0.1, leaveMeters: 1)
    }

    private struct Heard: Sendable {
        var power: Int8
        var readings: [(time: Double, strength: Int)]
        var isHere = false
        var meters = 1000.0
        var lastTime: Double { readings.last?.time ?? -.infinity }
    }

    /// When one is at a beacon.
    public let settings: Settings
    /// The state of the radio.
    public private(set) var radio: RadioState
    /// The nearest of the beacons at which one is.
    public private(set) var nearest: BeaconIdentity?
    /// The time of what was told last, in seconds.
    public private(set) var time = -Double.infinity
    private var heard: [BeaconIdentity: Heard] = [:]

    /// The most beacons that are remembered; of more, the one that has been silent longest is forgotten.
    public static let maximumCount = 256

    /// Makes a monitor that has heard nothing.
    public init(_ settings: Settings = Settings(), radio: RadioState = .on) {
        self.settings = settings
        self.radio = radio
    }

    /// The beacons at which one is, the nearest first, with their distances in metres.
    public var present: [(identity: BeaconIdentity, meters: Double)] {
        heard.filter(\.value.isHere).map { (identity: $0.key, meters: $0.value.meters) }
            .sorted { Self.isBefore(($0.meters, $0.identity), ($1.meters, $1.identity)) }
    }

    /// How far a beacon is, in metres; `nil` when it is not heard.
    public func meters(to identity: BeaconIdentity) -> Double? { heard[identity]?.meters }

    /// Takes in what was heard at a time in seconds; what changes by it.
    ///
    /// - Complexity: O(beacons).
    public mutating func hear(_ sighting: BeaconSighting, at time: Double) -> [BeaconEvent] {
        var events = advance(to: time)
        let identity = sighting.advertisement.identity
        guard radio.hearsBeacons, BeaconDistance.strengths.contains(sighting.strength),
            settings.uuids.isEmpty || settings.uuids.contains(identity.uuid)
        else { return events }
        forgetOldest(for: identity, &events)
        var beacon = heard[identity] ?? Heard(power: 0, readings: [])
        beacon.power = sighting.advertisement.measuredPower
        beacon.readings.append((self.time, sighting.strength))
        // What was heard long ago tells nothing of now.
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

    /// Lets the time pass, in seconds; beacons that have been silent for too long are left.
    ///
    /// - Complexity: O(beacons).
    public mutating func advance(to time: Double) -> [BeaconEvent] {
        // A clock that was set back, or is none.
        if time > self.time { self.time = time }
        let oldest = self.time - settings.silence
        var events: [BeaconEvent] = []
        let silent = heard.filter { $0.value.lastTime < oldest }.map { ($0.value.lastTime, $0.key) }
        for (_, identity) in silent.sorted(by: Self.isBefore) {
            if heard.removeValue(forKey: identity)?.isHere == true { events.append(.left(identity, .silent)) }
        }
        if !silent.isEmpty { findNearest(&events) }
        return events
    }

    /// Takes in a state of the radio; when it hears nothing, all beacons are left.
    public mutating func set(_ radio: RadioState, at time: Double) -> [BeaconEvent] {
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

    private mutating func forgetOldest(for identity: BeaconIdentity, _ events: inout [BeaconEvent]) {
        guard heard[identity] == nil, heard.count >= Self.maximumCount else { return }
        let oldest = heard.min { Self.isBefore(($0.value.lastTime, $0.key), ($1.value.lastTime, $1.key)) }
        guard let oldest else { return }
        heard[oldest.key] = nil
        if oldest.value.isHere { events.append(.left(oldest.key, .silent)) }
    }

    private mutating func findNearest(_ events: inout [BeaconEvent]) {
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

    /// One order of beacons with equal numbers, whatever the order of the table.
    private static func isBefore(_ a: (Double, BeaconIdentity), _ b: (Double, BeaconIdentity)) -> Bool {
        guard a.0 == b.0 else { return a.0 < b.0 }
        guard (a.1.major, a.1.minor) == (b.1.major, b.1.minor) else {
            return (a.1.major, a.1.minor) < (b.1.major, b.1.minor)
        }
        return a.1.uuid.uuidString < b.1.uuid.uuidString
    }
}
