/// What the bytes of a document are made of, as far as a mutator cares.
enum Grammar: Sendable {
    case xml, json, png, jpeg
    /// A short text with separators, as an address or an option is.
    case words

    /// What opens and closes a level of nesting.
    var nest: (open: String, close: String) {
        switch self {
        case .xml: ("<Layer>", "</Layer>")
        case .json: ("[", "]")
        case .png, .jpeg, .words: ("{", "}")
        }
    }

    /// Whether the documents are text.
    var isText: Bool { self != .png && self != .jpeg }
}
