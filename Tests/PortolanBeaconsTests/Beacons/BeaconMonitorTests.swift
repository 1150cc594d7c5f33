import Foundation
import PortolanBeacons
import Testing

@Suite struct BeaconMonitorTests {
    private static let uuid = UUID()

    private static func identity(_ major: UInt16, _ minor: UInt16) -> BeaconAdvertisement.Identity {
        BeaconAdvertisement.Identity(uuid: uuid, major: major, minor: minor)
    }

    /// The advertisement of a beacon at a distance in metres.
    private static func heard(_ major: UInt16, _ minor: UInt16, meters: Double) -> BeaconMonitor.Sighting {
        let strength = -59 - Int((20 * log10(meters)).rounded())
        return BeaconMonitor.Sighting(BeaconAdvertisement(identity: identity(major, minor)), strength: strength)
    }

    @Test func `a beacon is entered when it is near and left when it is far`() {
        var monitor = BeaconMonitor()
        let stop = Self.identity(7, 1)
        #expect(monitor.hear(Self.heard(7, 1, meters: 20), at: 0) == [])
        for second in 1..<8 { _ = monitor.hear(Self.heard(7, 1, meters: 1), at: Double(second)) }
        #expect(monitor.nearest == stop)
        #expect(monitor.present.map(\.identity) == [stop])
        var events: [BeaconMonitor.Event] = []
        for second in 8..<20 { events += monitor.hear(Self.heard(7, 1, meters: 30), at: Double(second)) }
        #expect(events == [.left(stop, .far), .nearest(nil)])
    }

    @Test func `a signal between the entry and exit distances causes no event`() {
        var monitor = BeaconMonitor()
        var events: [BeaconMonitor.Event] = []
        for second in 0..<60 {
            events += monitor.hear(Self.heard(7, 1, meters: second % 2 == 0 ? 2.9 : 5), at: Double(second))
        }
        #expect(events.count == 2)
        #expect(monitor.nearest == Self.identity(7, 1))
    }

    @Test(arguments: [(UInt16(7), UInt16(2)), (8, 1), (8, 2)])
    func `a neighbour that differs only in major or minor becomes the nearest`(major: UInt16, minor: UInt16) {
        var monitor = BeaconMonitor(.touch)
        _ = monitor.hear(Self.heard(7, 1, meters: 0.1), at: 0)
        #expect(monitor.nearest == Self.identity(7, 1))
        // Held to the next sign: the first one is heard from farther off.
        var events: [BeaconMonitor.Event] = []
        for second in 1..<12 {
            events += monitor.hear(Self.heard(7, 1, meters: 0.8), at: Double(second))
            events += monitor.hear(Self.heard(major, minor, meters: 0.05), at: Double(second))
        }
        #expect(events.contains(.nearest(Self.identity(major, minor))))
        #expect(monitor.nearest == Self.identity(major, minor))
    }

    @Test func `in touch mode a beacon is entered within ten centimetres`() {
        var monitor = BeaconMonitor(.touch)
        #expect(monitor.hear(Self.heard(7, 1, meters: 0.2), at: 0) == [])
        var near = BeaconMonitor(.touch)
        #expect(near.hear(Self.heard(7, 1, meters: 0.1), at: 0).count == 2)
    }

    @Test func `the nearest beacon is reported, and changes only if another is clearly nearer`() {
        var monitor = BeaconMonitor()
        _ = monitor.hear(Self.heard(7, 1, meters: 2), at: 0)
        #expect(monitor.hear(Self.heard(7, 2, meters: 1.78), at: 0.1).count == 1)
        #expect(monitor.nearest == Self.identity(7, 1))
        #expect(monitor.hear(Self.heard(7, 3, meters: 1), at: 0.2).last == .nearest(Self.identity(7, 3)))
        #expect(monitor.present.map(\.identity.minor) == [3, 2, 1])
    }

    @Test func `a silent beacon is left after a timeout by the caller's clock`() {
        var monitor = BeaconMonitor()
        let stop = Self.identity(7, 1)
        _ = monitor.hear(Self.heard(7, 1, meters: 1), at: 100)
        #expect(monitor.advance(to: 110) == [])
        #expect(monitor.advance(to: 50) == [])
        #expect(monitor.advance(to: .nan) == [])
        #expect(monitor.time == 110)
        #expect(monitor.advance(to: 110.5) == [.left(stop, .silent), .nearest(nil)])
    }

    @Test(arguments: [127, 0, 20, -128, -121])
    func `impossible signal strengths are ignored`(strength: Int) {
        var monitor = BeaconMonitor()
        let advertisement = BeaconAdvertisement(identity: Self.identity(1, 1))
        #expect(monitor.hear(BeaconMonitor.Sighting(advertisement, strength: strength), at: 0) == [])
        #expect(monitor.meters(to: advertisement.identity) == nil)
    }

    @Test func `beacons with an unregistered UUID are ignored`() {
        var monitor = BeaconMonitor(BeaconMonitor.Settings(uuids: [UUID()]))
        #expect(monitor.hear(Self.heard(7, 1, meters: 1), at: 0) == [])
    }

    @Test func `beacons are detected only while the radio is on, and each radio state has a message`() {
        for state in BeaconMonitor.RadioState.allCases {
            var monitor = BeaconMonitor(radio: state)
            let events = monitor.hear(Self.heard(7, 1, meters: 1), at: 0)
            #expect(events.isEmpty == (state != .on))
            #expect(state.hearsBeacons == (state == .on))
        }
        let words = BeaconMonitor.RadioState.allCases.flatMap { [$0.words(), $0.words(in: "es-EC")] }
        #expect(Set(words).count == 12)
        #expect(words.allSatisfy { $0.hasSuffix(".") })
        #expect(
            BeaconMonitor.RadioState.off.words(in: "es")
                == "Bluetooth está apagado. Enciéndalo para detectar paradas cercanas.")
        #expect(BeaconMonitor.RadioState.off.words(in: "fi") == BeaconMonitor.RadioState.off.words())
    }

    @Test func `all beacons are left when the radio is switched off`() {
        var monitor = BeaconMonitor()
        let stop = Self.identity(7, 1)
        _ = monitor.hear(Self.heard(7, 1, meters: 1), at: 0)
        #expect(monitor.set(.off, at: 1) == [.radio(.off), .left(stop, .radio), .nearest(nil)])
        #expect(monitor.set(.off, at: 2) == [])
        #expect(monitor.hear(Self.heard(7, 1, meters: 1), at: 3) == [])
        #expect(monitor.set(.on, at: 4) == [.radio(.on)])
        #expect(monitor.hear(Self.heard(7, 1, meters: 1), at: 5).count == 2)
    }

    @Test func `beyond the maximum count, the beacon that was silent longest is forgotten`() {
        var monitor = BeaconMonitor()
        for index in 0...BeaconMonitor.maximumCount {
            _ = monitor.hear(Self.heard(1, UInt16(index), meters: 1), at: Double(index) * 1e-4)
        }
        #expect(monitor.present.count == BeaconMonitor.maximumCount)
        #expect(monitor.meters(to: Self.identity(1, 0)) == nil)
        #expect(monitor.meters(to: Self.identity(1, 1)) != nil)
    }
}
