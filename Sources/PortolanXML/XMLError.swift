import PortolanWeb

/// The error of a document, with its position.
package struct XMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error.
    package enum Reason: Hashable, Sendable {
        /// The document is empty.
        case empty
        /// The document violates a rule of XML; the value is the message.
        case notWellFormed(String)
        /// The document uses an entity other than the five predefined ones; entities are never expanded.
        case entity(String)
        /// The document exceeds a limit.
        case limit(String)
        /// The encoding of the document is not supported.
        case encoding(String)
        /// The handler rejected the elements of the document.
        case refused(String)
    }

    /// The kind of error.
    package let reason: Reason
    /// The line, starting at 1.
    package let line: Int
    /// The column, starting at 1, or `nil` if unknown.
    package let column: Int?

    package init(_ reason: Reason, line: Int, column: Int? = nil) {
        self.reason = reason
        self.line = line
        self.column = column
    }

    /// The message without the position.
    package var message: String { words.inOneLine }

    private var words: String {
        switch reason {
        case .empty: "the document is empty"
        case .notWellFormed(let text): "the XML is not well-formed: \(text)"
        case .entity(let name): "the entity '&\(name);' is refused: only &amp; &lt; &gt; &quot; &apos; are supported"
        case .limit(let text): text
        case .encoding(let name): "unknown encoding '\(name)'"
        case .refused(let text): text
        }
    }

    /// The position and the message, in one line.
    package var description: String {
        "line \(line)" + (column.map { ", column \($0)" } ?? "") + ": " + message
    }
}
