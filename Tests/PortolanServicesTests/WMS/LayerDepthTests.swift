import PortolanServices
import Testing

struct LayerDepthTests {
    /// Each layer takes room on the stack, which is small in other threads than the first.
    @Test func `layers within layers beyond all reason are left out with a warning`() throws {
        let depth = 150
        let text =
            "<WMT_MS_Capabilities version='1.1.1'><Capability>"
            + String(repeating: "<Layer><Title>x</Title>", count: depth)
            + String(repeating: "</Layer>", count: depth) + "</Capability></WMT_MS_Capabilities>"
        let offered = try WMSCapabilitiesReader.read(Array(text.utf8))
        #expect(offered.warnings.contains { $0.contains("deep are left out") })
        var count = 0, layers = offered.layers
        while let layer = layers.first {
            count += 1
            layers = layer.children
        }
        #expect(count == 25)
    }
}
