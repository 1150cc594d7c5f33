import PortolanServerCore
import Testing

@Suite struct ViewerAttentionTests {
    private static func attention() -> ViewerAttention {
        ViewerAttention(rest: .seconds(3), patience: .seconds(60), at: .seconds(100))
    }

    @Test(
        arguments: [
            (100, .looking), (103, .looking), (104, .away), (160, .away), (161, .gone), (100_000, .gone),
        ] as [(Int, ViewerAttention.Level)])
    func `a page without requests is away after a while, and then gone`(second: Int, level: ViewerAttention.Level) {
        #expect(Self.attention().level(at: .seconds(second)) == level)
    }

    @Test func `a page with a pending request is looking, however long that takes`() {
        var attention = Self.attention()
        attention.begin(at: .seconds(150))
        attention.begin(at: .seconds(151))
        #expect(attention.level(at: .seconds(9000)) == .looking)
        attention.end(at: .seconds(9000))
        #expect(attention.level(at: .seconds(9900)) == .looking)
        attention.end(at: .seconds(10_000))
        #expect(attention.silence(at: .seconds(10_002)) == .seconds(2))
        #expect(attention.level(at: .seconds(10_002)) == .looking)
        #expect(attention.level(at: .seconds(10_004)) == .away)
    }

    @Test func `a page that returns is looking again`() {
        var attention = Self.attention()
        #expect(attention.level(at: .seconds(130)) == .away)
        attention.begin(at: .seconds(130))
        attention.end(at: .seconds(130))
        #expect(attention.level(at: .seconds(132)) == .looking)
    }

    @Test func `a viewer is not closed before it rests`() {
        let attention = ViewerAttention(rest: .seconds(3), patience: .zero, at: .zero)
        #expect(attention.level(at: .seconds(3)) == .looking && attention.level(at: .seconds(4)) == .gone)
    }
}
