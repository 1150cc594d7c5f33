import Foundation
import PortolanFeatures
import PortolanFormats
import PortolanWeb
import PortolanZip

/// The files of a feed, wherever they are: a folder, an archive, or memory.
struct FeedFiles {
    private enum Home {
        case folder(String)
        case archive(ZipArchive, top: String, name: String)
        case memory([String: [UInt8]])
    }

    private let home: Home

    /// The files of a folder, or of an archive, by what stands at a path.
    init(at path: String, limits: FeedLimits) throws(TransitFeedError) {
        let bytes: [UInt8]
        do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: limits.byteCount) } catch {
            switch error.code {
            case .folder:
                self.init(home: .folder(path))
                return
            case .missing: throw .unreadable(file: path, what: "there is no such file or folder")
            case .tooLong: throw .limitExceeded(file: path, line: 0, what: "longer than \(limits.byteCount) bytes")
            default: throw .unreadable(file: path, what: error.detail)
            }
        }
        try self.init(archive: bytes, name: (path as NSString).lastPathComponent, limits: limits)
    }

    /// Tables one of which every feed has.
    private static let tables: Set<String> = ["agency.txt", "routes.txt", "trips.txt", "stop_times.txt"]

    /// The files of an archive: those beside its `stops.txt`, which may stand in a folder.
    init(archive bytes: [UInt8], name: String, limits: FeedLimits) throws(TransitFeedError) {
        guard ContentKind(recognizing: bytes) == .zip else {
            throw .archive(file: name, byte: 0, what: "it is \(FileKind.words(for: bytes)), not an archive of GTFS")
        }
        let archive: ZipArchive
        do throws(ZipError) {
            archive = try ZipArchive(
                bytes, limits: ZipArchive.Limits(entryCount: 10_000, byteCount: limits.byteCount))
        } catch { throw TransitFeedError(error, of: name) }
        let names = archive.entries.map(\.name)
        let stops = names.filter { $0 == "stops.txt" || $0.hasSuffix("/stops.txt") }
        guard !stops.isEmpty || names.contains(where: Self.tables.contains) else {
            throw .archive(file: name, byte: 0, what: "it is \(FileKind.words(for: bytes)) without tables of GTFS")
        }
        // Where several have one, that which lies highest.
        let nearest = stops.min { ($0.count, $0) < ($1.count, $1) } ?? ""
        self.init(home: .archive(archive, top: String(nearest.dropLast("stops.txt".count)), name: name))
    }

    /// Files in memory, by name.
    init(_ files: [String: [UInt8]]) { self.init(home: .memory(files)) }

    private init(home: Home) { self.home = home }

    /// The bytes of a file, or `nil` where there is none.
    func source(of file: String, limits: FeedLimits) throws(TransitFeedError) -> FeedSource? {
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
            } catch { throw TransitFeedError(error, of: name) }
        }
    }
}

extension TransitFeedError {
    /// The error of an archive.
    init(_ error: ZipError, of name: String) {
        self =
            switch error.code {
            case .encrypted: .encrypted(file: name, what: error.detail)
            case .malformed, .unsupported, .limitExceeded:
                .archive(file: name, byte: error.offset, what: error.detail)
            }
    }
}

/// Where the bytes of a file come from.
enum FeedSource: Sendable {
    /// They are there.
    case bytes([UInt8])
    /// They are read piece by piece, so that memory does not grow with the file.
    case file(LocalFile, offset: Int)
    /// They are unpacked piece by piece, for the same reason.
    case packed(ZipContentReader, archive: String)
    /// They could not be read on.
    case fault(TransitFeedError)
    /// There are no more.
    case end

    /// How many bytes are read at once: they stay in the processor's cache until they are copied.
    static let pieceLength = 1 << 18

    /// How many bytes there are, or 0 where it is not known.
    func byteCount() -> Int {
        switch self {
        case .end, .fault: return 0
        case .bytes(let bytes): return bytes.count
        case .packed(let reader, _): return reader.byteCount
        case .file(let file, _): return file.byteCount
        }
    }

    /// Takes the next bytes to the end of a buffer; tells whether there were any.
    mutating func append(to buffer: inout [UInt8], file: String) throws(TransitFeedError) -> Bool {
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
            } catch { throw .unreadable(file: file, what: "it cannot be read to its end") }
        }
    }
}
