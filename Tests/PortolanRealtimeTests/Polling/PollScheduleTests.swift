import PortolanFetch
import Testing

@testable import PortolanRealtime

@Suite struct PollScheduleTests {
    @Test func `responding servers are polled at their interval, and failing ones ever more rarely`() {
        var schedule = PollSchedule(count: 2, pace: .seconds(30))
        #expect(schedule.due(at: .zero) == [0, 1])
        schedule.succeeded(0, at: .zero)
        #expect(schedule.failed(1, at: .zero, random: 0) == .seconds(30))
        #expect(schedule.wait(at: .seconds(10)) == .seconds(20))
        #expect(schedule.due(at: .seconds(30)) == [0, 1])
        #expect(schedule.failed(1, at: .seconds(30), random: 0) == .seconds(60))
        #expect(schedule.due(at: .seconds(61)) == [0])
        for _ in 0..<100 { _ = schedule.failed(1, at: .seconds(90), random: 0.5) }
        #expect(schedule.failed(1, at: .seconds(90), random: 0) == .seconds(600))
        schedule.succeeded(1, at: .seconds(700))
        #expect(schedule.failed(1, at: .seconds(730), random: 0) == .seconds(30))
    }

    @Test func `no server is polled more than once a second`() {
        var schedule = PollSchedule(count: 1, pace: .zero)
        schedule.succeeded(0, at: .zero)
        #expect(schedule.wait(at: .zero) == .seconds(1))
    }
}
