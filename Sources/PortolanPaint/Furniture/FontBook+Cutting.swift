import PortolanText

extension FontBook {
    /// Returns the longest prefix of a line that fits into a width, with an ellipsis if it is cut, or `nil` if not even
    /// one character fits.
    func cut(
        _ text: String, request: FontRequest, size: Double, maximumWidth: Double
    ) throws(TextError) -> TextLine? {
        let whole = try shape(text, request: request, size: size)
        if whole.advance <= maximumWidth { return whole }
        let characters = Array(text)
        var fitting: TextLine?, low = 1, high = characters.count - 1
        while low <= high {
            let count = (low + high) / 2
            var start = characters[..<count]
            while start.last?.isWhitespace == true { start.removeLast() }
            let line = try shape(String(start) + "…", request: request, size: size)
            if line.advance <= maximumWidth { (fitting, low) = (line, count + 1) } else { high = count - 1 }
        }
        return fitting
    }

    /// Returns the first lines of a text.
    ///
    /// The last one ends with an ellipsis if there are more.
    func wrap(
        _ text: String, request: FontRequest, size: Double, maximumWidth: Double, most: Int
    ) throws(TextError) -> [TextLine] {
        let lines = try wrap(text, request: request, size: size, maximumWidth: maximumWidth)
        guard lines.count > most, most > 0 else { return lines }
        // Two lines of text exceed the width of one line.
        let rest = lines[(most - 1)...most].map(\.text).joined(separator: " ") + "…"
        let last = try cut(rest, request: request, size: size, maximumWidth: maximumWidth)
        return lines.prefix(most - 1) + [last ?? lines[most - 1]]
    }
}
