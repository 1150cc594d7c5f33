import PortolanWeb
import Synchronization

/// The parts and blocks of a TIFF in a local file; reading is thread-safe.
final class TIFFFile: TIFFSource, Sendable {
    let path: String
    private let file: LocalFile
    /// The parts of the file that are not blocks: directories and the places of blocks.
    private let parts: Mutex<TIFFParts>

    /// The bytes that are read at once of directories and places.
    private static let partByteCount: UInt64 = 1 << 16

    init(path: String) throws(ArchiveError) {
        self.path = path
        do throws(LocalFileError) { file = try LocalFile(at: path) } catch {
            throw ArchiveError(.cannotOpen, place: path, detail: error.detail)
        }
        parts = Mutex(TIFFParts(byteCount: UInt64(file.byteCount)))
    }

    /// Calls `body` with the parts that were read so far.
    func parts<Value>(_ body: (TIFFParts) throws(ArchiveError) -> Value) throws(ArchiveError) -> Value {
        try body(parts.withLock { $0 })
    }

    /// Reads something, and the parts of the file that it needs.
    func read<Value>(
        _ body: (TIFFParts) throws(TIFFParts.Stop) -> Value
    ) throws(ArchiveError) -> Value {
        while true {
            do throws(TIFFParts.Stop) { return try body(parts.withLock { $0 }) } catch {
                guard case .missing(let range) = error else { throw ArchiveError(error, at: path) }
                try readPart(range)
            }
        }
    }

    /// Reads a part of the file, and what follows it.
    func readPart(_ range: Range<UInt64>) throws(ArchiveError) {
        let byteCount = parts.withLock { $0.byteCount }
        let end = min(max(range.upperBound, range.lowerBound + Self.partByteCount), byteCount)
        let bytes = try bytes(at: range.lowerBound..<end)
        guard UInt64(bytes.count) == end - range.lowerBound else {
            throw ArchiveError(.changed, place: path, detail: "the file has become shorter")
        }
        parts.withLock { $0.add(bytes, at: range.lowerBound) }
    }

    func blocks(of window: TIFFWindow, samples: [Int]) throws(ArchiveError) -> [TIFFWindow.Block] {
        try read { parts throws(TIFFParts.Stop) in try window.blocks(samples: samples, parts) }
    }

    func bytes(at place: Range<UInt64>) throws(ArchiveError) -> [UInt8] {
        do throws(LocalFileError) { return try file.bytes(at: Int(place.lowerBound), count: place.count) } catch {
            throw ArchiveError(.damaged, place: path, detail: error.detail)
        }
    }
}
