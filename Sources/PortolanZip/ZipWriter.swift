/// Writes ZIP archives (PKWARE APPNOTE 6.3) with uncompressed files.
package struct ZipWriter {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    package init() {}

    /// Adds a file.
    ///
    /// Returns `false` and adds nothing if the archive would exceed 4 GiB or 65,535 files.
    package mutating func add(_ name: String, _ content: [UInt8]) -> Bool {
        let path = Array(name.utf8)
        guard bytes.count + content.count + 2 * path.count + 200 + directory.count < Int(UInt32.max), count < 65_535,
            path.count < 65_536
        else { return false }
        let offset = bytes.count
        // Version 2.0, names in UTF-8, stored; date 1980-01-01.
        var shared: [UInt8] = []
        for value in [20, 0x800, 0, 0, 0x21] as [UInt16] { Self.add(value, to: &shared) }
        Self.add(CRC32.checksum(of: content[...]), to: &shared)
        Self.add(UInt32(content.count), to: &shared)
        Self.add(UInt32(content.count), to: &shared)
        Self.add(UInt16(path.count), to: &shared)
        bytes += [0x50, 0x4B, 3, 4] + shared + [0, 0] + path + content
        directory += [0x50, 0x4B, 1, 2, 20, 0] + shared + [UInt8](repeating: 0, count: 12)
        Self.add(UInt32(offset), to: &directory)
        directory += path
        count += 1
        return true
    }

    /// Returns the archive.
    package func finished() -> [UInt8] {
        var end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        Self.add(UInt16(count), to: &end)
        Self.add(UInt16(count), to: &end)
        Self.add(UInt32(directory.count), to: &end)
        Self.add(UInt32(bytes.count), to: &end)
        return bytes + directory + end + [0, 0]
    }

    private static func add(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
