import Portolan
import PortolanFeatures
import PortolanPlan
import PortolanServices
import Testing

/// A place in a document of a server where an address can stand, and how a map comes to follow it.
struct AddressPlace: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The document, with an address in its place.
    let document: @Sendable (_ address: String) -> String
    /// The layer that a user makes of the document at a URL.
    let layer: @Sendable (ServiceClient, _ url: String) async throws -> MapLayer

    /// Where the documents are had.
    static let host = "maps.example"

    /// All of them.
    static let all = wms + wmts + tms + features

    // MARK: WMS

    private static func capabilities(
        operation: String = "", style: String = "", version: String = "1.1.1", map: String = "http://maps.example/wms"
    ) -> String {
        """
        <WMT_MS_Capabilities version="\(version)"><Service><Name>OGC:WMS</Name></Service><Capability><Request><GetMap>\
        <Format>image/png</Format><DCPType><HTTP><Get><OnlineResource xlink:href="\(map)" \
        xmlns:xlink="http://www.w3.org/1999/xlink"/></Get></HTTP></DCPType></GetMap>\(operation)</Request>\
        <VendorSpecificCapabilities><TileSet><SRS>EPSG:3857</SRS><BoundingBox SRS="EPSG:3857" minx="-20037508.342789244" \
        miny="-20037508.342789244" maxx="20037508.342789244" maxy="20037508.342789244"/>\
        <Resolutions>156543.03392804097 78271.51696402048</Resolutions><Width>256</Width><Height>256</Height>\
        <Format>image/png</Format><Layers>a</Layers><Styles></Styles></TileSet></VendorSpecificCapabilities>\
        <Layer queryable="1"><Name>a</Name><Title>A</Title><SRS>EPSG:3857</SRS>\
        <LatLonBoundingBox minx="-180" miny="-85" maxx="180" maxy="85"/>\(style)</Layer></Capability></WMT_MS_Capabilities>
        """
    }

    private static func operation(_ name: String, _ format: String, _ address: String) -> String {
        """
        <\(name)><Format>\(format)</Format><DCPType><HTTP><Get><OnlineResource xlink:href="\(address)" \
        xmlns:xlink="http://www.w3.org/1999/xlink"/></Get></HTTP></DCPType></\(name)>
        """
    }

    private static let wms = [
        AddressPlace(testDescription: "GetMap", document: { capabilities(map: $0) }, layer: wmsLayer),
        AddressPlace(
            testDescription: "GetMap of a tile set", document: { capabilities(map: $0) },
            layer: { client, url in
                try await client.wmscLayer(named: "x", url: url, options: .init(layers: ["a"])).layer
            }),
        AddressPlace(
            testDescription: "GetFeatureInfo",
            document: { capabilities(operation: operation("GetFeatureInfo", "text/plain", $0)) }, layer: wmsLayer),
        AddressPlace(
            testDescription: "GetLegendGraphic",
            document: { capabilities(operation: operation("GetLegendGraphic", "image/png", $0)) }, layer: wmsLayer),
        AddressPlace(
            testDescription: "LegendURL",
            document: {
                capabilities(
                    style: """
                        <Style><Name>default</Name><Title>d</Title><LegendURL width="9" height="9"><Format>image/png</Format>\
                        <OnlineResource xlink:href="\($0)" xmlns:xlink="http://www.w3.org/1999/xlink"/></LegendURL></Style>
                        """)
            }, layer: wmsLayer),
    ]

    private static let wmsLayer: @Sendable (ServiceClient, String) async throws -> MapLayer = { client, url in
        try await client.wmsLayer(named: "x", url: url, options: WMSOptions(layers: ["a"])).layer
    }

    // MARK: WMTS

    private static func wmtsDocument(operations: String = "", resources: String = "") -> String {
        """
        <Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" \
        xmlns:xlink="http://www.w3.org/1999/xlink"><ows:OperationsMetadata>\(operations)</ows:OperationsMetadata><Contents>\
        <Layer><ows:Title>A</ows:Title><ows:Identifier>a</ows:Identifier><Style isDefault="true"><ows:Identifier>s\
        </ows:Identifier></Style><Format>image/png</Format><InfoFormat>text/plain</InfoFormat><TileMatrixSetLink>\
        <TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink>\(resources)</Layer><TileMatrixSet><ows:Identifier>m\
        </ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS><TileMatrix><ows:Identifier>0\
        </ows:Identifier><ScaleDenominator>559082264.0287178</ScaleDenominator><TopLeftCorner>-20037508.342789244 \
        20037508.342789244</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>1</MatrixWidth>\
        <MatrixHeight>1</MatrixHeight></TileMatrix></TileMatrixSet></Contents></Capabilities>
        """
    }

    private static func wmtsOperation(_ name: String, _ address: String) -> String {
        """
        <ows:Operation name="\(name)"><ows:DCP><ows:HTTP><ows:Get xlink:href="\(address)"/></ows:HTTP></ows:DCP>\
        </ows:Operation>
        """
    }

    private static let tile = """
        <ResourceURL format="image/png" resourceType="tile" \
        template="http://maps.example/{TileMatrix}/{TileCol}/{TileRow}.png"/>
        """

    private static let wmts = [
        AddressPlace(
            testDescription: "GetTile", document: { wmtsDocument(operations: wmtsOperation("GetTile", $0)) },
            layer: wmtsLayer),
        AddressPlace(
            testDescription: "template of tiles",
            document: {
                wmtsDocument(
                    resources: """
                        <ResourceURL format="image/png" resourceType="tile" \
                        template="\($0)/{TileMatrix}/{TileCol}/{TileRow}.png"/>
                        """)
            }, layer: wmtsLayer),
        AddressPlace(
            testDescription: "GetFeatureInfo of tiles",
            document: { wmtsDocument(operations: wmtsOperation("GetFeatureInfo", $0), resources: tile) },
            layer: wmtsLayer),
        AddressPlace(
            testDescription: "template of questions",
            document: {
                wmtsDocument(
                    resources: tile + """
                        <ResourceURL format="text/plain" resourceType="FeatureInfo" \
                        template="\($0)/{TileMatrix}/{TileCol}/{TileRow}/{J}/{I}.txt"/>
                        """)
            }, layer: wmtsLayer),
    ]

    private static let wmtsLayer: @Sendable (ServiceClient, String) async throws -> MapLayer = { client, url in
        try await client.wmtsLayer(named: "x", url: url, options: WMTSOptions()).layer
    }

    // MARK: TMS

    private static let tms = [
        AddressPlace(
            testDescription: "service of a TMS",
            document: { "<Services><TileMapService title='a' version='1.0.0' href='\($0)'/></Services>" },
            layer: tmsLayer),
        AddressPlace(
            testDescription: "map of a TMS",
            document: {
                """
                <TileMapService version='1.0.0' services='http://maps.example/'><Title>t</Title><TileMaps>\
                <TileMap title='a' srs='EPSG:3857' profile='global-mercator' href='\($0)'/></TileMaps></TileMapService>
                """
            }, layer: tmsLayer),
        AddressPlace(
            testDescription: "tiles of a TMS",
            document: {
                """
                <TileMap version='1.0.0' tilemapservice='http://maps.example/'><Title>t</Title><SRS>EPSG:3857</SRS>\
                <BoundingBox minx='-20037508.34' miny='-20037508.34' maxx='20037508.34' maxy='20037508.34'/>\
                <Origin x='-20037508.34' y='-20037508.34'/><TileFormat width='256' height='256' mime-type='image/png' \
                extension='png'/><TileSets profile='global-mercator'><TileSet href='\($0)' \
                units-per-pixel='156543.03392804097' order='0'/></TileSets></TileMap>
                """
            }, layer: tmsLayer),
    ]

    private static let tmsLayer: @Sendable (ServiceClient, String) async throws -> MapLayer = { client, url in
        try await client.tmsLayer(named: "x", url: url).layer
    }

    // MARK: Features

    private static func point(_ properties: String) -> String {
        """
        {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},\
        "properties":{"type":"poi",\(properties)}}]}
        """
    }

    private static let features = [
        AddressPlace(
            testDescription: "icon of a route file",
            document: { point(#""style":{"default":{"externalGraphic":"\#($0)"}}"#) }, layer: featureLayer),
        AddressPlace(
            testDescription: "icon of a selected place",
            document: {
                point(#""style":{"default":{"externalGraphic":"\#($0)"},"selected":{"externalGraphic":"\#($0)"}}"#)
            },
            layer: { client, url in
                var layer = try await featureLayer(client, url)
                if var source = layer.features {
                    source.selection = source.features.first?.id
                    layer.source = source
                }
                return layer
            }),
    ]

    private static let featureLayer: @Sendable (ServiceClient, String) async throws -> MapLayer = { client, url in
        let (bytes, base) = try await client.content(at: url)
        return MapLayer(
            name: "x", source: FeatureSource(try GeoJSONReader.read(bytes), baseURL: base))
    }
}
