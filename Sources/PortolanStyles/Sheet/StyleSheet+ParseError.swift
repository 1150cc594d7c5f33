extension StyleSheet {
    /// The reason why a document is not a style.
    public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The kinds of errors.
        public enum Reason: Hashable, Sendable {
            /// It is not valid JSON: the line and the unexpected text.
            case json(line: Int, String)
            /// It is JSON, but not a style. `wanted` describes what is missing.
            case noStyle(wanted: String)
            /// Its version is not 8.
            case version
            /// It is not valid XML: the line and the error.
            case xml(line: Int, String)
            /// No style in the document has the requested name.
            case noStyleNamed(String, among: [String])
            /// It exceeds the limit of layers.
            case tooManyLayers(limit: Int)
        }

        /// The kind of error.
        public let reason: Reason

        /// The error in one line.
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
