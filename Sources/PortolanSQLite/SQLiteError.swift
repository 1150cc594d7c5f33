#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
#if canImport(Darwin)
import SQLite3
#elseif Storage
import CSQLite
#endif

/// The failure of an SQLite statement or connection.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Kind: Hashable, Sendable {
        /// The file is damaged.
        case damaged
        /// The file is not an SQLite database, or has an unexpected schema.
        case notADatabase
        /// The schema has another version.
        case otherVersion
        /// A statement names a missing object: the schema differs.
        case schema
        /// A constraint of the schema is violated.
        case constraint
        /// The disk is full.
        case full
        /// The file is read-only.
        case notWritable
        /// The file at the path was replaced.
        case moved
        /// Another process locked the file for too long.
        case busy
        /// The file cannot be opened.
        case cannotOpen
        /// Reading or writing failed.
        case inputOutput
        /// A value is longer than allowed.
        case tooLong
        /// The rows of a statement need more memory than allowed.
        case memory
        /// A statement needs more steps than allowed.
        case endless
        /// The reading task was cancelled.
        case cancelled
        /// This program was built without SQLite.
        case notBuiltIn
        case other
    }

    package let kind: Kind
    /// The message of SQLite.
    package let message: String

    package init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }

    /// Whether the file itself is the cause.
    ///
    /// The statements are fixed, so an error about missing objects or violated constraints means a damaged schema.
    package var isDamage: Bool {
        [.moved, .damaged, .notADatabase, .otherVersion, .schema, .constraint].contains(kind)
    }

    /// The failure and its remedy.
    package var description: String {
        switch kind {
        case .damaged: "the database is damaged (\(message))"
        case .notADatabase: "not an SQLite database"
        case .otherVersion: "it has the format of another version of this program"
        case .full: "no space left on the disk (\(message)); free some"
        case .notWritable, .moved: "no permission to write to it (\(message))"
        case .busy: "timed out waiting for another process that uses it; try again"
        case .cannotOpen: "cannot open it; check that it exists and is readable"
        case .inputOutput: "input or output error (\(message))"
        case .memory: "its rows exceed the memory limit"
        case .endless: "the query does not end: \(message); check for a view that repeats without end"
        case .cancelled, .notBuiltIn: message
        case .schema, .constraint, .tooLong, .other: "SQLite error: \(message)"
        }
    }
}

#if Storage || canImport(Darwin)
extension SQLiteError {
    /// Creates an error from a primary or extended result code.
    ///
    /// - Parameter systemError: the `errno` of the failed call, if SQLite keeps it. SQLite reports an exceeded quota or
    ///   a full disk as an I/O error in some cases.
    init(code: Int32, message: String, systemError: Int32 = 0) {
        let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
        kind =
            switch code & 0xFF {
            case _ where isOfSystem && [ENOSPC, EDQUOT].contains(systemError): .full
            case _ where isOfSystem && systemError == EROFS: .notWritable
            case _ where code == SQLITE_READONLY | 4 << 8: .moved
            case SQLITE_CORRUPT: .damaged
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_ERROR: .schema
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_FULL: .full
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .notWritable
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_IOERR: .inputOutput
            case SQLITE_TOOBIG: .tooLong
            case SQLITE_NOMEM: .memory
            default: .other
            }
        // The text belongs to the system, and is copied before another call.
        let words = systemError == 0 ? nil : unsafe strerror(systemError).map { unsafe String(cString: $0) }
        self.message = isOfSystem ? words.map { "\(message): \($0)" } ?? message : message
    }
}
#endif
