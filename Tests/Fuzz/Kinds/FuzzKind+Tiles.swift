import PortolanGeo
import PortolanServices
import PortolanWeb

extension FuzzKind {
    /// Capabilities of WMTS.
    static let wmtsCapabilities = FuzzKind(
        name: "wmts-capabilities", grammar: .xml,
        corpus: [
            "Tests/PortolanServicesTests/Fixtures/mapproxy/wmts-*.xml",
            "Tests/PortolanServicesTests/Fixtures/mapproxy/dims-wmts-*",
            "Tests/PortolanServicesTests/Fixtures/documents/wmts-*.xml",
            "Tests/Fuzz/Corpus/wmts-capabilities/*",
        ], time: negotiationTime, read: readWMTS)

    /// The three documents of TMS.
    static let tms = FuzzKind(
        name: "tms", grammar: .xml,
        corpus: [
            "Tests/PortolanServicesTests/Fixtures/mapproxy/tms-*.xml",
            "Tests/PortolanServicesTests/Fixtures/documents/tms-*.xml", "Tests/Fuzz/Corpus/tms/*",
        ], read: readTMS)

    /// Patterns of tile addresses of WMTS, put into capabilities; each becomes dozens of addresses.
    static let wmtsTemplate = FuzzKind(
        name: "wmts-template", grammar: .words, corpus: ["Tests/Fuzz/Corpus/wmts-template/*"], isLines: true,
        time: Bound(any: 150_000_000, each: 100_000), read: readWMTSTemplate)

    /// Each of the first layers is negotiated for two dozen times.
    private static let negotiationTime = Bound(any: 60_000_000, each: 30_000)

    private static func readWMTS(_ bytes: [UInt8]) throws -> Outcome {
        let capabilities: WMTSCapabilities
        do { capabilities = try WMTSCapabilitiesReader.read(bytes) } catch { return try refused(error.description) }
        for warning in capabilities.warnings { _ = try refused(warning.description) }
        var words = ""
        for set in capabilities.matrixSets.prefix(20) {
            let (grid, notes) = set.grid()
            for note in notes { _ = try refused(note.description) }
            words += grid.map { "\(magnitude($0.matrices.count))" } ?? "-"
        }
        for layer in capabilities.layers.prefix(20) {
            for encoding in [nil] + WMTSOptions.Encoding.allCases.map(Optional.some) {
                words += try request(WMTSOptions(layer: layer.identifier, encoding: encoding), capabilities)
            }
        }
        let layers = magnitude(capabilities.layers.count), warnings = magnitude(capabilities.warnings.count)
        return .value("\(layers) \(warnings) \(words.prefix(24))")
    }

    /// Requests a tile at each end of each level, and returns a letter for the result.
    private static func request(_ choice: WMTSOptions, _ capabilities: WMTSCapabilities) throws -> String {
        do {
            func ask(_ crs: CRS, _ view: Extent? = nil) throws(WMTSError) -> WMTSTileRequest {
                try WMTSNegotiation.request(
                    for: choice, of: capabilities, baseURL: "https://example.org/wmts?key=1", mapCRS: crs, around: view)
            }
            let request = try ask(.webMercator)
            for warning in request.warnings { _ = try refused(warning.description) }
            // Where sets and limits are weighed against a view.
            for (code, x, y, half) in [(3857, 0.0, 5e6, 1e6), (4326, 100, -80, 9), (3035, 4e6, 3e6, 1e5)] {
                guard let crs = CRS.epsg(code),
                    let view = Extent(minX: x - half, minY: y - half, maxX: x + half, maxY: y + half)
                else { continue }
                for warning in (try? ask(crs, view))?.warnings ?? [] { _ = try refused(warning.description) }
            }
            try checkTiles(of: request.grid) { request.url(for: $0) }
            return request.encoding == .path ? "p" : "k"
        } catch let error as WMTSError {
            _ = try refused(error.description)
            return "x"
        }
    }

    private static func readTMS(_ bytes: [UInt8]) throws -> Outcome {
        let base = "https://example.org/tms/1.0.0/map?key=1"
        let document: TMSDocument
        do { document = try TMSReader.read(bytes) } catch { return try refused(error.description) }
        switch document {
        case .services(let list): return .value("services \(magnitude(list.count))")
        case .service(let service):
            for warning in service.warnings { _ = try refused(warning.description) }
            return .value("service \(magnitude(service.maps.count))")
        case .map(let map):
            for warning in map.warnings { _ = try refused(warning.description) }
            do {
                let request = try TMSTileRequest(map: map, document: BaseURL(base))
                try checkTiles(of: request.grid) { request.url(for: $0) }
                return .value("map \(magnitude(request.grid.matrices.count)) \(map.extent == nil)")
            } catch let error as TMSError { return try refused(error.description) }
        }
    }

    private static func readWMTSTemplate(_ bytes: [UInt8]) throws -> Outcome {
        let escaped = String(decoding: bytes.filter { $0 >= 0x20 }, as: UTF8.self).replacing("&", with: "&amp;")
            .replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
        let document = """
            <Capabilities version="1.0.0"><Contents><Layer><Identifier>a</Identifier><Format>image/png</Format>
            <TileMatrixSetLink><TileMatrixSet>s</TileMatrixSet></TileMatrixSetLink>
            <ResourceURL format="image/png" resourceType="tile" template="\(escaped)"/></Layer>
            <TileMatrixSet><Identifier>s</Identifier><SupportedCRS>EPSG:3857</SupportedCRS><TileMatrix>
            <Identifier>s:0</Identifier><ScaleDenominator>559082264.0287178</ScaleDenominator><TopLeftCorner>-20037508.34
            20037508.34</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>2</MatrixWidth>
            <MatrixHeight>2</MatrixHeight></TileMatrix></TileMatrixSet></Contents></Capabilities>
            """
        return try readWMTS(Array(document.utf8))
    }

    /// Checks the addresses of the first and last tile of each level, which must be two.
    private static func checkTiles(of grid: TileGrid, _ url: (TileIndex) -> String?) throws {
        for (level, matrix) in grid.matrices.enumerated().prefix(30) {
            let ends = [(0, 0), (matrix.columnCount - 1, matrix.rowCount - 1)]
                .compactMap { grid.tile(level: level, column: $0.0, row: $0.1) }
            let urls = ends.compactMap { url($0) }
            for url in urls { try checkURL(url, "a request for a tile") }
            if ends.count == 2, ends[0] != ends[1], urls.count == 2, urls[0] == urls[1] {
                throw Violation("two tiles have one address: \(urls[0].debugDescription)")
            }
        }
    }
}
