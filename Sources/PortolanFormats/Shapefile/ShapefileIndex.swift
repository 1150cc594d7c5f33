import PortolanFeatures

/// The offsets of the records of a `.shp` file, from its `.shx` file.
struct ShapefileIndex {
    /// The offset of each record's header in bytes; empty if the file is not an index.
    let offsets: [Int]

    /// Reads an index: a header of 100 bytes, and eight bytes per record.
    ///
    /// - Complexity: linear in the records.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= 100, bytes.starts(with: [0, 0, 0x27, 0x0A]) else {
            offsets = []
            return
        }
        offsets = stride(from: 100, to: bytes.count - 7, by: 8).map { place in
            // In 16-bit words.
            bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } * 2
        }
    }
}
