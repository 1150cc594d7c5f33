/// The families, the weight and the slant of a font name in a style.
///
/// In `Open Sans Semibold` the weight comes last.
package struct FontName: Hashable {
    /// The families, separated by commas, or `nil` for the default font.
    package var families: String?
    /// 100 to 900.
    package var weight = 400
    /// Whether the font is italic.
    package var isItalic = false

    private static let weights = [
        "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300, "regular": 400, "normal": 400,
        "book": 400, "roman": 400, "medium": 500, "semibold": 600, "demibold": 600, "bold": 700, "extrabold": 800,
        "ultrabold": 800, "black": 900, "heavy": 900,
    ]
    private static let slants: Set<String> = ["italic", "oblique"]

    /// Creates a name from the fonts of a style, preferred first.
    package init(_ names: [String]) {
        var families: [String] = []
        for (place, name) in names.prefix(16).enumerated() {
            var words = name.split(separator: " ").map(String.init), weight: Int?, isItalic = false
            while let last = words.last?.lowercased(), words.count > 1 {
                if let known = Self.weights[last] {
                    // "Semi Bold" consists of two words.
                    let before = words.dropLast().last?.lowercased() ?? ""
                    let joined = words.count > 2 ? Self.weights[before + last] : nil
                    weight = weight ?? joined ?? known
                    words.removeLast(joined == nil ? 1 : 2)
                } else if Self.slants.contains(last) {
                    isItalic = true
                    words.removeLast()
                } else {
                    break
                }
            }
            if place == 0 {
                self.weight = weight ?? self.weight
                self.isItalic = isItalic
            }
            let family = words.joined(separator: " ")
            if !family.isEmpty, !families.contains(family) { families.append(family) }
        }
        self.families = families.isEmpty ? nil : families.joined(separator: ",")
    }
}
