import PortolanPlan
import Testing

@Suite struct ServiceSizesTests {
    @Test func `the shortest side that was noted of a service counts`() {
        var sizes = ServiceSizes()
        #expect(sizes["a"] == nil)
        sizes.note(2048, of: "a")
        sizes.note(1024, of: "a")
        sizes.note(4096, of: "a")
        #expect(sizes["a"] == 1024 && sizes["b"] == nil)
        var others = ServiceSizes()
        others.note(512, of: "b")
        others.note(2048, of: "a")
        sizes.merge(others)
        #expect(sizes["a"] == 1024 && sizes["b"] == 512)
    }
}
