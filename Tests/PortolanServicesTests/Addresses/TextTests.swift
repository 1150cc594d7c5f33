import PortolanServices
import Testing

@Suite struct NumberTextTests {
    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (-180, "-180"), (0.1, "0.1"), (100, "100"), (1e-05, "0.00001"),
        (-1.5e-07, "-0.00000015"), (8.58306884765625e-05, "0.0000858306884765625"), (1e16, "10000000000000000"),
        (1.5e20, "150000000000000000000"),
        (20037508.342789244, "20037508.342789244"),
        (78271.51696402048, "78271.51696402048"),
        (123456789012345680, "123456789012345680"),
        (1e22, "10000000000000000000000"),
        (0.30000000000000004, "0.30000000000000004"),
    ])
    func `a decimal has the fewest digits and no exponent`(value: Double, text: String) {
        #expect(NumberText.decimal(value) == text)
    }

    @Test func `each number is parsed back to the same value`() {
        var bits: UInt64 = 1
        for _ in 0..<20_000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(bitPattern: bits)
            guard value.isFinite else { continue }
            let text = NumberText.decimal(value)
            #expect(Double(text) == value)
            #expect(!text.contains("e"))
            #expect(!text.contains("E"))
            #expect(!text.hasSuffix("."))
        }
        for value in [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude] {
            #expect(Double(NumberText.decimal(value)) == value)
        }
    }
}
