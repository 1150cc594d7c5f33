#if canImport(CPNGShim)
import Testing

@testable import PortolanCodecs

@Suite struct HuffmanCodeTests {
    @Test func `frequent symbols have short codes`() {
        let code = HuffmanCode(frequencies: [45, 13, 12, 16, 9, 5, 0], limit: 15)
        #expect(code.lengths == [1, 3, 3, 3, 4, 4, 0])
        #expect(code.size([45, 13, 12, 16, 9, 5, 0]) == 224)
    }

    @Test func `codes follow the example of the specification`() {
        // RFC 1951, section 3.2.2: lengths 3, 3, 3, 3, 3, 2, 4, 4 for A to H.
        let code = HuffmanCode(frequencies: [10, 10, 10, 10, 10, 20, 5, 5], limit: 15)
        #expect(code.lengths == [3, 3, 3, 3, 3, 2, 4, 4])
        let reversed: [UInt64] = [0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111]
        #expect(code.words.map { $0.bits } == reversed)
    }

    @Test(arguments: [7, 9, 12])
    func `lengths are limited, and no bit is wasted`(_ limit: Int) {
        var frequencies = [1, 1]
        while frequencies.count < 40 {
            frequencies.append(frequencies[frequencies.count - 1] + frequencies[frequencies.count - 2])
        }
        let code = HuffmanCode(frequencies: frequencies, limit: limit)
        #expect(code.lengths.allSatisfy { (1...limit).contains(Int($0)) })
        #expect(code.lengths.reduce(0) { $0 + 1 << (limit - Int($1)) } == 1 << limit)
        #expect(zip(code.lengths, code.lengths.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test(arguments: [[0, 0, 0], [0, 8, 0]])
    func `a code has at least one symbol`(_ frequencies: [Int]) {
        let code = HuffmanCode(frequencies: frequencies, limit: 12)
        #expect(code.lengths.filter { $0 == 1 }.count == 1)
        #expect(code.lengths.filter { $0 == 0 }.count == 2)
    }
}
#endif
