/// What the bytes of a document are made of, as far as a mutator cares.
enum Grammar: Sendable {
    case xml, json, png, jpeg, gif
    /// Chunks of RIFF, as in WebP.
    case riff
    /// A file of SQLite.
    case sqlite
    /// A short text with separators, as an address or an option is.
    case words

    /// What opens and closes a level of nesting.
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
