import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanGeo
import PortolanServices
import PortolanWeb

extension WMSExamination {
    /// The number of tile sets to request.
    private static let setLimit = 8

    /// Whether a service that always lists tile sets refuses a map that is not one of their tiles, like TileCache.
    ///
    /// Then its
    /// formats and systems are not at fault.
    mutating func drawsTilesAlone() async throws(ServiceError) -> Bool {
        guard documents.values.contains(where: { !$0.tileSets.isEmpty }), let layer = layers.first,
            let url = request(of: layer, version: newest.version)?.address
        else { return false }
        var unused = FindingList()
        let subject = "'\(layer.name ?? "")'"
        guard case .refusal(let words) = try await probe.picture(at: url, format: nil, subject: subject, into: &unused)
        else { return false }
        var list = FindingList()
        list.add(
            .note, .tilesAlone, subject, "a map that is not a tile of the service's sets is refused: \(words)",
            remedy: "nothing to do if all clients use WMS-C tiles")
        add("Maps", list, passed: [], skipped: ["maps in each system and format: only tiles are offered"])
        return true
    }

    /// Requests the tile sets (WMS-C), and tiles of each at several positions: some may be counted in an unexpected order, or
    /// reveal a rounding error.
    mutating func checkTileSets() async throws(ServiceError) {
        guard documents[.v1_1_1] != nil else { return }
        let address = GetCapabilitiesRequest(version: .v1_1_1, baseURL: NamedURL(url, namedBy: .user), isTiled: true)
            .address
        guard case .success(let response) = try await probe.answer(at: address),
            let offered = try? WMSCapabilitiesReader.read(response.body), !offered.tileSets.isEmpty
        else { return }
        var list = FindingList(), good: [String] = []
        if documents[.v1_1_1]?.tileSets.isEmpty ?? true {
            list.add(
                .note, .tileSetsHidden, "tile sets",
                "they are listed only with tiled=true in the request, in version 1.1.1",
                remedy: "nothing to do; WMS-C clients send it")
        }
        let mapAddress = try? WMSNegotiation.mapAddress(of: offered, baseURL: base, policy: .advertised)
        for set in offered.tileSets.prefix(Self.setLimit) {
            guard let mapAddress, let request = try? WMSCTileSet.TileRequest(tileSet: set, baseURL: mapAddress) else {
                continue
            }
            try await checkTiles(of: request, &list, &good)
        }
        let more = offered.tileSets.count - Self.setLimit
        add("Tile sets (WMS-C)", list, passed: good, skipped: more > 0 ? ["\(more) more tile sets"] : [])
    }

    private mutating func checkTiles(
        of request: WMSCTileSet.TileRequest, _ list: inout FindingList, _ good: inout [String]
    ) async throws(ServiceError) {
        let set = request.tileSet, subject = "'\(set.layers.joined(separator: ","))' in \(set.crsName)"
        var asked = 0, refused: [String] = []
        for tile in Self.sampleTiles(of: request) {
            guard let url = request.request(for: tile)?.address else { continue }
            var answer = try await probe.picture(at: url, format: set.format, subject: subject, into: &list)
            if case .refusal = answer, let inner = request.innerRequest(for: tile)?.address {
                // TileCache refuses corners whose last digit puts them into the previous tile.
                let other = try await probe.picture(at: inner, format: set.format, subject: subject, into: &list)
                if case .picture = other { answer = other }
            }
            switch answer {
            case .picture, .other: asked += 1
            case .refusal(let words):
                asked += 1
                refused.append(words)
            case .notAsked: break
            }
            // If the first two are refused, further requests are useless.
            if refused.count == 2, asked == 2 { break }
        }
        if let words = refused.first {
            list.add(
                .deviation, .tileSetRefused, subject,
                refused.count == asked
                    ? "a tile of an advertised tile set is refused: \(words)"
                    : "\(refused.count) of \(asked) tiles of an advertised tile set are refused: \(words)",
                remedy:
                    "count the tiles of the grid from the lower left, as recommended, and round "
                    + "fractions of a pixel, or do not list the set")
        } else if asked > 0, list.isGood(subject) {
            good.append("\(subject): gives \(asked == 1 ? "a tile" : "tiles")")
        }
    }

    /// A tile in the centre of the set, and a few at other positions and finer levels.
    private static func sampleTiles(of request: WMSCTileSet.TileRequest) -> [TileIndex] {
        guard let first = ServiceClient.sampleTile(of: request) else { return [] }
        let grid = request.grid
        let places = [(1, 0.3, 0.6), (2, 0.55, 0.45)]
        let others = places.compactMap { finer, x, y -> TileIndex? in
            let level = min(first.level + finer, grid.matrices.count - 1), matrix = grid.matrices[level]
            return grid.tile(
                level: level, column: Int(x * Double(matrix.columnCount)), row: Int(y * Double(matrix.rowCount)))
        }
        return [first] + others.filter { $0 != first }
    }
}
