/// The failure of reading a TIFF file, and its position.
package struct TIFFError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Hashable, Sendable {
        /// The bytes are no TIFF file.
        case wrongFormat
        /// The bytes do not follow the format.
        case malformed
        /// The file uses a compression or a kind of samples that is not read.
        case unsupported
        /// A part of the file is larger than the limits.
        case limitExceeded
    }

    /// The kind of failure.
    package let code: Code
    /// The position in the file, in bytes.
    package let offset: UInt64
    /// The failure, for people.
    package let reason: String

    package init(_ code: Code, offset: UInt64, _ reason: String) {
        self.code = code
        self.offset = offset
        self.reason = reason
    }

    /// The position and the failure, in one line.
    package var description: String { "byte \(offset): \(reason)" }
}
