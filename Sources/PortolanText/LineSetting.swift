/// The line breaking of one paragraph.
struct LineSetting {
    let book: FontBook
    let request: FontRequest
    let size: Double
    let maximumWidth: Double

    /// Appends the lines of the paragraph, at least one.
    func appendLines(of paragraph: Paragraph, to lines: inout [TextLine]) throws(TextError) {
        let characters = paragraph.characters
        let breaks = Self.breaks(in: characters)
        var passed = 0
        var start = 0
        repeat {
            while start < characters.count, characters[start].isBreakingSpace { start += 1 }
            while passed < breaks.count, breaks[passed] <= start { passed += 1 }
            let end = try lineEnd(in: paragraph, from: start, breaks: breaks[passed...])
            lines.append(try book.line(paragraph.line(start..<end), request: request, size: size))
            start = end
            while start < characters.count, characters[start].isBreakingSpace { start += 1 }
        } while start < characters.count
    }

    /// Returns the end of the line that begins at `start`: the last break that fits, or else the last character that
    /// fits.
    private func lineEnd(
        in paragraph: Paragraph, from start: Int, breaks: ArraySlice<Int>
    ) throws(TextError) -> Int {
        guard let wordEnd = breaks.first else { return start }
        let fitting = try countOfFitting(breaks.count) { index in
            paragraph.line(start..<breaks[breaks.startIndex + index])
        }
        if fitting > 0 { return breaks[breaks.startIndex + fitting - 1] }
        let characters = try countOfFitting(wordEnd - start) { index in paragraph.line(start..<(start + index + 1)) }
        return start + max(1, characters)
    }

    /// Returns the number of candidates that fit, by doubling steps and then bisection.
    ///
    /// The cost depends on the length of the line, not of the paragraph.
    private func countOfFitting(
        _ count: Int, candidate: (Int) -> LineText
    ) throws(TextError) -> Int {
        var fitting = 0
        var step = 1
        var tooMany = count + 1
        while fitting < count {
            let probe = min(fitting + step, count)
            guard try fits(candidate(probe - 1)) else {
                tooMany = probe
                break
            }
            fitting = probe
            step *= 2
        }
        while tooMany - fitting > 1, fitting < count {
            let middle = (fitting + tooMany) / 2
            if try fits(candidate(middle - 1)) { fitting = middle } else { tooMany = middle }
        }
        return fitting
    }

    private func fits(_ line: LineText) throws(TextError) -> Bool {
        try book.advance(of: line, request: request, size: size) <= maximumWidth
    }

    /// Returns the possible line ends in ascending order, before trailing spaces; the last is the end of the last word.
    private static func breaks(in paragraph: [Character]) -> [Int] {
        var breaks: [Int] = []
        for (index, character) in paragraph.enumerated() {
            let next = index + 1 < paragraph.count ? paragraph[index + 1] : nil
            if character.isBreakingSpace { continue }
            guard let next, !next.isBreakingSpace else {
                breaks.append(index + 1)
                continue
            }
            guard character.isBreakingHyphen, !next.isNumber, !next.isBreakingHyphen, index > 0 else { continue }
            let previous = paragraph[index - 1]
            if !previous.isBreakingSpace, !previous.isBreakingHyphen { breaks.append(index + 1) }
        }
        return breaks
    }
}

extension Character {
    /// Whether the character ends a line: CR, LF, CR LF, NEL, VT, FF, and the line and paragraph separators.
    var endsLine: Bool { isNewline }

    /// Whether a line may be broken after the character, which is then left out.
    ///
    /// These are the spaces of UAX #14's classes SP, BA and ZW; a no-break space (GL) is not included.
    var isBreakingSpace: Bool {
        guard let scalar = unicodeScalars.first else { return false }
        switch scalar.value {
        case 0x09, 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200B, 0x205F, 0x3000: return true
        default: return false
        }
    }

    /// Whether the character is a hyphen or dash after which a line may be broken.
    var isBreakingHyphen: Bool {
        self == "-" || self == "\u{2010}" || self == "\u{2013}" || self == "\u{2014}"
    }

    /// The scalars that represent the character on a line.
    var lineScalars: [Unicode.Scalar] {
        if endsLine || self == "\t" { return [" "] }
        return unicodeScalars.filter { $0.properties.generalCategory != .control }
    }
}
