import PortolanGeo

/// The fields of a sentence with a valid checksum.
struct NMEASentence {
    /// The supported sentence types.
    enum Kind: String {
        case rmc = "RMC"
        case gga = "GGA"
    }

    let kind: Kind
    private let fields: [ArraySlice<UInt8>]
    private let line: Int

    /// Parses the text after a `$`, or returns `nil` for an unsupported sentence type.
    init?(_ text: ArraySlice<UInt8>, line: Int) throws(NMEAReader.SentenceError) {
        let body = text.prefix { $0 != UInt8(ascii: "*") }
        fields = body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        // The address has a talker of two letters and a type of three. Talkers with P are proprietary.
        guard let address = fields.first, address.count == 5, address.first != UInt8(ascii: "P"),
            let kind = Kind(rawValue: String(decoding: address.suffix(3), as: UTF8.self))
        else { return nil }
        self.kind = kind
        self.line = line
        let digits = text[body.endIndex...].dropFirst().prefix(2)
        guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let found = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw NMEAReader.SentenceError(line: line, code: .noChecksum) }
        let computed = body.reduce(0, ^)
        guard found == computed else {
            throw NMEAReader.SentenceError(line: line, code: .wrongChecksum(found: found, computed: computed))
        }
    }

    private func error(_ field: Int) -> NMEAReader.SentenceError {
        NMEAReader.SentenceError(line: line, code: .field(field, of: kind.rawValue))
    }

    /// Returns the text of a field, or `nil` if the field is missing.
    func text(_ field: Int) -> String? {
        fields.indices.contains(field) ? String(decoding: fields[field], as: UTF8.self) : nil
    }

    /// Returns the number in a field, or `nil` if the field is empty or missing.
    func number(_ field: Int, _ range: ClosedRange<Double>) throws(NMEAReader.SentenceError) -> Double? {
        guard fields.indices.contains(field), !fields[field].isEmpty else { return nil }
        guard let number = Self.decimal(fields[field]), range.contains(number) else { throw error(field) }
        return number
    }

    /// Parses digits with at most one sign and one point.
    ///
    /// The length is limited.
    private static func decimal(_ text: ArraySlice<UInt8>) -> Double? {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        guard digits.count <= 20, digits.contains(where: isDigit),
            digits.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }),
            digits.count(where: { $0 == UInt8(ascii: ".") }) <= 1
        else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Returns the two-digit number at an offset in a field.
    private func pair(_ field: Int, _ offset: Int) throws(NMEAReader.SentenceError) -> Int {
        guard fields.indices.contains(field) else { throw error(field) }
        let digits = fields[field].dropFirst(offset).prefix(2)
        guard digits.count == 2, digits.allSatisfy(Self.isDigit),
            let number = Int(String(decoding: digits, as: UTF8.self))
        else { throw error(field) }
        return number
    }

    /// Returns a time of day in the format `hhmmss.ss`, in seconds.
    func time(_ field: Int) throws(NMEAReader.SentenceError) -> Double {
        let hours = try pair(field, 0), minutes = try pair(field, 2)
        // A leap second has the number 60.
        guard hours < 24, minutes < 60, let seconds = Self.decimal(fields[field].dropFirst(4)), seconds >= 0,
            seconds < 61
        else { throw error(field) }
        return Double(hours * 3600 + minutes * 60) + seconds
    }

    /// Returns a date in the format `ddmmyy`, in seconds since 1970, or `nil` if the field is empty.
    ///
    /// Years from 80 on are in the 20th century.
    func date(_ field: Int) throws(NMEAReader.SentenceError) -> Double? {
        guard fields.indices.contains(field), !fields[field].isEmpty else { return nil }
        let day = try pair(field, 0), month = try pair(field, 2), short = try pair(field, 4)
        let year = short < 80 ? 2000 + short : 1900 + short
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard fields[field].count == 6, lengths.indices.contains(month - 1), (1...lengths[month - 1]).contains(day)
        else { throw error(field) }
        let years = year - 1970
        let leapDays = (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 - 477
        return Double(years * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1) * 86400
    }

    /// Returns a latitude and a longitude, each followed by a field with the letter of its hemisphere.
    func place(_ field: Int) throws(NMEAReader.SentenceError) -> Coordinate {
        let latitude = try angle(field, 2, 90, UInt8(ascii: "N"), UInt8(ascii: "S"))
        let longitude = try angle(field + 2, 3, 180, UInt8(ascii: "E"), UInt8(ascii: "W"))
        return Coordinate(longitude: longitude, latitude: latitude)
    }

    /// Returns degrees and minutes in the format `ddmm.mm`, with the given number of digits for degrees.
    private func angle(
        _ field: Int, _ digits: Int, _ limit: Double, _ positive: UInt8, _ negative: UInt8
    ) throws(NMEAReader.SentenceError) -> Double {
        guard fields.indices.contains(field + 1), fields[field].count > digits,
            let degrees = Self.decimal(fields[field].prefix(digits)), degrees >= 0,
            let minutes = Self.decimal(fields[field].dropFirst(digits)), minutes >= 0, minutes < 60
        else { throw error(field) }
        let angle = degrees + minutes / 60
        guard angle <= limit else { throw error(field) }
        switch fields[field + 1].first {
        case positive where fields[field + 1].count == 1: return angle
        case negative where fields[field + 1].count == 1: return -angle
        default: throw error(field + 1)
        }
    }
}
