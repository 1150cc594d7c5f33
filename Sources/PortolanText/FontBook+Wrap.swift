extension FontBook {
    /// The lines of `text`, none wider than `maximumWidth` pixels as far as that can be had.
    ///
    /// Line breaks in the text are kept, also at its end and where they enclose nothing. Further breaks are made at
    /// spaces, which are then left out, and after hyphens and dashes that do not stand before a digit; a word that is
    /// alone too wide is broken between characters, and a character that is alone too wide stands on its own line. This
    /// is a simple form of the Unicode Line Breaking Algorithm (UAX #14) without rules for particular scripts.
    ///
    /// - Throws: `TextError` as `shape(_:request:size:)` does, when the width is not above 0, or when a paragraph or the
    ///   whole text is too long.
    /// - Complexity: O(*n* log *n*) in the text's length.
    public func wrap(
        _ text: String, request: FontRequest, size: Double, maximumWidth: Double
    ) throws(TextError) -> [TextLine] {
        try checkSize(size)
        guard maximumWidth > 0 else { throw .invalidWidth(maximumWidth) }
        let count = text.unicodeScalars.count
        guard count <= limits.scalarsPerText else { throw .tooLong(count: count, limit: limits.scalarsPerText) }
        let setting = LineSetting(book: self, request: request, size: size, maximumWidth: maximumWidth)
        var lines: [TextLine] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) {
            let length = paragraph.unicodeScalars.count
            guard length <= limits.scalarsPerLine else {
                throw .tooLong(count: length, limit: limits.scalarsPerLine)
            }
            try setting.appendLines(of: Array(paragraph), to: &lines)
        }
        return lines
    }
}
