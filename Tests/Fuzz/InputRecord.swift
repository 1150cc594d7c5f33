import Foundation

/// The document under test, kept in a file, so that it outlives the process that it ends.
struct InputRecord {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
    }

    /// Writes down the document that is read next, and how many were read before it.
    func write(_ bytes: [UInt8], number: Int) {
        var record: [UInt8] = []
        record.reserveCapacity(16 + bytes.count)
        for value in [number, bytes.count] {
            for shift in stride(from: 0, to: 64, by: 8) { record.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        record += bytes
        // The call reads the whole array and no more.
        _ = unsafe pwrite(descriptor, record, record.count, 0)
    }

    /// The content of the record at `path`.
    static func read(path: String) -> (bytes: [UInt8], number: Int)? {
        guard let data = FileManager.default.contents(atPath: path), data.count >= 16 else { return nil }
        let record = [UInt8](data)
        func value(_ place: Int) -> Int { (0..<8).reduce(0) { $0 | Int(record[place + $1]) << (8 * $1) } }
        return (Array(record[16...].prefix(value(8))), value(0))
    }
}
