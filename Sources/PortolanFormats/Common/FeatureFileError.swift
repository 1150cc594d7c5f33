import PortolanFeatures
import PortolanRaster
import PortolanWeb
import PortolanXML

/// A reason why a feature document, or a single geometry in text or binary form, cannot be read.
public struct FeatureFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The content is invalid for its format, or truncated.
        case malformed
        /// The document has another format.
        case otherFormat
        /// The document uses an unsupported part of its format.
        case unsupported
        /// The document is encrypted.
        case encrypted
        /// One of the ``/PortolanFeatures/FeatureLimits`` is exceeded.
        case limitExceeded
        /// The document or its features exceed the budget ``/PortolanFeatures/FeatureLimits/memory``.
        case memory
        /// A companion file cannot be read.
        case unreadable
        /// The task was cancelled.
        case cancelled
    }

    /// The position of a fault in a document.
    public enum Place: Hashable, Sendable {
        /// A line, from 1, and a column, from 1, or `nil` if unknown.
        case line(Int, column: Int? = nil)
        /// A byte offset from the start.
        case byte(Int)
        /// A record or row, from 1.
        case record(Int)
    }

    /// The name of the format.
    public let format: String
    /// The kind of failure.
    public let code: Code
    /// The position, or `nil` for the whole document.
    public let place: Place?
    /// The error message, in one line.
    public let detail: String
    /// The actual kind of the document, if the code is ``Code/otherFormat`` and the content is recognized.
    public private(set) var kind: FeatureFileError.FileKind?

    /// Creates an error.
    public init(_ code: Code, in format: String, at place: Place? = nil, _ detail: String) {
        self.format = format
        self.code = code
        self.place = place
        // Names of files and columns are from documents.
        self.detail = detail.inOneLine
    }

    /// The format, the position and the cause, in one line.
    public var description: String {
        switch place {
        case .line(let line, let column):
            "\(format), line \(line)" + (column.map { ", column \($0)" } ?? "") + ": \(detail)"
        case .byte(let offset): "\(format), byte \(offset): \(detail)"
        case .record(let number): "\(format), record \(number): \(detail)"
        case nil: "\(format): \(detail)"
        }
    }

    /// Returns the error of a document of which a part begins at a byte.
    func moved(by byteCount: Int) -> FeatureFileError {
        guard case .byte(let offset) = place else { return self }
        var error = FeatureFileError(code, in: format, at: .byte(offset + byteCount), detail)
        error.kind = kind
        return error
    }

    /// Creates the error for a document that no format recognizes.
    init(_ kind: FeatureFileError.FileKind) {
        self.init(.otherFormat, in: "features", "it is \(kind.words)")
        self.kind = kind
    }

    init(_ error: LocalFileError, in format: String) {
        let code: Code, detail: String
        switch error.code {
        case .missing: (code, detail) = (.unreadable, "no file '\(error.path)'")
        case .tooLong(let limit): (code, detail) = (.limitExceeded, "'\(error.path)' exceeds \(limit) bytes")
        case .cancelled: (code, detail) = (.cancelled, error.detail)
        default: (code, detail) = (.unreadable, "'\(error.path)': \(error.detail)")
        }
        self.init(code, in: format, detail)
    }

    init(_ error: XMLError, in format: String) {
        let code: Code =
            switch error.reason {
            case .limit: .limitExceeded
            case .refused: .otherFormat
            case .empty, .notWellFormed, .entity, .encoding: .malformed
            }
        self.init(code, in: format, at: .line(error.line, column: error.column), error.message)
    }
}

extension FeatureLimits {
    /// Throws if the budget has no room for bytes to be decompressed.
    func lookForRoom(_ byteCount: Int, in format: String) throws(FeatureFileError) {
        do { _ = try memory?.charge(byteCount) } catch {
            throw FeatureFileError(.memory, in: format, "too large for memory: \(error)")
        }
    }
}
