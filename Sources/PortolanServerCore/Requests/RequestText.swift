/// Parses simple values of requests: numbers and file names.
package enum RequestText {
    /// Parses an unsigned decimal integer.
    ///
    /// - Parameter most: the largest number.
    package static func whole(_ text: some StringProtocol, _ key: String, most: Int = .max) throws(Problem) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            number <= most
        else {
            let limit = most < .max ? " up to \(most)" : ""
            throw Problem(.badRequest, "'\(text)' is not a whole number\(limit)", key: key)
        }
        return number
    }

    /// Parses a finite decimal number, such as 12, -0.5 or 1e3.
    package static func number(
        _ text: some StringProtocol, _ key: String, position: Int? = nil
    ) throws(Problem) -> Double {
        let letters = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
        }
        guard letters, let number = Double(text), number.isFinite else {
            throw Problem(.badRequest, "'\(text)' is not a number", key: key, position: position)
        }
        return number
    }

    /// Parses comma-separated numbers.
    package static func numbers(
        _ text: some StringProtocol, count: Int, _ key: String, position: Int = 0
    ) throws(Problem) -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == count else {
            throw Problem(
                .badRequest, "'\(text)': expected \(count) comma-separated numbers", key: key, position: position)
        }
        var numbers: [Double] = [], place = position
        for part in parts {
            numbers.append(try number(part, key, position: place))
            place += part.count + 1
        }
        return numbers
    }

    /// Parses `NAME[@Rx].FORMAT`: a name, a pixel ratio and a format.
    ///
    /// - Throws: ``Problem`` if the ratio is not 1 to 4, or the format is unknown.
    package static func file(
        _ text: String
    ) throws(Problem) -> (name: String, ratio: Int, format: ServedFormat) {
        guard let dot = text.lastIndex(of: ".") else {
            throw Problem(.badRequest, "'\(text)': missing format; add .png, .jpg or .webp", key: "format")
        }
        let word = text[text.index(after: dot)...]
        guard let format = ServedFormat(name: word) else {
            throw Problem(.badRequest, "unknown format '\(word)'; available: png, jpg, webp and svg", key: "format")
        }
        var name = text[..<dot], ratio = 1
        if let at = name.lastIndex(of: "@") {
            let word = name[name.index(after: at)...]
            guard word.hasSuffix("x"), let number = Int(word.dropLast()), (1...4).contains(number) else {
                throw Problem(.badRequest, "'@\(word)': expected @1x to @4x", key: "ratio")
            }
            ratio = number
            name = name[..<at]
        }
        return (String(name), ratio, format)
    }
}
