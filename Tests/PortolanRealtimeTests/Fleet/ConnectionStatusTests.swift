import Foundation
import Testing

@testable import PortolanRealtime

@Suite struct ConnectionStatusTests {
    private let fault = FeedError(.unreachable, source: "a.example", "no answer")

    @Test func `the status is live while vehicles are received`() {
        var status = ConnectionStatus(now: time(0))
        #expect(!status.isLive)
        status.apply(.live, now: time(1))
        #expect(status.isLive)
        status.apply(.lost(fault, retry: .seconds(5)), now: time(2))
        #expect(!status.isLive)
    }

    @Test func `an error at the start blocks the app, and a lost connection clears on recovery`() {
        var status = ConnectionStatus(now: time(0))
        status.apply(.connecting, now: time(0))
        status.apply(.lost(fault, retry: .seconds(5)), now: time(1))
        #expect(status.blocks)
        #expect(status.words(in: .english) == "The server does not answer. Try again later.")
        status.apply(.connecting, now: time(6))
        #expect(status.blocks, "it is still all there is to say")
        status.apply(.live, now: time(7))
        #expect(!status.blocks)
        #expect(status.fault == nil)
        status.apply(.lost(fault, retry: .seconds(5)), now: time(8))
        #expect(status.phase == .connectionLost)
        #expect(status.since == time(8))
        #expect(!status.blocks)
        status.apply(.live, now: time(20))
        #expect(status.phase == .live)
    }

    @Test func `the status is starting until the source is live`() {
        var status = ConnectionStatus(now: time(0))
        status.apply(.connecting, now: time(0))
        #expect(status.isStarting)
        status.apply(.live, now: time(4))
        #expect(!status.isStarting)
    }

    @Test func `a source that has ended is reported`() {
        var status = ConnectionStatus(now: time(0))
        status.apply(.live, now: time(1))
        status.apply(.ended(nil), now: time(2))
        #expect(status.words(in: .spanish) == "La grabación ha terminado")
    }

    @Test func `each state has a message in each language`() {
        for language in LiveLanguage.all {
            var said: Set<String> = []
            for state in [FeedEvent.State.live, .ended(nil), .ended(fault), .lost(fault, retry: .zero)] {
                var status = ConnectionStatus(now: time(0))
                said.insert(status.words(in: language))
                status.apply(state, now: time(1))
                said.insert(status.words(in: language))
                status.apply(.live, now: time(1))
                status.apply(.lost(fault, retry: .zero), now: time(2))
                said.insert(status.words(in: language))
            }
            #expect(said.count == 5)
        }
    }
}
