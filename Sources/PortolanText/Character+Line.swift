extension Character {
    /// Whether the character ends a line: CR, LF, CR LF, NEL, VT, FF, and the line and paragraph separators.
    var endsLine: Bool { isNewline }

    /// Whether a line may be broken after the character, which is then left out at the line's end.
    ///
    /// These are the spaces of UAX #14's classes SP, BA and ZW; a no-break space (GL) is not among them.
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

    /// The scalars that stand for the character on a line.
    var lineScalars: [Unicode.Scalar] {
        if endsLine || self == "\t" { return [" "] }
        return unicodeScalars.filter { $0.properties.generalCategory != .control }
    }
}
