import PortolanWeb

/// The fault of a document, with its place.
package struct XMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault.
    package enum Reason: Hashable, Sendable {
        /// There is nothing in it.
        case empty
        /// It breaks a rule of XML, told in words.
        case notWellFormed(String)
        /// It uses an entity other than the five of XML; those are never expanded.
        case entity(String)
        /// It is larger than a limit allows.
        case limit(String)
        /// It is written in an encoding that is not understood.
        case encoding(String)
        /// Its elements are not what the handler of the events needs.
        case refused(String)
    }

    /// The fault.
    package let reason: Reason
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, or `nil` when it is not known.
    package let column: Int?

    package init(_ reason: Reason, line: Int, column: Int? = nil) {
        self.reason = reason
        self.line = line
        self.column = column
    }

    /// The fault for a person, without the place.
    package var message: String { words.inOneLine }

    private var words: String {
        switch reason {
        case .empty: "the document is empty"
        case .notWellFormed(let text): "the XML is not well-formed: \(text)"
        case .entity(let name): "the entity '&\(name);' is refused: only &amp; &lt; &gt; &quot; &apos; are read"
        case .limit(let text): text
        case .encoding(let name): "the encoding '\(name)' is not understood"
        case .refused(let text): text
        }
    }

    /// The place and what is wrong, in one line.
    package var description: String {
        "line \(line)" + (column.map { ", column \($0)" } ?? "") + ": " + message
    }
}
