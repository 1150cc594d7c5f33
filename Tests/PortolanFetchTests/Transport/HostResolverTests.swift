#if os(Linux) && (!Drivers || DEBUG)
import PortolanWeb
import Testing

@testable import PortolanFetch

@Suite struct HostResolverTests {
    private static func addresses(of host: String, _ resolver: HostResolver) async -> [IPAddress] {
        let slot = AnswerSlot<[IPAddress]>()
        resolver.resolve(host) { slot.answer($0) }
        return await slot.reply()
    }

    @Test func `an IP address resolves to itself, and localhost to this machine`() async throws {
        let resolver = HostResolver()
        let six = await Self.addresses(of: "[::1]", resolver)
        #expect(six.map(\.network) == [.loopback])
        for _ in 0..<2 {
            let found = await Self.addresses(of: "localhost", resolver)
            #expect(!found.isEmpty)
            #expect(found.allSatisfy { $0.network == .loopback })
        }
    }

    @Test func `an overlong name has no address, and many tasks may wait for one lookup`() async {
        let resolver = HostResolver(), name = String(repeating: "a", count: 64)
        await withTaskGroup(of: [IPAddress].self) { group in
            for _ in 0..<20 { group.addTask { await Self.addresses(of: name, resolver) } }
            for await found in group { #expect(found.isEmpty) }
        }
    }
}
#endif
