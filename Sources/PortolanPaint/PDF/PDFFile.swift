import PortolanCodecs

/// A PDF file that is written object by object (ISO 32000-1, clause 7.5).
///
/// Completed objects are passed on immediately, so that only their positions stay in memory. Object numbers may be
/// reserved before the objects are written.
struct PDFFile {
    /// The receiver of the bytes.
    private let add: ([UInt8]) throws -> Void
    /// The positions of the objects by number; 0 for one that has not been written.
    private var positions = [0]
    private var length = 0
    /// Two hashes of all bytes, for the identifier of the file (FNV-1a with different bases).
    private var hashes: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x6C62_272E_07BB_0142)
    /// The first failure of compressing or passing on; nothing is written after it.
    private(set) var failure: (any Error)?

    /// The largest position that a cross-reference table can hold.
    private static let largestPosition = 9_999_999_999

    /// Begins a file.
    init(_ add: @escaping ([UInt8]) throws -> Void) {
        self.add = add
        // The second line marks the file as binary.
        write([UInt8]("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A])
    }

    /// Returns a new object number.
    mutating func reserve() -> Int {
        positions.append(0)
        return positions.count - 1
    }

    /// Writes an object.
    mutating func write(_ number: Int, _ content: String) {
        begin(number)
        write([UInt8]("\(number) 0 obj\n\(content)\nendobj\n".utf8))
    }

    /// Writes a stream, compressed unless `filter` states how the data is encoded.
    ///
    /// - Parameters:
    ///   - entries: the entries of its dictionary except length and filter.
    ///   - filter: the filter entries of data that is already encoded, empty for none, or `nil` to compress it.
    mutating func write(_ number: Int, stream data: [UInt8], _ entries: String, filter: String? = nil) {
        guard failure == nil else { return }
        do {
            let bytes = try filter == nil ? ZlibStream.compress(data) : data
            let filter = filter ?? "/Filter/FlateDecode"
            begin(number)
            write(
                [UInt8]("\(number) 0 obj\n<<\(entries)\(filter)/Length \(bytes.count)>>\nstream\n".utf8) + bytes
                    + [UInt8]("\nendstream\nendobj\n".utf8))
        } catch { failure = error }
    }

    /// Writes an object with a new number, which is returned.
    mutating func add(_ content: String) -> Int {
        let number = reserve()
        write(number, content)
        return number
    }

    /// Writes a stream with a new number, which is returned.
    mutating func add(stream data: [UInt8], _ entries: String, filter: String? = nil) -> Int {
        let number = reserve()
        write(number, stream: data, entries, filter: filter)
        return number
    }

    /// Ends the file with its cross-reference table and trailer.
    ///
    /// - Throws: the first failure, or ``/PortolanCodecs/CodecError`` with the code `limitExceeded` for a file of more than ten
    ///   gigabytes.
    mutating func finish(root: Int, info: Int) throws {
        if let failure { throw failure }
        guard length <= Self.largestPosition else {
            throw CodecError(
                code: .limitExceeded, format: "pdf",
                detail: "the document has \(length) bytes; the limit is \(Self.largestPosition)")
        }
        let start = length
        var table = "xref\n0 \(positions.count)\n"
        // Numbers without an object form a list of free ones.
        let free = positions.indices.filter { positions[$0] == 0 }
        var next = free.dropFirst() + [0]
        for position in positions {
            let isFree = position == 0
            let digits = String(isFree ? next.removeFirst() : position)
            table += String(repeating: "0", count: 10 - digits.count) + digits
            table += isFree ? " 65535 f \n" : " 00000 n \n"
        }
        let identifier = [hashes.0, hashes.1].map { hash in
            let digits = String(hash, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        table += """
            trailer
            <</Size \(positions.count)/Root \(root) 0 R/Info \(info) 0 R/ID[<\(identifier)><\(identifier)>]>>
            startxref
            \(start)
            %%EOF

            """
        write([UInt8](table.utf8))
        if let failure { throw failure }
    }

    private mutating func begin(_ number: Int) { positions[number] = length }

    private mutating func write(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        let prime: UInt64 = 0x0000_0100_0000_01B3
        for byte in bytes {
            hashes.0 = (hashes.0 ^ UInt64(byte)) &* prime
            hashes.1 = (hashes.1 ^ UInt64(byte)) &* prime
        }
        length += bytes.count
        do { try add(bytes) } catch { failure = error }
    }
}

/// The syntax of strings and names (ISO 32000-1, clauses 7.3.4 and 7.3.5).
enum PDFText {
    /// Returns a text string: ASCII in parentheses, any other text as UTF-16 in hexadecimal.
    static func string(_ text: String) -> String {
        guard text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "<FEFF\(utf16(text))>" }
        var escaped = "("
        for character in text {
            if "()\\".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
        return escaped + ")"
    }

    /// Returns the UTF-16 units of a text in hexadecimal, big-endian.
    static func utf16(_ text: String) -> String { text.utf16.map { hexadecimal(UInt32($0)) }.joined() }

    /// Returns four hexadecimal digits.
    static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }

    /// Returns a name without its solidus; special and non-ASCII characters are omitted.
    static func name(_ text: String) -> String {
        let name = text.unicodeScalars.filter { scalar in
            (0x21..<0x7F).contains(scalar.value) && !"()<>[]{}/%#".unicodeScalars.contains(scalar)
        }
        return name.isEmpty ? "Font" : String(String.UnicodeScalarView(name))
    }

    /// Returns a number with at most `decimals` digits after the point.
    static func number(_ value: Double, decimals: Int = 2) -> String {
        var bytes: [UInt8] = []
        bytes.append(DecimalText.units(value, decimals: decimals), decimals: decimals)
        return String(decoding: bytes, as: UTF8.self)
    }
}
