extension String {
    /// The text in one line: control characters, line ends among them, become blanks.
    ///
    /// Words of documents go into errors and warnings, which must not move the cursor of a terminal.
    var inOneLine: String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { isControl($0) ? " " : $0 }))
    }
}
