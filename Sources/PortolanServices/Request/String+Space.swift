extension String {
    /// The text without white space at its ends.
    package func trimmingSpace() -> String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The words between white space.
    package var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}
