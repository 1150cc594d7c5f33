/// A sum by which damage to what a store keeps is found: each step can be undone, so that any change of one word changes
/// the sum.
///
/// No defence against someone who means harm: who may write to the store may write the sum as well.
package enum Checksum {
    /// The sum of `bytes`, beginning with `seed`.
    ///
    /// O(number of bytes).
    package static func of(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
        var sum = mixed(seed ^ UInt64(bytes.count))
        var index = 0
        while index + 8 <= bytes.count {
            var word: UInt64 = 0
            for place in 0..<8 { word |= UInt64(bytes[index + place]) << UInt64(place * 8) }
            sum = mixed(sum ^ word)
            index += 8
        }
        var last: UInt64 = 0
        for place in index..<bytes.count { last |= UInt64(bytes[place]) << UInt64((place - index) * 8) }
        return mixed(sum ^ last)
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word &* 0x9E37_79B9_7F4A_7C15
        word ^= word >> 29
        return word
    }
}
