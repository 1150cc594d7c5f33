import PortolanFeatures
import PortolanRaster
import PortolanWeb
import PortolanXML

/// Why a document of features, or one shape in text or bytes, cannot be read.
public struct FeatureFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of failure.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// It breaks the rules of its format, or ends too early.
        case malformed
        /// It is of another format.
        case otherFormat
        /// It uses a part of its format that is not read.
        case unsupported
        /// It is encrypted.
        case encrypted
        /// One of the ``/PortolanFeatures/FeatureLimits`` is exceeded.
        case limitExceeded
        /// There is no room for the document, or for its features, in ``/PortolanFeatures/FeatureLimits/memory``.
        case memory
        /// A file that belongs to it cannot be read.
        case unreadable
        /// The task that was reading it was cancelled.
        case cancelled
    }

    /// Where in a document a fault lies.
    public enum Place: Hashable, Sendable {
        /// In a line, from 1, and a column of it, from 1, where that is known.
        case line(Int, column: Int? = nil)
        /// At a byte, counted from the start.
        case byte(Int)
        /// In a record or row, from 1.
        case record(Int)
    }

    /// The name of the format.
    public let format: String
    /// What kind of failure it is.
    public let code: Code
    /// Where it is, or `nil` when it is the whole document.
    public let place: Place?
    /// What is wrong, in one line.
    public let detail: String
    /// What the document is instead, where the code is ``Code/otherFormat`` and its content tells.
    public private(set) var kind: FileKind?

    /// Makes an error.
    public init(_ code: Code, in format: String, at place: Place? = nil, _ detail: String) {
        self.format = format
        self.code = code
        self.place = place
        // Names of files and columns come from documents.
        self.detail = detail.inOneLine
    }

    /// The format, the place and what is wrong, in one line.
    public var description: String {
        switch place {
        case .line(let line, let column):
            "\(format), line \(line)" + (column.map { ", column \($0)" } ?? "") + ": \(detail)"
        case .byte(let offset): "\(format), byte \(offset): \(detail)"
        case .record(let number): "\(format), record \(number): \(detail)"
        case nil: "\(format): \(detail)"
        }
    }

    /// The error of a document that no format recognises.
    init(_ kind: FileKind) {
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
    /// Throws if the budget has no room for bytes that are about to be unpacked.
    func lookForRoom(_ byteCount: Int, in format: String) throws(FeatureFileError) {
        do { _ = try memory?.charge(byteCount) } catch {
            throw FeatureFileError(.memory, in: format, "too large for memory: \(error)")
        }
    }
}
