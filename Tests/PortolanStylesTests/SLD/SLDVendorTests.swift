import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanWeb
import Testing

@testable import PortolanStyles

/// Geometry functions and vendor options of Styled Layer Descriptors as GeoServer has them.
@Suite struct SLDVendorTests {
    private static let point = Geometry.point(Coordinate(x: 1, y: 2))
    private static let line = Geometry.lineString([place(0, 0), place(1, 1)])
    private static let area = Geometry.polygon([[place(0, 0), place(1, 0), place(1, 1), place(0, 0)]])

    private static func place(_ x: Double, _ y: Double) -> Coordinate { Coordinate(x: x, y: y) }

    private static func sheet(_ rules: String) throws -> StyleSheet {
        try StyleSheet(
            bytes: Array(
                """
                <StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
                <NamedLayer><Name>l</Name><UserStyle><FeatureTypeStyle>\(rules)</FeatureTypeStyle></UserStyle></NamedLayer>
                </StyledLayerDescriptor>
                """.utf8))
    }

    private static func option(_ name: String, _ value: String) -> String {
        "<VendorOption name='\(name)'>\(value)</VendorOption>"
    }

    /// How each layer draws a feature.
    private static func looks(
        _ sheet: StyleSheet, _ geometry: Geometry, _ properties: Properties
    ) -> [FeatureStyler.Look] {
        sheet.layers.compactMap { layer in
            var looks = FeatureStyler(
                layer, zoom: 10, globalState: [:], pictures: StylePictures(sprites: [], pixelRatio: 1))
            return looks.look(of: Feature(geometry: geometry, properties: properties))
        }
    }

    @Test(arguments: [
        ("offset", "<ogc:Literal>1</ogc:Literal><ogc:Literal>-2</ogc:Literal>", GeometryChange.offset(x: 1, y: -2)),
        ("buffer", "<ogc:Literal>3</ogc:Literal>", .buffer(3)), ("centroid", "", .centroid),
        ("interiorPoint", "", .interiorPoint), ("startPoint", "", .startPoint), ("endPoint", "", .endPoint),
        ("vertices", "", .vertices), ("boundary", "", .boundary), ("envelope", "", .envelope),
        ("convexHull", "", .convexHull),
    ])
    func `geometry functions can be nested`(
        name: String, arguments: String, change: GeometryChange
    ) throws {
        let own = "<ogc:PropertyName>geom</ogc:PropertyName>"
        let inner = "<ogc:Function name='\(name)'>\(own)\(arguments)</ogc:Function>"
        for (function, wanted) in [
            (inner, [change]), ("<ogc:Function name='centroid'>\(inner)</ogc:Function>", [change, .centroid]),
        ] {
            let sheet = try Self.sheet(
                "<Rule><LineSymbolizer><Geometry>\(function)</Geometry><Stroke/></LineSymbolizer></Rule>")
            // What counts in units says so.
            #expect(sheet.warnings.map(\.effect) == (arguments.isEmpty ? [] : [.note]))
            #expect(sheet.layers.map { $0.symbolizer?.geometry } == [wanted])
        }
    }

    @Test(arguments: [
        ("buffer", "<ogc:PropertyName>width</ogc:PropertyName>"), ("offset", "<ogc:Literal>1</ogc:Literal>"),
        ("isometric", "<ogc:Literal>1</ogc:Literal>"), ("angles", ""),
    ])
    func `an unsupported geometry function is reported, and its layer is missing`(
        name: String, arguments: String
    ) throws {
        let function =
            "<ogc:Function name='\(name)'><ogc:PropertyName>geom</ogc:PropertyName>\(arguments)</ogc:Function>"
        let sheet = try Self.sheet(
            "<Rule><PolygonSymbolizer><Geometry>\(function)</Geometry><Fill/></PolygonSymbolizer></Rule>")
        #expect(sheet.layers.isEmpty)
        #expect(sheet.losses.count == 1)
        #expect(sheet.warnings.map(\.placedMessage) == ["line 2: geometry function '\(name)' is not drawn"])
    }

    @Test func `each geometry change has the expected result for a square and a line`() throws {
        let ring = [(0.0, 0.0), (4, 0), (4, 4), (0, 4), (0, 0)].map { Self.place($0.0, $0.1) }
        let square = Feature(geometry: .polygon([ring])),
            bent = [(0.0, 0.0), (2, 0), (2, 2)].map { Self.place($0.0, $0.1) }
        let line = Feature(geometry: .lineString(bent))
        func made(_ change: GeometryChange, _ feature: Feature) -> Geometry? { change.applied(to: feature).geometry }
        #expect(made(.offset(x: 1, y: 2), line) == .lineString(bent.map { Self.place($0.x + 1, $0.y + 2) }))
        #expect(made(.centroid, square) == .point(Self.place(2, 2)))
        #expect(made(.startPoint, line) == .point(bent[0]) && made(.endPoint, line) == .point(bent[2]))
        #expect(made(.vertices, line) == .multiPoint(bent))
        #expect(made(.boundary, square) == .multiLineString([ring]))
        #expect(
            made(.envelope, line)?.boundingBox == line.geometry?.boundingBox && made(.envelope, line)?.kind == .polygon)
        #expect(made(.convexHull, line) == .polygon([bent + [bent[0]]]))
        let grown = try #require(made(.buffer(1), square)?.boundingBox)
        for (side, wanted) in [(grown.minX, -1.0), (grown.minY, -1), (grown.maxX, 5), (grown.maxY, 5)] {
            #expect(abs(side - wanted) < 0.05)
        }
        let turned = GeometryChange.angles.applied(to: line)
        #expect(turned.properties[GeometryChange.startAngle]?.doubleValue == 0)
        #expect(abs((turned.properties[GeometryChange.endAngle]?.doubleValue ?? 0) + 90) < 1e-9)
        #expect(made(.centroid, Feature(geometry: nil)) == nil)
    }

    @Test func `ruleEvaluation 'first' draws one rule per feature, and sortBy sorts features`() throws {
        let fill = "<PolygonSymbolizer><Fill/></PolygonSymbolizer>"
        let one =
            "<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>k</ogc:PropertyName><ogc:Literal>1</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>"
        let rules = "<Rule>\(one)\(fill)</Rule><Rule>\(fill)</Rule>"
        #expect(Self.looks(try Self.sheet(rules), Self.area, ["k": 1]).count == 2)
        let alone = try Self.sheet(rules + Self.option("ruleEvaluation", "first"))
        #expect(alone.warnings == [])
        for k in 1...2 { #expect(Self.looks(alone, Self.area, ["k": .integer(k)]).count == 1) }
        for (order, key) in [("z D", -3.0), ("z", 3), ("z A", 3)] {
            let sorted = try Self.sheet("<Rule>\(fill)</Rule>" + Self.option("sortBy", order))
            #expect(sorted.warnings == [])
            #expect(Self.looks(sorted, Self.area, ["z": 3]).map(\.sortKey) == [key])
        }
        for (name, value) in [("sortByGroup", "g"), ("composite", "multiply"), ("sortBy", "a,b"), ("sortBy", "a X")] {
            #expect(try Self.sheet(rules + Self.option(name, value)).warnings.count == 1)
        }
        let hidden = try Self.sheet(
            "<Rule><PolygonSymbolizer><Fill/>\(Self.option("inclusion", "legendOnly"))</PolygonSymbolizer></Rule>")
        #expect(hidden.layers.isEmpty)
        #expect(hidden.warnings == [])
    }

    @Test func `label options control overlap, displacement, repetition and shields`() throws {
        func label(_ more: String, _ geometry: Geometry) throws -> LabelSymbol {
            let sheet = try Self.sheet("<Rule><TextSymbolizer><Label>a</Label>\(more)</TextSymbolizer></Rule>")
            #expect(sheet.warnings.allSatisfy { $0.effect == .note })
            return try #require(Self.looks(sheet, geometry, [:]).first?.style.label)
        }
        #expect(try label(Self.option("partials", "true"), Self.point).collision == .boxes)
        #expect(try label(Self.option("partials", "false"), Self.point).collision == nil)
        #expect(try label(Self.option("maxDisplacement", "20"), Self.point).anchors.count == 9)
        func along(_ words: String) -> String {
            "<LabelPlacement><LinePlacement>\(words)</LinePlacement></LabelPlacement>"
        }
        let repeated = try label(along("<IsRepeated>true</IsRepeated><Gap>30</Gap>"), Self.line)
        #expect(repeated.repeatsByGap)
        #expect(repeated.repetition == 30)
        #expect(try !label(along("") + Self.option("forceLeftToRight", "false"), Self.line).keepsUpright)
        let shield = try Self.sheet(
            "<Rule><TextSymbolizer><Label>a</Label><Graphic><Mark/><Size>9</Size></Graphic>"
                + Self.option("graphic-resize", "stretch") + Self.option("graphic-margin", "1 2")
                + "</TextSymbolizer></Rule>")
        #expect(shield.warnings == [])
        #expect(shield.graphics.count == 1)
    }

    @Test func `stroke graphics have the height of the stroke, and fill graphics have a margin`() throws {
        let graphic = "<GraphicFill><Graphic><Mark/><Size>4</Size></Graphic></GraphicFill>"
        let stroke = try Self.sheet(
            """
            <Rule><LineSymbolizer><Stroke>\(graphic)<CssParameter name="stroke-width">10</CssParameter></Stroke></LineSymbolizer></Rule>
            """)
        #expect(stroke.warnings == [])
        let high = try #require(stroke.graphics.first?.sprite(pixelRatio: 2))
        #expect(high.image.size == ImageSize(width: 8, height: 24))
        let fill = try Self.sheet(
            """
            <Rule><PolygonSymbolizer><Fill>\(graphic)</Fill>\(Self.option("graphic-margin", "1 2 3 5"))</PolygonSymbolizer></Rule>
            """)
        #expect(fill.warnings == [])
        #expect(fill.graphics.first?.sprite(pixelRatio: 1)?.image.size == ImageSize(width: 11, height: 8))
    }
}
