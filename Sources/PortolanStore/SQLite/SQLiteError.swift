package import PortolanFetch

#if canImport(CSQLite)
import CSQLite
#else
import SQLite3
#endif

/// What SQLite says went wrong.
package struct SQLiteError: Error, Hashable, Sendable {
    /// The primary result code.
    package let code: Int32
    /// SQLite's own words.
    package let words: String

    /// Whether another file has taken the place of the one that is open.
    private let isMoved: Bool

    /// Makes an error of a result code, primary or extended.
    package init(code: Int32, words: String) {
        self.code = code & 0xFF
        isMoved = code == SQLITE_READONLY | 4 << 8
        self.words = words
    }

    /// Whether the file itself is at fault: it is damaged, or no database.
    ///
    /// The statements are fixed: where one of them names what is not there, or breaks a rule, the layout is damaged.
    package var isDamage: Bool {
        isMoved || [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT].contains(code)
    }

    /// The error as a store tells it.
    package func storeError(at place: String) -> StoreError {
        switch code {
        case SQLITE_CORRUPT: StoreError(.damaged, place: place, detail: "the database is damaged (\(words))")
        case SQLITE_NOTADB: StoreError(.wrongFormat, place: place, detail: "this is not an SQLite database")
        case SQLITE_FULL: StoreError(.full, place: place, detail: "there is no space left; free some")
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            StoreError(.notWritable, place: place, detail: "it may not be written to (\(words))")
        case SQLITE_BUSY, SQLITE_LOCKED:
            StoreError(.busy, place: place, detail: "another process has held it for too long; try again")
        case SQLITE_CANTOPEN:
            StoreError(.cannotOpen, place: place, detail: "it cannot be opened; see that it exists and may be read")
        case SQLITE_IOERR:
            StoreError(.unavailable, place: place, detail: "reading or writing it failed (\(words))")
        default: StoreError(.unavailable, place: place, detail: "SQLite says: \(words)")
        }
    }
}
