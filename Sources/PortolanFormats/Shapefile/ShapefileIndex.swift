import PortolanFeatures

/// Where the records of a `.shp` file begin, by the `.shx` file beside it.
struct ShapefileIndex {
    /// The offset of each record's header, in bytes; none where the file is no index.
    let offsets: [Int]

    /// Reads an index: a header of 100 bytes, and eight bytes a record.
    ///
    /// - Complexity: linear in the records.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= 100, bytes.starts(with: [0, 0, 0x27, 0x0A]) else {
            offsets = []
            return
        }
        offsets = stride(from: 100, to: bytes.count - 7, by: 8).map { place in
            // In words of two bytes.
            bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } * 2
        }
    }
}
