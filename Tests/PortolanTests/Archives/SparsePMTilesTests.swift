#if Storage
import Portolan
import PortolanFetch
import PortolanRaster
import PortolanTesting
import Synchronization
import TestHelpers
import Testing

/// An archive of 100 GB on a server, of which hardly anything is needed.
@Suite(.timeLimit(.minutes(20))) struct SparsePMTilesTests {
    private static let byteCount: UInt64 = 100_000_000_000

    /// Parts of a file of zeros, by position.
    private struct Parts {
        var all: [(start: UInt64, bytes: [UInt8])] = []

        func bytes(_ range: ClosedRange<UInt64>) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound) + 1)
            for part in all {
                for (offset, byte) in part.bytes.enumerated() where range.contains(part.start + UInt64(offset)) {
                    bytes[Int(part.start + UInt64(offset) - range.lowerBound)] = byte
                }
            }
            return bytes
        }
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }

    /// A directory of one entry (PMTiles 3, section 4).
    private static func directory(run: UInt64, length: Int, position: UInt64) -> [UInt8] {
        [1, 0] + varint(run) + varint(UInt64(length)) + varint(position + 1)
    }

    /// An archive whose root leads to a leaf in its middle, and the leaf to one tile at its end for the levels 0 to 4.
    private static func archive(_ tile: [UInt8]) -> Parts {
        let tileStart: UInt64 = 16_384, leafStart: UInt64 = 60_000_000_000
        let position = byteCount - UInt64(tile.count)
        let leaf = directory(run: 341, length: tile.count, position: position - tileStart)
        let root = directory(run: 0, length: leaf.count, position: 0)
        func word(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var header = Array("PMTiles".utf8) + [3]
        for (start, count) in [
            (127, UInt64(root.count)), (0, 0), (leafStart, UInt64(leaf.count)), (tileStart, byteCount - tileStart),
        ] {
            header += word(start) + word(count)
        }
        header += [UInt8](repeating: 0, count: 24) + [1, 1, 1, 2, 0, 4]
        header += [UInt8](repeating: 0, count: 127 - header.count)
        return Parts(all: [(0, header + root), (leafStart, leaf), (position, tile)])
    }

    @Test func `an archive of 100 GB costs its directories and the tiles of the view`() async throws {
        let tile = try World.png(RemotePMTilesTests.red), parts = Self.archive(tile)
        let sent = Mutex<[String: Int]>([:])
        let transport = StubTransport { request in
            let ends = request.header("Range")?.dropFirst(6).split(separator: "-").compactMap { UInt64($0) } ?? []
            guard ends.count == 2 else { return HTTPResponse(status: 400, headers: [], body: [], url: request.url) }
            let body = parts.bytes(ends[0]...min(ends[1], Self.byteCount - 1))
            sent.withLock { $0["\(ends[0])-\(ends[1])"] = body.count }
            return HTTPResponse(
                status: 206,
                headers: [
                    HTTPHeader(name: "ETag", value: "\"1\""),
                    HTTPHeader(name: "Content-Range", value: "bytes \(ends[0])-\(ends[1])/\(Self.byteCount)"),
                ], body: body, url: request.url)
        }
        let renderer = MapRenderer(configuration: World.configuration(), transport: transport)
        let result = try await RemotePMTilesTests.drawn(renderer)
        #expect(result.report.complete)
        #expect(result.image[64, 64] == Pixel(RemotePMTilesTests.red))
        let counts = sent.withLock(\.self)
        // The beginning, the leaf, and the tile that all share.
        #expect(counts.count == 3)
        #expect(counts["0-16383"] == 16_384)
        #expect(counts.values.reduce(0, +) <= 16_384 + 64 + tile.count)
    }
}
#endif
