extension StyleSheet {
    /// Why a document is no style.
    public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong.
        public enum Reason: Hashable, Sendable {
            /// It is no JSON; the line and what stands there.
            case json(line: Int, String)
            /// It is JSON, and no style; the words say what is missing.
            case noStyle(wanted: String)
            /// It is of another version than 8.
            case version
            /// It is no XML; the line and what is wrong there.
            case xml(line: Int, String)
            /// No style in the document has the name that was asked for.
            case noStyleNamed(String, among: [String])
            /// It has more layers than are read.
            case tooManyLayers(limit: Int)
        }

        /// What is wrong.
        public let reason: Reason

        /// What is wrong, in one line.
        public var description: String {
            switch reason {
            case .json(let line, let words), .xml(let line, let words): "line \(line): \(words)"
            case .noStyleNamed(let name, let names):
                "unknown style '\(name.prefix(60))'; available: "
                    + names.prefix(10).map { String($0.prefix(60)) }.joined(separator: ", ")
            case .noStyle(let wanted): "not a style: expected \(wanted)"
            case .version: "the style must have version 8"
            case .tooManyLayers(let limit): "the style has more than \(limit) layers"
            }
        }
    }
}
