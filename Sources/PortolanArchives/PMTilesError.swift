/// The failure of reading a PMTiles archive, and its position.
package struct PMTilesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Hashable, Sendable {
        /// The bytes are not a PMTiles archive.
        case wrongFormat
        /// The bytes do not follow the format.
        case malformed
        /// The archive uses a version or a compression that is not read.
        case unsupported
        /// A directory or a tile is larger than the limits.
        case limitExceeded
    }

    /// The kind of failure.
    package let code: Code
    /// The position in the archive, in bytes.
    package let offset: UInt64
    /// The failure, for a person.
    package let reason: String

    package init(_ code: Code, offset: UInt64, _ reason: String) {
        self.code = code
        self.offset = offset
        self.reason = reason
    }

    /// The position and the failure, in one line.
    package var description: String { "byte \(offset): \(reason)" }
}
