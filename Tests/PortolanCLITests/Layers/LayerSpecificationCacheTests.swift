import Portolan
import PortolanCLI
import Testing

@Suite struct LayerSpecificationCacheTests {
    static func rule(_ text: String) throws -> CacheRule? {
        try LayerSpecification("xyz:http://t.example/{z}/{x}/{y}.png;cache=\(text)").cacheRule()
    }

    @Test func `terms with their units`() throws {
        let rule = try #require(try Self.rule("at-least:90,at-most:2h,stale:3d"))
        #expect(rule.minimumLifetime == 90 && rule.maximumLifetime == 7200 && rule.staleLifetime == 259_200)
        let fixed = try #require(try Self.rule("fixed:5m"))
        #expect(fixed.ignoresServer && fixed.defaultLifetime == 300)
        #expect(try Self.rule("off") == .disabled)
        #expect(try LayerSpecification("xyz:http://t.example/{z}/{x}/{y}.png").cacheRule() == nil)
    }

    @Test(arguments: [
        "", "on", "at-least", "at-least:", "at-least:-1", "at-least:1w", "at-least:9999999999d", "x:1",
        "at-least:2d,at-most:1d", "off,fixed:1",
    ])
    func `what cannot be is refused before anything is asked`(text: String) {
        #expect(throws: CommandFailure.self) { _ = try Self.rule(text) }
    }
}
