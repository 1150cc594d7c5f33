import Foundation
import PortolanFeatures
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
        guard let kind = Self.kind(of: path) else {
            throw .unreadable(file: path, what: "there is no such file or folder")
        }
        guard kind != .typeDirectory else {
            self.init(home: .folder(path))
            return
        }
        // Devices and pipes may never end.
        guard kind == .typeRegular else { throw .unreadable(file: path, what: "this is not a regular file") }
        let bytes: [UInt8]
        do {
            let data = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
            guard data.count <= limits.byteCount else {
                throw TransitFeedError.limitExceeded(file: path, line: 0, what: "longer than \(limits.byteCount) bytes")
            }
            bytes = [UInt8](data)
        } catch let error as TransitFeedError { throw error } catch {
            throw .unreadable(file: path, what: "it cannot be read")
        }
        try self.init(archive: bytes, name: (path as NSString).lastPathComponent, limits: limits)
    }

    /// The kind of what stands at a path, links followed; `nil` if there is nothing.
    private static func kind(of path: String) -> FileAttributeType? {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        return (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
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
            let path = path + "/" + file
            if let kind = Self.kind(of: path), kind != .typeRegular {
                throw .unreadable(file: file, what: "this is not a regular file")
            }
            guard let handle = FileHandle(forReadingAtPath: path) else {
                guard !FileManager.default.fileExists(atPath: path) else {
                    throw .unreadable(file: file, what: "it cannot be opened")
                }
                return nil
            }
            return .file(handle)
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
    case file(FileHandle)
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
        case .file(let handle):
            guard let end = try? handle.seekToEnd(), (try? handle.seek(toOffset: 0)) != nil else { return 0 }
            return Int(clamping: end)
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
        case .file(let handle):
            do {
                guard let piece = try handle.read(upToCount: Self.pieceLength), !piece.isEmpty else {
                    self = .end
                    try handle.close()
                    return false
                }
                buffer.append(contentsOf: piece)
                return true
            } catch { throw .unreadable(file: file, what: "it cannot be read to its end") }
        }
    }
}
