import PortolanPaint
import PortolanPlan
import PortolanText

extension MapPlan {
    /// Returns the attributions of the layers that the source line of the page does not state.
    ///
    /// A source line that may be cut replaces none.
    func attributions(on page: PrintPage?, fonts: FontBook) throws(TextError) -> [String] {
        guard FontBook.isBuiltIn, let page, let source = page.source else { return attributions }
        let text = Self.joined(source), left = attributions.filter { !Self.states(text, $0) }
        guard left.count < attributions.count else { return left }
        // Beside the line are the number of the page and the zone of the grid.
        let room = Double(scene.viewport.size.width) - 120
        let isWhole =
            text.unicodeScalars.count < 500
            ? try fonts.shape(text, request: FontRequest(), size: PrintPage.lineSize).advance <= room : false
        return isWhole ? left : attributions
    }

    /// A text on one line, as the page shows it.
    private static func joined(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns whether a text contains an attribution, not only as a part of another word.
    private static func states(_ text: String, _ attribution: String) -> Bool {
        func isInWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        return text.ranges(of: joined(attribution)).contains { range in
            let found = text[range]
            let isCutBefore = isInWord(text[..<range.lowerBound].last) && isInWord(found.first)
            let isCutAfter = isInWord(found.last) && isInWord(text[range.upperBound...].first)
            return !isCutBefore && !isCutAfter
        }
    }
}
