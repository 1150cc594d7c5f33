import PortolanFetch
import PortolanStore
import PortolanWeb
import Synchronization

/// Files of tiles, each opened once, and how their tiles are addressed, rows from the top:
/// `mbtiles:///FILE?LEVEL/COLUMN/ROW` and `gpkg:///FILE?TABLE/LEVEL/COLUMN/ROW`.
final class TileArchives: Sendable {
    /// The kinds of file.
    private enum Kind: String, CaseIterable {
        case mbtiles, gpkg
        var scheme: String { rawValue + "://" }
    }

    /// The kinds of file when open.
    private enum Archive: Sendable {
        case mbtiles(MBTilesFile)
        case geoPackage(GeoPackageFile)
    }

    /// What an address names.
    private struct Place {
        var kind: Kind
        var path: String
        var table: String
        var level: Int
        var column: Int
        var row: Int
    }

    private let archives = Mutex<[String: Archive]>([:])

    /// Whether an address is one of a tile in a file.
    static func isAddress(_ url: String) -> Bool { Kind.allCases.contains { url.hasPrefix($0.scheme) } }

    /// The pattern of the addresses in a file, of a table of it where it is a GeoPackage.
    static func pattern(of path: String, table: String? = nil) -> String {
        let tiles = "{z}/{x}/{y}"
        guard let table else { return Kind.mbtiles.scheme + encoded(path, keeping: "/") + "?" + tiles }
        return Kind.gpkg.scheme + encoded(path, keeping: "/") + "?" + encoded(table) + "/" + tiles
    }

    private static func encoded(_ text: String, keeping more: String = "") -> String {
        let allowed = Set(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + more).utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if allowed.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The bytes of a tile, as an answer; nil when there is none in a file that may be sparse.
    func response(to request: HTTPRequest) throws(FetchError) -> HTTPResponse? {
        let url = request.url
        guard let place = Self.place(of: url) else {
            throw FetchError(
                .invalidURL, url: url, detail: "it is not of the form KIND:///FILE?[TABLE/]LEVEL/COLUMN/ROW")
        }
        let bytes: [UInt8]?
        do throws(StoreError) {
            switch try archive(place.kind, at: place.path) {
            case .mbtiles(let file):
                bytes = try file.tile(level: place.level, column: place.column, row: place.row)
                guard bytes != nil else {
                    throw StoreError(.invalid, place: place.path, detail: "the file has no such tile")
                }
            case .geoPackage(let file):
                bytes = try file.tile(of: place.table, level: place.level, column: place.column, row: place.row)
            }
        } catch {
            let code: FetchError.Code = error.code == .invalid ? .fileNotFound : .unreadableFile
            throw FetchError(code, url: url, detail: code == .fileNotFound ? error.detail : error.description)
        }
        guard let bytes else { return nil }
        guard bytes.count <= request.maximumBodyByteCount else {
            throw .bodyTooLarge(url: url, limit: request.maximumBodyByteCount)
        }
        return HTTPResponse(status: 200, body: bytes, url: url)
    }

    private static func place(of url: String) -> Place? {
        guard let kind = Kind.allCases.first(where: { url.hasPrefix($0.scheme) }) else { return nil }
        let halves = url.dropFirst(kind.scheme.count).split(separator: "?", maxSplits: 1)
        guard halves.count == 2, let path = decoded(halves[0]) else { return nil }
        var parts = halves[1].split(separator: "/", omittingEmptySubsequences: false)
        var table = ""
        if kind == .gpkg {
            guard let first = parts.first, let name = decoded(first) else { return nil }
            table = name
            parts.removeFirst()
        }
        let numbers = parts.compactMap { Int($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        return Place(kind: kind, path: path, table: table, level: numbers[0], column: numbers[1], row: numbers[2])
    }

    private static func decoded(_ text: Substring) -> String? {
        guard let bytes = PercentEncoding.decode(text.utf8), !bytes.contains(0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func archive(_ kind: Kind, at path: String) throws(StoreError) -> Archive {
        let name = kind.scheme + path
        if let archive = archives.withLock({ $0[name] }) { return archive }
        let archive: Archive =
            switch kind {
            case .mbtiles: .mbtiles(try MBTilesFile(path: path))
            case .gpkg: .geoPackage(try GeoPackageFile(path: path))
            }
        archives.withLock { archives in
            // A map has a handful; whoever goes through many does not keep them all open.
            if archives.count >= 16 { archives.removeAll() }
            archives[name] = archive
        }
        return archive
    }
}
