import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Capabilities documents of one layer, with the part that a test is about written by hand.
struct WMTSText {
    var layer = "<TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink><Format>image/png</Format>"
    var crs = "urn:ogc:def:crs:EPSG::3857"
    /// Identifier, scale denominator, corner, columns and rows; tiles are of 256 pixels.
    var matrices: [(id: String, denominator: String, corner: String, columns: Int, rows: Int)] = []
    var operations = ""

    var text: String {
        let levels = matrices.map { matrix in
            """
            <TileMatrix><ows:Identifier>\(matrix.id)</ows:Identifier>
            <ScaleDenominator>\(matrix.denominator)</ScaleDenominator>
            <TopLeftCorner>\(matrix.corner)</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight>
            <MatrixWidth>\(matrix.columns)</MatrixWidth><MatrixHeight>\(matrix.rows)</MatrixHeight></TileMatrix>
            """
        }.joined()
        return """
            <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
             xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
            <ows:OperationsMetadata>\(operations)</ows:OperationsMetadata>
            <Contents><Layer><ows:Identifier>l</ows:Identifier>\(layer)</Layer>
            <TileMatrixSet><ows:Identifier>m</ows:Identifier><ows:SupportedCRS>\(crs)</ows:SupportedCRS>
            \(levels)</TileMatrixSet></Contents></Capabilities>
            """
    }

    /// `GoogleMapsCompatible` from level 0 on.
    static func world(levels: Int = 3) -> WMTSText {
        var text = WMTSText()
        for level in 0..<levels {
            text.matrices.append(
                (
                    String(level), String(559_082_264.0287178 / Double(1 << level)),
                    "-20037508.3427892 20037508.3427892", 1 << level, 1 << level
                ))
        }
        return text
    }

    func capabilities() throws -> WMTSCapabilities { try WMTSCapabilitiesReader.read(Array(text.utf8)) }

    func request(_ choice: WMTSOptions = WMTSOptions(), mapCRS: CRS = .webMercator) throws -> WMTSTileRequest {
        try WMTSNegotiation.request(
            for: choice, of: capabilities(), baseURL: "http://h/wmts?key=k", mapCRS: mapCRS)
    }
}
