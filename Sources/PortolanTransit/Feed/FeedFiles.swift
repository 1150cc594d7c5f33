import Foundation
import PortolanFeatures
import PortolanFormats
import PortolanWeb
import PortolanZip

/// The files of a feed in a folder, an archive or memory.
struct FeedFiles {
    private enum Home {
        case folder(String)
        case archive(ZipArchive, top: String, name: String)
        case memory([String: [UInt8]])
    }

    private let home: Home

    /// Opens a folder or an archive, depending on the file type of the path.
    init(at path: String, limits: TransitFeed.Limits) throws(TransitFeed.ReadError) {
        let bytes: [UInt8]
        do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: limits.byteCount) } catch {
            switch error.code {
            case .folder:
                self.init(home: .folder(path))
                return
            case .missing: throw .unreadable(file: path, what: "no such file or folder")
            case .tooLong: throw .limitExceeded(file: path, line: 0, what: "exceeds \(limits.byteCount) bytes")
            default: throw .unreadable(file: path, what: error.detail)
            }
        }
        try self.init(archive: bytes, name: (path as NSString).lastPathComponent, limits: limits)
    }

    /// The tables that identify an archive as GTFS.
    private static let tables: Set<String> = ["agency.txt", "routes.txt", "trips.txt", "stop_times.txt"]

    /// Opens an archive.
    ///
    /// Its tables may be in a subfolder, which is found by its `stops.txt`.
    init(archive bytes: [UInt8], name: String, limits: TransitFeed.Limits) throws(TransitFeed.ReadError) {
        guard ContentKind(recognizing: bytes) == .zip else {
            throw .archive(
                file: name, byte: 0, what: "it is \(FeatureFileError.FileKind.words(for: bytes)), not a GTFS archive")
        }
        let archive: ZipArchive
        do throws(ZipError) {
            archive = try ZipArchive(
                bytes, limits: ZipArchive.Limits(entryCount: 10_000, byteCount: limits.byteCount))
        } catch { throw TransitFeed.ReadError(error, of: name) }
        let names = archive.entries.map(\.name)
        let stops = names.filter { $0 == "stops.txt" || $0.hasSuffix("/stops.txt") }
        guard !stops.isEmpty || names.contains(where: Self.tables.contains) else {
            throw .archive(
                file: name, byte: 0, what: "it is \(FeatureFileError.FileKind.words(for: bytes)) without GTFS tables")
        }
        // The folder nearest to the root is used if several contain a `stops.txt`.
        let nearest = stops.min { ($0.count, $0) < ($1.count, $1) } ?? ""
        self.init(home: .archive(archive, top: String(nearest.dropLast("stops.txt".count)), name: name))
    }

    /// Creates a source from files in memory, by name.
    init(_ files: [String: [UInt8]]) { self.init(home: .memory(files)) }

    private init(home: Home) { self.home = home }

    /// Returns the contents of a file, or `nil` if it does not exist.
    func source(of file: String, limits: TransitFeed.Limits) throws(TransitFeed.ReadError) -> FeedSource? {
        switch home {
        case .memory(let files): return files[file].map { .bytes($0) }
        case .folder(let path):
            do throws(LocalFileError) { return .file(try LocalFile(at: path + "/" + file), offset: 0) } catch {
                if error.code == .missing { return nil }
                throw .unreadable(file: file, what: error.detail)
            }
        case .archive(let archive, let top, let name):
            guard let entry = archive.entry(named: top + file) else { return nil }
            do throws(ZipError) {
                return .packed(try archive.reader(of: entry), archive: name)
            } catch { throw TransitFeed.ReadError(error, of: name) }
        }
    }
}

extension TransitFeed.ReadError {
    /// Converts an archive error.
    init(_ error: ZipError, of name: String) {
        self =
            switch error.code {
            case .encrypted: .encrypted(file: name, what: error.detail)
            case .malformed, .unsupported, .limitExceeded:
                .archive(file: name, byte: error.offset, what: error.detail)
            }
    }
}

/// The remaining bytes of a file.
enum FeedSource: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file that is read in pieces, so that memory use does not grow with its size.
    case file(LocalFile, offset: Int)
    /// An archive entry that is decompressed in pieces, for the same reason.
    case packed(ZipContentReader, archive: String)
    /// A pending read error, thrown by the next read.
    case fault(TransitFeed.ReadError)
    /// The end of the file.
    case end

    /// The number of bytes read at once, small enough to stay in the processor cache until they are copied.
    static let pieceLength = 1 << 18

    /// Returns the number of bytes, or 0 if it is unknown.
    func byteCount() -> Int {
        switch self {
        case .end, .fault: return 0
        case .bytes(let bytes): return bytes.count
        case .packed(let reader, _): return reader.byteCount
        case .file(let file, _): return file.byteCount
        }
    }

    /// Appends the next bytes to a buffer, and returns whether there were any.
    mutating func append(to buffer: inout [UInt8], file: String) throws(TransitFeed.ReadError) -> Bool {
        switch self {
        case .end: return false
        case .fault(let fault): throw fault
        case .bytes(let bytes):
            self = .end
            if buffer.isEmpty { buffer = bytes } else { buffer.append(contentsOf: bytes) }
            return !bytes.isEmpty
        case .packed(let reader, let archive):
            do throws(ZipError) {
                let isMore = try reader.append(Self.pieceLength, to: &buffer)
                if !isMore { self = .end }
                return isMore
            } catch { throw .archive(file: archive, byte: error.offset, what: error.detail) }
        case .file(let source, let offset):
            do throws(LocalFileError) {
                let piece = try source.bytes(at: offset, count: Self.pieceLength)
                self = piece.isEmpty ? .end : .file(source, offset: offset + piece.count)
                buffer.append(contentsOf: piece)
                return !piece.isEmpty
            } catch { throw .unreadable(file: file, what: "cannot read it to the end") }
        }
    }
}
