/// The parts of a TIFF file that were read so far.
///
/// Whoever reads a file catches ``TIFFParts/Stop/missing(_:)``, adds the part, and begins again. So the same code reads
/// local files and files of servers.
package struct TIFFParts: Sendable {
    /// The reason why reading stops.
    package enum Stop: Error, Hashable, Sendable {
        /// A part of the file is needed.
        case missing(Range<UInt64>)
        /// The file cannot be read.
        case failed(TIFFError)

        init(_ code: TIFFError.Code, offset: UInt64, _ reason: String) {
            self = .failed(TIFFError(code, offset: offset, reason))
        }
    }

    /// The length of the file in bytes.
    package let byteCount: UInt64
    private var parts: [(start: UInt64, bytes: [UInt8])] = []

    package init(byteCount: UInt64) { self.byteCount = byteCount }

    /// The parts that are kept: the beginning of the file and the last ones, so that the places of many blocks do not fill
    /// the memory.
    private static let partLimit = 256

    /// Adds the bytes from an offset on.
    package mutating func add(_ bytes: [UInt8], at offset: UInt64) {
        parts.append((offset, bytes))
        if parts.count > Self.partLimit { parts.remove(at: 1) }
    }

    /// Returns the bytes of a range.
    ///
    /// - Throws: ``Stop``: `missing` if they are not read yet, `failed` if the file ends before.
    func bytes(_ range: Range<UInt64>) throws(Stop) -> ArraySlice<UInt8> {
        guard range.upperBound <= byteCount else {
            throw Stop(.malformed, offset: range.lowerBound, "the file ends before \(range.count) bytes of it")
        }
        for part in parts where part.start <= range.lowerBound {
            let first = range.lowerBound - part.start
            guard first + UInt64(range.count) <= UInt64(part.bytes.count) else { continue }
            return part.bytes[Int(first)..<Int(first) + range.count]
        }
        throw .missing(range)
    }
}
