import Foundation
import PortolanWeb
import PortolanZip

/// A timetable as a flat file that opens in milliseconds, and where it came from.
///
/// The file has a mark, a version, a checksum and columns in little-endian order. It is this package's own and may change with each
/// version: what another has written is refused, and the feed is read again.
public struct TimetableSnapshot: Sendable {
    /// Where a timetable came from.
    public struct Source: Hashable, Sendable {
        /// The address, or nothing; without what is secret in it.
        public var url = ""
        /// What the server marked the feed with (`ETag`), or nothing.
        public var entityTag = ""
        /// When the feed was changed, as the server told it (`Last-Modified`), or nothing.
        public var lastModified = ""
        /// How many problems it had.
        public var problemCount = 0
        /// How many rows were left out, or cut at a limit.
        public var lossCount = 0

        /// Makes a source of which nothing is known.
        public init() {}
    }

    /// The timetable.
    public var timetable: Timetable
    /// Where it came from.
    public var source: Source

    /// Makes a snapshot.
    public init(_ timetable: Timetable, source: Source = Source()) {
        self.timetable = timetable
        self.source = source
    }

    private static let mark = Array("PORTOLTT".utf8)
    private static let version: UInt32 = 3
    private static let headLength = 24

    /// The file's bytes.
    ///
    /// - Complexity: linear in the timetable.
    public var bytes: [UInt8] {
        var copy = self, writer = SnapshotWriter()
        // A writer has nothing to refuse.
        try? copy.code(&writer)
        var head = SnapshotWriter(bytes: Self.mark)
        head.put(Self.version)
        head.put(CRC32.checksum(of: writer.bytes[...]))
        head.put(UInt64(writer.bytes.count))
        return head.bytes + writer.bytes
    }

    /// Reads a file's bytes.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - name: the name for messages.
    /// - Throws: ``SnapshotError``.
    /// - Complexity: linear in the file.
    public init(_ bytes: [UInt8], name: String = "snapshot") throws(SnapshotError) {
        guard bytes.count >= Self.headLength, bytes.starts(with: Self.mark) else { throw .foreign(file: name) }
        var reader = SnapshotReader(bytes: bytes, position: Self.mark.count, file: name)
        let version: UInt32 = try reader.take()
        guard version == Self.version else { throw .otherVersion(file: name, version: Int(version)) }
        let checksum: UInt32 = try reader.take(), length: UInt64 = try reader.take()
        guard length == UInt64(bytes.count - Self.headLength) else {
            throw .damaged(file: name, byte: bytes.count, what: "it has another length than its head says")
        }
        guard CRC32.checksum(of: bytes.dropFirst(Self.headLength)) == checksum else {
            throw .damaged(file: name, byte: Self.headLength, what: "its checksum differs")
        }
        self.init(Timetable())
        try code(&reader)
        guard reader.position == bytes.count else {
            throw .damaged(file: name, byte: reader.position, what: "there is more than there should be")
        }
        if let what = timetable.inconsistency {
            throw .damaged(file: name, byte: Self.headLength, what: what)
        }
    }

    /// Reads a file.
    public init(at path: String) throws(SnapshotError) {
        let bytes: [UInt8]
        do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: .max) } catch {
            throw .unreadable(file: path)
        }
        try self.init(bytes, name: (path as NSString).lastPathComponent)
    }

    /// Writes a file in one step: who reads it meanwhile finds the old one or the new one whole.
    public func write(to path: String) throws(SnapshotError) {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch { throw .unwritable(file: path) }
    }
}

/// Why a snapshot of a timetable cannot be read or written.
public enum SnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is no snapshot.
    case foreign(file: String)
    /// Another version of this package wrote it.
    case otherVersion(file: String, version: Int)
    /// It is not whole, or not as it was written.
    case damaged(file: String, byte: Int, what: String)
    /// The file cannot be read.
    case unreadable(file: String)
    /// The file cannot be written.
    case unwritable(file: String)

    /// File, place and cause in one line.
    public var description: String {
        switch self {
        case .foreign(let file): "\(file): it is no snapshot of a timetable"
        case .otherVersion(let file, let version): "\(file): it is of version \(version), which is not read"
        case .damaged(let file, let byte, let what): "\(file), byte \(byte): \(what)"
        case .unreadable(let file): "\(file): it cannot be read"
        case .unwritable(let file): "\(file): it cannot be written"
        }
    }
}
