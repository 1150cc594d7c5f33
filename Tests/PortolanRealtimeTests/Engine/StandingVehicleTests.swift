import Foundation
import PortolanFetch
import PortolanTesting
import PortolanTransit
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanRealtime

/// Vehicles that stand, as who listens behind a broker knows them.
@Suite struct StandingVehicleTests {
    private static func broker(confirming count: Int) -> ScriptedByteTransport {
        let confirmations = (1...count).map { number in
            ScriptedByteTransport.Step.say(Array("RECEIPT\nreceipt-id:r\(number)\n\n\0".utf8))
        }
        return ScriptedByteTransport([[.say(Array("CONNECTED\nversion:1.2\n\n\0".utf8))] + confirmations])
    }

    /// Reports at an interval in seconds, and the seconds of five minutes in which they are published.
    @Test(arguments: [
        (10, [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300]), (29, [0, 58, 116, 174, 232, 290]),
        (31, [0, 31, 62, 93, 124, 155, 186, 217, 248, 279]), (85, [0, 85, 170, 255]),
    ])
    func `a standing vehicle stays fresh behind a broker while its source reports it`(
        period: Int, expected: [Int]
    ) async throws {
        let transport = Self.broker(confirming: expected.count)
        let publisher = try STOMPPublisher(ByteEndpoint("stomp://localhost"), transport, .test(TestClock()))
        var sink = VehicleEngine.STOMPSink(publisher, topic: "/topic/city"), core = VehicleEngine.Core(now: time(0))
        var published: [Int] = [], fleet = Fleet(), reader = MobitransitReader(), parser = STOMPParser(), heardCount = 0
        for second in 0...300 {
            let now = time(Double(second))
            if second.isMultiple(of: period) {
                core.take(.reports([report("stands", at: Double(second), 24.9, 60.1, line: "9")]), now: now)
            }
            if second == 0 { core.take(.reports([report("silent", at: 0, 24.8, 60.1)]), now: now) }
            if let change = core.flush(now: now) {
                published.append(second)
                // The broker confirms no more than is expected.
                guard published.count <= expected.count else { break }
                try await sink.publish(change, of: core.state)
                let sent = try #require(transport.sent.first)
                parser.append(Array(sent.dropFirst(heardCount)))
                heardCount = sent.count
                while let frame = try parser.next() {
                    guard let heard = reader.report(of: frame, heard: now) else { continue }
                    _ = fleet.apply(.reports([heard]), now: now)
                }
            }
            let vehicle = try #require(fleet.vehicles["stands"]), silent = try #require(fleet.vehicles["silent"])
            #expect(!fleet.isStale(vehicle, now: now))
            #expect(fleet.isStale(silent, now: now) == (second > 90))
        }
        #expect(published == expected)
    }

    @Test func `the complete state has the latest report time of a standing vehicle`() {
        var core = VehicleEngine.Core(now: time(0))
        for second in [0.0, 20, 40] {
            core.take(.snapshot([report("a", at: second, 24.9, 60.1)], time: time(second)), now: time(second))
            _ = core.flush(now: time(second))
        }
        #expect(core.state.vehicles.map(\.time) == [time(40)])
        #expect(core.state.number == 2)
    }

    @Test func `a repeated report is not a change`() {
        var core = VehicleEngine.Core(now: time(0))
        for second in [0.0, 40, 80] {
            core.take(.snapshot([report("a", at: 0, 24.9, 60.1)], time: time(second)), now: time(second))
            #expect((core.flush(now: time(second)) != nil) == (second == 0))
        }
    }
}
