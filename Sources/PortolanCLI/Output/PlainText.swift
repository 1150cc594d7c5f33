/// Text of files and servers as a terminal may show it.
package enum PlainText {
    /// The most characters of a line; what a file or a server says may be far longer.
    package static let longest = 1000

    /// A text as one line, without line ends and control characters, its middle cut out when it is too long.
    package static func oneLine(_ text: String) -> String {
        let scalars = text.unicodeScalars
        var kept = Array(scalars.prefix(longest))
        if scalars.count > longest {
            // What is wrong may stand at the beginning, what to try at the end.
            kept = kept.prefix(longest * 3 / 4) + [" ", "…", " "] + scalars.suffix(longest / 4)
        }
        var line = String.UnicodeScalarView()
        var isAfterSpace = false
        for scalar in kept {
            let isSpace = scalar.properties.generalCategory == .control || scalar.properties.isWhitespace
            if !isSpace || !isAfterSpace { line.append(isSpace ? " " : scalar) }
            isAfterSpace = isSpace
        }
        return String(line)
    }
}
