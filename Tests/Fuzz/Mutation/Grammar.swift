/// The structure of a document's bytes, as far as a mutator needs it.
enum Grammar: Sendable {
    case xml, json, png, jpeg, gif
    /// Chunks of RIFF, as in WebP.
    case riff
    /// A file of SQLite.
    case sqlite
    /// A short text with separators, as an address or an option is.
    case words

    /// The delimiters of a nesting level.
    var nest: (open: String, close: String) {
        switch self {
        case .xml: ("<Layer>", "</Layer>")
        case .json: ("[", "]")
        case .png, .jpeg, .gif, .riff, .sqlite, .words: ("{", "}")
        }
    }

    /// Whether the documents are text.
    var isText: Bool {
        switch self {
        case .png, .jpeg, .gif, .riff, .sqlite: false
        case .xml, .json, .words: true
        }
    }
}
