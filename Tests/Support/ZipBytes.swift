/// Hand-made archives with unusual content.
package enum ZipBytes {
    /// An archive of stored files.
    ///
    /// - Parameter files: names, contents, general-purpose flags and methods as in the directory.
    package static func archive(
        _ files: [(name: String, content: [UInt8], flags: UInt16, method: UInt16)], disk: UInt16 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = [], directory: [UInt8] = []
        for file in files {
            let name = Array(file.name.utf8), offset = bytes.count
            let head =
                word(20) + word(file.flags) + word(file.method) + word(0) + word(33) + long(checksum(file.content))
                + long(UInt32(file.content.count)) + long(UInt32(file.content.count)) + word(UInt16(name.count))
                + word(0)
            bytes += [0x50, 0x4B, 3, 4] + head + name + file.content
            directory +=
                [0x50, 0x4B, 1, 2] + word(20) + head + word(0) + word(0) + word(0) + long(0) + long(UInt32(offset))
            directory += name
        }
        let count = word(UInt16(files.count))
        return bytes + directory + [0x50, 0x4B, 5, 6] + word(disk) + word(disk) + count + count
            + long(UInt32(directory.count)) + long(UInt32(bytes.count)) + word(0)
    }

    private static func word(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    private static func long(_ number: UInt32) -> [UInt8] {
        word(UInt16(number & 0xFFFF)) + word(UInt16(number >> 16))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        return ~sum
    }
}
