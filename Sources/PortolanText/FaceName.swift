/// The name of a face as styles use it: the family and the style, such as `Noto Sans Bold Italic`.
///
/// Names are equal without regard to case, spaces, hyphens and underscores. `Noto Sans` and `Noto Sans Book` mean
/// `Noto Sans Regular`.
struct FaceName: Hashable {
    /// The name for a list.
    let text: String
    private let key: String

    private static let regularStyles = ["regular", "book", "roman", "normal"]

    /// Creates the name of a face in a font file.
    init(family: String, style: String) {
        text = style.isEmpty || family.isEmpty ? family + style : "\(family) \(style)"
        key = Self.key(family) + (Self.regularStyles.contains(Self.key(style)) ? "" : Self.key(style))
    }

    /// Creates the name in a request.
    init(_ text: String) {
        self.text = text
        var key = Self.key(text)
        if let style = Self.regularStyles.first(where: { key.hasSuffix($0) && key != $0 }) {
            key.removeLast(style.count)
        }
        self.key = key
    }

    private static func key(_ text: String) -> String { text.lowercased().filter { !" -_".contains($0) } }

    static func == (left: FaceName, right: FaceName) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
