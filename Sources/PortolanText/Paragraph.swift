/// A paragraph of text that is broken into lines.
///
/// The direction of a line can depend on other lines.
struct Paragraph {
    let characters: [Character]
    private var scalars: [Unicode.Scalar] = []
    /// The scalar index where each character begins, and the end of the last.
    private var starts: [Int] = [0]
    #if Text && !canImport(CoreText)
    private let levels: BidiLevels
    #endif

    /// Creates a paragraph: white space controls become spaces, other controls are left out.
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

    /// Returns the line of a range of characters.
    func line(_ range: Range<Int>) -> LineText {
        let place = starts[range.lowerBound]..<starts[range.upperBound]
        #if Text && !canImport(CoreText)
        return LineText(scalars: Array(scalars[place]), levels: levels.levels(ofLine: place))
        #else
        return LineText(scalars: Array(scalars[place]), levels: [])
        #endif
    }
}

/// A line of text in logical order.
struct LineText {
    let scalars: [Unicode.Scalar]
    /// The embedding level of each scalar (UAX #9); empty if CoreText resolves them.
    let levels: [Int]
}
