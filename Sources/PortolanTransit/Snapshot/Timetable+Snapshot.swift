import Foundation
import PortolanWeb
import PortolanZip

extension Timetable {
    /// A timetable with its origin, as a flat file that loads in milliseconds.
    ///
    /// The file has a signature, a version, a checksum and columns in little-endian order. The format is private and may
    /// change with each version. Files of other versions are rejected, and the feed must be read again.
    public struct Snapshot: Sendable {
        /// The origin of a timetable.
        public struct Source: Hashable, Sendable {
            /// The URL without secrets, or an empty string.
            public var url = ""
            /// The `ETag` of the feed, or an empty string.
            public var entityTag = ""
            /// The `Last-Modified` date of the feed, or an empty string.
            public var lastModified = ""
            /// The number of problems in the feed.
            public var problemCount = 0
            /// The number of rows that were omitted or cut off at a limit.
            public var lossCount = 0

            /// Creates an empty source.
            public init() {}
        }

        /// The timetable.
        public var timetable: Timetable
        /// The origin of the timetable.
        public var source: Source

        /// Creates a snapshot.
        public init(_ timetable: Timetable, source: Source = Source()) {
            self.timetable = timetable
            self.source = source
        }

        private static let mark = Array("PORTOLTT".utf8)
        private static let version: UInt32 = 3
        private static let headLength = 24

        /// The contents of the file.
        ///
        /// - Complexity: linear in the size of the timetable.
        public var bytes: [UInt8] {
            var copy = self, writer = SnapshotWriter()
            // Writing never throws.
            try? copy.code(&writer)
            var head = SnapshotWriter(bytes: Self.mark)
            head.put(Self.version)
            head.put(CRC32.checksum(of: writer.bytes[...]))
            head.put(UInt64(writer.bytes.count))
            return head.bytes + writer.bytes
        }

        /// Reads a snapshot from bytes.
        ///
        /// - Parameters:
        ///   - bytes: the contents of the file.
        ///   - name: the name used in messages.
        /// - Throws: ``Timetable/SnapshotError``.
        /// - Complexity: linear in the size of the file.
        public init(_ bytes: [UInt8], name: String = "snapshot") throws(Timetable.SnapshotError) {
            guard bytes.count >= Self.headLength, bytes.starts(with: Self.mark) else { throw .foreign(file: name) }
            var reader = SnapshotReader(bytes: bytes, position: Self.mark.count, file: name)
            let version: UInt32 = try reader.take()
            guard version == Self.version else { throw .otherVersion(file: name, version: Int(version)) }
            let checksum: UInt32 = try reader.take(), length: UInt64 = try reader.take()
            guard length == UInt64(bytes.count - Self.headLength) else {
                throw .damaged(file: name, byte: bytes.count, what: "its length differs from its header")
            }
            guard CRC32.checksum(of: bytes.dropFirst(Self.headLength)) == checksum else {
                throw .damaged(file: name, byte: Self.headLength, what: "wrong checksum")
            }
            self.init(Timetable())
            try code(&reader)
            guard reader.position == bytes.count else {
                throw .damaged(file: name, byte: reader.position, what: "unexpected data at the end")
            }
            if let what = timetable.inconsistency {
                throw .damaged(file: name, byte: Self.headLength, what: what)
            }
        }

        /// Reads a snapshot from a file.
        public init(at path: String) throws(Timetable.SnapshotError) {
            let bytes: [UInt8]
            do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: .max) } catch {
                throw .unreadable(file: path)
            }
            try self.init(bytes, name: (path as NSString).lastPathComponent)
        }

        /// Writes the file atomically, so that concurrent readers see either the old or the new version.
        public func write(to path: String) throws(Timetable.SnapshotError) {
            do {
                try Data(bytes).write(to: URL(filePath: path), options: .atomic)
            } catch { throw .unwritable(file: path) }
        }
    }
}

extension Timetable {
    /// The reason why a snapshot cannot be read or written.
    public enum SnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file is not a snapshot.
        case foreign(file: String)
        /// The snapshot was written by another version of this package.
        case otherVersion(file: String, version: Int)
        /// The snapshot is incomplete or corrupt.
        case damaged(file: String, byte: Int, what: String)
        /// The file cannot be read.
        case unreadable(file: String)
        /// The file cannot be written.
        case unwritable(file: String)

        /// A one-line message with file, position and cause.
        public var description: String {
            switch self {
            case .foreign(let file): "\(file): not a timetable snapshot"
            case .otherVersion(let file, let version): "\(file): unsupported version \(version)"
            case .damaged(let file, let byte, let what): "\(file), byte \(byte): \(what)"
            case .unreadable(let file): "\(file): cannot read it"
            case .unwritable(let file): "\(file): cannot write it"
            }
        }
    }
}
