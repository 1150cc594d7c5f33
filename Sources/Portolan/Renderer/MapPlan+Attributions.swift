import PortolanPaint
import PortolanPlan
import PortolanText

extension MapPlan {
    /// The credits of a picture: each stands once.
    struct Credits {
        /// The attributions on the map.
        var attributions: [String]
        /// The page around the map.
        var page: PrintPage?
    }

    /// Returns the attributions of the layers that the source line of the page does not state, and the page.
    ///
    /// If the line states the beginning of an attribution, such as that without the licence, it gets the rest. A source
    /// line that may be cut replaces none.
    func credits(on page: PrintPage?, fonts: FontBook) throws(TextError) -> Credits {
        let all = Credits(attributions: attributions, page: page)
        guard FontBook.isBuiltIn, let source = page?.source else { return all }
        var text = Self.joined(source), credits = all
        credits.attributions = []
        for attribution in attributions {
            let attribution = Self.joined(attribution)
            if Self.range(of: attribution, in: text) != nil { continue }
            let heads = Self.heads(of: attribution)
            if let range = heads.lazy.compactMap({ Self.range(of: $0, in: text) }).first {
                text.replaceSubrange(range, with: attribution)
            } else {
                credits.attributions.append(attribution)
            }
        }
        guard credits.attributions.count < attributions.count else { return all }
        if text != Self.joined(source) { credits.page?.source = text }
        // Beside the line are the number of the page and the zone of the grid.
        let room = Double(scene.viewport.size.width) - 120
        let isWhole =
            text.unicodeScalars.count < 500
            ? try fonts.shape(text, request: FontRequest(), size: PrintPage.lineSize).advance <= room : false
        return isWhole ? credits : all
    }

    /// A text on one line, as the page shows it.
    private static func joined(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The least length of the beginning of an attribution that stands for it.
    private static let leastHead = 6

    /// The beginnings of an attribution that end before a separator, the longest first.
    private static func heads(of attribution: String) -> [String] {
        attribution.indices.filter { ",;(|·".contains(attribution[$0]) }.reversed().map { end in
            var head = attribution[..<end]
            while head.last?.isWhitespace ?? false { head.removeLast() }
            return String(head)
        }.filter { $0.count >= leastHead }
    }

    /// Returns where a text contains a credit, not only as a part of another word.
    private static func range(of credit: String, in text: String) -> Range<String.Index>? {
        func isInWord(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
        return text.ranges(of: credit).first { range in
            let found = text[range]
            let isCutBefore = isInWord(text[..<range.lowerBound].last) && isInWord(found.first)
            let isCutAfter = isInWord(found.last) && isInWord(text[range.upperBound...].first)
            return !isCutBefore && !isCutAfter
        }
    }
}
