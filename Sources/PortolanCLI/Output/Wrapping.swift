/// Breaks text of files and servers into lines for a terminal.
package enum Wrapping {
    /// How wide a line may be.
    package static let width = 100

    /// The text as lines that end in line ends, broken between words; a word longer than a line stays whole.
    ///
    /// - Parameters:
    ///   - first: what the first line begins with.
    ///   - rest: what the other lines begin with.
    package static func lines(_ text: String, first: String = "", rest: String = "") -> String {
        var result = "", line = first, isEmpty = true
        for word in PlainText.oneLine(text).split(separator: " ") {
            if !isEmpty, line.count + 1 + word.count > width {
                result += line + "\n"
                line = rest
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return result + line + "\n"
    }
}
