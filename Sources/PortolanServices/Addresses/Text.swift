extension String {
    /// Returns the text without leading and trailing white space.
    package func trimmingSpace() -> String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The parts between white space.
    package var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}

extension [String] {
    /// The first twenty items, separated by commas, and the number of further ones.
    var listed: String {
        if isEmpty { return "none" }
        let shown = prefix(20).joined(separator: ", ")
        return count > 20 ? shown + " and \(count - 20) more" : shown
    }
}
