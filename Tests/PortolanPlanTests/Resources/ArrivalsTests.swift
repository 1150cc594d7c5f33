import PortolanPlan
import Testing

@Suite struct ServiceTraitsTests {
    @Test func `the shortest side noted for a service is used`() {
        var traits = ServiceTraits()
        #expect(traits["a"] == nil)
        traits.note(2048, of: "a")
        traits.note(1024, of: "a")
        traits.note(4096, of: "a")
        #expect(traits["a"] == 1024)
        #expect(traits["b"] == nil)
        var others = ServiceTraits()
        others.note(512, of: "b")
        others.note(2048, of: "a")
        traits.merge(others)
        #expect(traits["a"] == 1024)
        #expect(traits["b"] == 512)
    }
}
