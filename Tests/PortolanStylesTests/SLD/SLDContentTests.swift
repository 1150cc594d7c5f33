import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanWeb
import Testing

@testable import PortolanStyles

/// Functions, names and texts of Styled Layer Descriptors as GeoServer and QGIS write them.
@Suite struct SLDContentTests {
    private static let point = Geometry.point(Coordinate(x: 1, y: 2))
    private static let area = Geometry.polygon([
        [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1), Coordinate(x: 0, y: 0)]
    ])

    private static func sheet(_ symbolizers: String) throws -> StyleSheet {
        try StyleSheet(
            bytes: Array(
                """
                <StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
                <NamedLayer><Name>l</Name><UserStyle><FeatureTypeStyle><Rule>\(symbolizers)</Rule></FeatureTypeStyle></UserStyle></NamedLayer>
                </StyledLayerDescriptor>
                """.utf8))
    }

    /// How each layer draws a feature.
    private static func styles(_ sheet: StyleSheet, _ geometry: Geometry, _ properties: Properties) -> [Style] {
        sheet.layers.compactMap { layer in
            var looks = FeatureStyler(
                layer, zoom: 10, globalState: [:], pictures: StylePictures(sprites: [], pixelRatio: 1))
            return looks.look(of: Feature(geometry: geometry, properties: properties))?.style
        }
    }

    @Test(arguments: [
        ("Recode", ["a", "#ff0000", "b", "#00ff00"], PropertyValue.string("b"), MapColor(red: 0, green: 255, blue: 0)),
        ("Recode", ["a", "#ff0000", "1", "#00ff00"], 1, MapColor(red: 0, green: 255, blue: 0)),
        ("Interpolate", ["0", "#000000", "10", "#ff0000"], 10, MapColor(red: 255, green: 0, blue: 0)),
        ("Interpolate", ["0", "#000000", "10", "#640000", "color", "linear"], 5, MapColor(red: 50, green: 0, blue: 0)),
    ])
    func `Recode and Interpolate functions of version 1_0 choose and interpolate colours`(
        name: String, arguments: [String], value: PropertyValue, wanted: MapColor
    ) throws {
        let literals = arguments.map { "<ogc:Literal>\($0)</ogc:Literal>" }.joined()
        let sheet = try Self.sheet(
            """
            <PolygonSymbolizer><Fill><CssParameter name="fill"><ogc:Function name="\(name)"><ogc:PropertyName>v</ogc:PropertyName>\(literals)</ogc:Function>
            </CssParameter></Fill></PolygonSymbolizer>
            """)
        #expect(sheet.warnings == [])
        #expect(Self.styles(sheet, Self.area, ["v": value]).compactMap(\.fill?.color) == [wanted])
    }

    @Test(arguments: ["horline", "vertline", "line", "slash", "backslash", "plus", "times", "cross", "x"])
    func `hatch marks are known by GeoServer names and by QGIS names without a scheme`(name: String) throws {
        let sheet = try Self.sheet(
            """
            <PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>\(name)</WellKnownName><Stroke/></Mark></Graphic></GraphicFill></Fill></PolygonSymbolizer>
            """)
        #expect(sheet.warnings == [])
        #expect(sheet.graphics.count == 1)
        #expect(sheet.layers.count == 1)
    }

    @Test func `only white space in CDATA sections of a label is kept`() throws {
        let sheet = try Self.sheet(
            """
            <TextSymbolizer><Label>
              <ogc:PropertyName>a</ogc:PropertyName><![CDATA[ ]]>
              <ogc:PropertyName>b</ogc:PropertyName><![CDATA[\n]]>x
            </Label></TextSymbolizer>
            """)
        #expect(Self.styles(sheet, Self.point, ["a": "One", "b": "Two"]).first?.label?.template == "One Two\nx")
    }

    @Test(arguments: [
        (
            "<PointSymbolizer><Graphic/><VendorOption name='xyzzy'>1</VendorOption></PointSymbolizer>",
            "VendorOption 'xyzzy'", false
        ),
        (
            "<LineSymbolizer><Stroke/><VendorOption name='xyzzy'>1</VendorOption></LineSymbolizer>",
            "VendorOption 'xyzzy'", false
        ),
        (
            "<PolygonSymbolizer><Fill/><VendorOption name='graphic-margin'>1</VendorOption></PolygonSymbolizer>",
            "VendorOption 'graphic-margin'", false
        ),
        (
            "<TextSymbolizer><Label>a</Label><VendorOption name='repeat'>9</VendorOption></TextSymbolizer>",
            "VendorOption 'repeat'", false
        ),
        ("<LineSymbolizer><Xyzzy/><Stroke/></LineSymbolizer>", "Xyzzy in LineSymbolizer", false),
        (
            "<LineSymbolizer><Geometry><ogc:Function name='offset'/></Geometry><Stroke/></LineSymbolizer>",
            "geometry function 'offset'", true
        ),
        ("<XyzzySymbolizer/>", "XyzzySymbolizer", true), ("<Xyzzy/>", "Xyzzy in Rule", true),
    ])
    func `an unsupported element is reported, and counts as a loss if it would be drawn`(
        symbolizer: String, what: String, isLoss: Bool
    ) throws {
        let sheet = try Self.sheet(symbolizer)
        #expect(sheet.warnings.map(\.placedMessage) == ["line 2: \(what) is not drawn"])
        #expect(sheet.losses.isEmpty != isLoss)
        #expect(sheet.losses.count == (isLoss ? 1 : 0))
        #expect(sheet.layerCount == sheet.layers.count + (isLoss ? 1 : 0))
    }

    @Test func `the feature's own geometry and the centroid for a mark are supported`() throws {
        for geometry in ["<ogc:PropertyName>geom</ogc:PropertyName>", "<ogc:Function name='centroid'/>"] {
            let sheet = try Self.sheet("<PointSymbolizer><Geometry>\(geometry)</Geometry><Graphic/></PointSymbolizer>")
            #expect(sheet.warnings == [])
            #expect(sheet.layers.count == 1)
        }
    }
}
