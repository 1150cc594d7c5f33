import PortolanWeb

/// Why a capabilities document cannot be used.
public enum CapabilitiesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document is not well-formed XML or passes a limit; the line counts from 1.
    case malformed(line: Int, column: Int?, reason: String)
    /// The service answered with an exception.
    case exception(ServiceException)
    /// The document is some other one; the text tells which.
    case otherDocument(String)

    /// What is wrong, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .malformed(let line, let column, let reason):
            "the capabilities cannot be read: line \(line)" + (column.map { ", column \($0)" } ?? "") + ": \(reason)"
        case .exception(let exception): "the service answered: \(exception)"
        case .otherDocument(let text): "the answer is no capabilities document: \(text)"
        }
    }
}
