import PortolanCodecs
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanStore
import Synchronization

/// MBTiles files, each opened once, and how their tiles are addressed: `mbtiles:///FILE?LEVEL/COLUMN/ROW`, rows from the
/// top.
final class TileArchives: Sendable {
    private static let scheme = "mbtiles://"

    private let files = Mutex<[String: MBTilesFile]>([:])

    /// Whether an address is one of a tile in a file.
    static func isAddress(_ url: String) -> Bool { url.hasPrefix(scheme) }

    /// The pattern of a file's addresses.
    static func pattern(of path: String) -> String {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in path.utf8 {
            if allowed.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return scheme + String(decoding: encoded, as: UTF8.self) + "?{z}/{x}/{y}"
    }

    /// The bytes of a tile, as an answer.
    func response(to request: HTTPRequest) throws(FetchError) -> HTTPResponse {
        let url = request.url
        guard let (path, numbers) = Self.parts(of: url) else {
            throw FetchError(.invalidURL, url: url, detail: "it is not of the form mbtiles:///FILE?LEVEL/COLUMN/ROW")
        }
        let bytes: [UInt8]?
        do throws(StoreError) {
            bytes = try file(at: path).tile(level: numbers[0], column: numbers[1], row: numbers[2])
        } catch { throw FetchError(.unreadableFile, url: url, detail: error.description) }
        guard let bytes else {
            throw FetchError(.fileNotFound, url: url, detail: "the file has no such tile")
        }
        guard bytes.count <= request.maximumBodyByteCount else {
            throw .bodyTooLarge(url: url, limit: request.maximumBodyByteCount)
        }
        return HTTPResponse(status: 200, body: bytes, url: url)
    }

    private static func parts(of url: String) -> (path: String, numbers: [Int])? {
        let halves = url.dropFirst(scheme.count).split(separator: "?", maxSplits: 1)
        guard halves.count == 2, let bytes = PercentEncoding.decode(halves[0].utf8), !bytes.contains(0) else {
            return nil
        }
        let numbers = halves[1].split(separator: "/").map { Int($0) }
        guard numbers.count == 3, let level = numbers[0], let column = numbers[1], let row = numbers[2] else {
            return nil
        }
        return (String(decoding: bytes, as: UTF8.self), [level, column, row])
    }

    private func file(at path: String) throws(StoreError) -> MBTilesFile {
        if let file = files.withLock({ $0[path] }) { return file }
        let file = try MBTilesFile(path: path)
        files.withLock { files in
            // A map has a handful; whoever goes through many does not keep them all open.
            if files.count >= 16 { files.removeAll() }
            files[path] = file
        }
        return file
    }
}
