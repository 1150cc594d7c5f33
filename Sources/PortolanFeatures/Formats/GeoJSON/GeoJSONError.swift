/// Why a document could not be read as GeoJSON, and where.
public struct GeoJSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Hashable, Sendable, CaseIterable {
        /// The bytes are no JSON (RFC 8259).
        case syntax
        /// The document ends in the middle.
        case truncated
        /// Something follows the end of the document.
        case trailingContent
        /// A text is not valid UTF-8, or escapes half of a surrogate pair.
        case invalidText
        /// A number is malformed, too long or too large.
        case invalidNumber
        /// A name stands twice in one object.
        case duplicateName
        /// A member that GeoJSON demands is not there.
        case missingMember
        /// A member has a value of a kind that GeoJSON does not allow there.
        case wrongType
        /// The coordinates are nested otherwise than the geometry's type demands.
        case wrongNesting
        /// The `crs` member names a system that is not known or cannot be looked up.
        case unsupportedCRS
        /// One of the ``FeatureLimits`` is exceeded.
        case limitExceeded
    }

    /// What kind of failure it is.
    public let code: Code
    /// Where, counted in bytes from the start of the document.
    public let byteOffset: Int
    /// The line, the first being 1.
    public let line: Int
    /// What is wrong, for a person.
    public let detail: String

    /// The failure and its place in one line.
    public var description: String { "GeoJSON, line \(line) (byte \(byteOffset)): \(detail)" }
}
