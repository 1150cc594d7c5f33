/// A paragraph of text, of which lines are made: what decides their direction may stand in another line.
struct Paragraph {
    let characters: [Character]
    private var scalars: [Unicode.Scalar] = []
    /// Where each character begins among the scalars, and where the last ends.
    private var starts: [Int] = [0]
    #if Text && !canImport(CoreText)
    private let levels: BidiLevels
    #endif

    /// The paragraph as it is set: white space controls are spaces, other controls are left out.
    init(_ text: some StringProtocol) {
        characters = Array(text)
        for character in characters {
            scalars += character.lineScalars
            starts.append(scalars.count)
        }
        #if Text && !canImport(CoreText)
        levels = BidiLevels(scalars)
        #endif
    }

    /// The whole paragraph on one line.
    var line: LineText { line(characters.indices) }

    /// The line of some of the characters.
    func line(_ range: Range<Int>) -> LineText {
        let place = starts[range.lowerBound]..<starts[range.upperBound]
        #if Text && !canImport(CoreText)
        return LineText(scalars: Array(scalars[place]), levels: levels.levels(ofLine: place))
        #else
        return LineText(scalars: Array(scalars[place]), levels: [])
        #endif
    }
}

/// A line of text, in the order in which it is read.
struct LineText {
    let scalars: [Unicode.Scalar]
    /// The embedding level of each scalar (UAX #9); none where CoreText resolves them.
    let levels: [Int]
}
