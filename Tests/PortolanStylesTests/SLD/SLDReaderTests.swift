import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanWeb
import Testing

@testable import PortolanStyles

/// Styled Layer Descriptors as OGC 02-070 and OGC 05-077r4 mean them.
@Suite struct SLDReaderTests {
    private static func document(_ rules: String, name: String = "day") -> [UInt8] {
        Array(
            """
            <StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"
             xmlns:xlink="http://www.w3.org/1999/xlink"><NamedLayer><Name>town</Name><UserStyle><Name>\(name)</Name><FeatureTypeStyle>\(rules)</FeatureTypeStyle>
            </UserStyle></NamedLayer></StyledLayerDescriptor>
            """.utf8)
    }

    private static func sheet(_ symbolizers: String, filter: String = "") throws -> StyleSheet {
        let filter = filter.isEmpty ? "" : "<ogc:Filter>\(filter)</ogc:Filter>"
        return try StyleSheet(bytes: document("<Rule><Name>r</Name>\(filter)\(symbolizers)</Rule>"))
    }

    private static let point = Geometry.point(Coordinate(x: 1, y: 2))
    private static let line = Geometry.lineString([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)])
    private static let area = Geometry.polygon([
        [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1), Coordinate(x: 0, y: 0)]
    ])

    /// How each layer that is drawn at a zoom draws a feature.
    private static func styles(
        _ sheet: StyleSheet, _ geometry: Geometry, _ properties: Properties = [:], zoom: Double = 10
    ) -> [Style] {
        sheet.layers.filter { $0.isDrawn(at: zoom) }.compactMap { layer in
            var looks = FeatureStyler(
                layer, zoom: zoom, globalState: [:], pictures: StylePictures(sprites: [], pixelRatio: 1))
            let style = looks.look(of: Feature(geometry: geometry, properties: properties))?.style
            #expect(looks.failures.isEmpty)
            return style
        }
    }

    private static let dot =
        "<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill/></Mark></Graphic></PointSymbolizer>"

    @Test func `a line has its colour, width, dashes, cap, join and offset`() throws {
        let sheet = try Self.sheet(
            """
            <LineSymbolizer><Stroke><SvgParameter name="stroke">#0000FF</SvgParameter>
            <CssParameter name="stroke-width">3</CssParameter><CssParameter name="stroke-opacity">0.5</CssParameter>
            <CssParameter name="stroke-dasharray">6 3</CssParameter><CssParameter name="stroke-linecap">round</CssParameter>
            <CssParameter name="stroke-linejoin">bevel</CssParameter></Stroke><PerpendicularOffset>4</PerpendicularOffset></LineSymbolizer>
            """)
        let stroke = try #require(Self.styles(sheet, Self.line).first?.stroke)
        #expect(stroke.color == MapColor(red: 0, green: 0, blue: 255).withOpacity(0.5))
        #expect(stroke.width == 3)
        #expect(stroke.dashes == [6, 3])
        #expect(stroke.cap == .round)
        #expect(stroke.join == .bevel)
        #expect(stroke.offset == -4)
        #expect(sheet.warnings == [])
    }

    @Test func `unset properties have the defaults of the standard`() throws {
        let sheet = try Self.sheet(
            "<LineSymbolizer><Stroke/></LineSymbolizer><PolygonSymbolizer><Fill/></PolygonSymbolizer>\(Self.dot)")
        #expect(Self.styles(sheet, Self.line).first?.stroke?.width == 1)
        let gray = MapColor(red: 0x80, green: 0x80, blue: 0x80)
        #expect(Self.styles(sheet, Self.area).compactMap(\.fill?.color) == [gray])
        guard case .shape(let mark)? = Self.styles(sheet, Self.point).first?.marker else {
            return #expect(Bool(false), "no mark")
        }
        #expect(mark.radius == 3)
        #expect(mark.fill?.color == gray)
    }

    @Test func `a polygon stroke is not drawn for line features`() throws {
        let sheet = try Self.sheet("<PolygonSymbolizer><Fill/><Stroke/></PolygonSymbolizer>")
        #expect(Self.styles(sheet, Self.area).count == 2)
        #expect(Self.styles(sheet, Self.line).isEmpty)
    }

    @Test func `a width in metres doubles with each zoom level`() throws {
        let sheet = try Self.sheet(
            """
            <LineSymbolizer uom="http://www.opengeospatial.org/se/units/metre"><Stroke>
            <SvgParameter name="stroke-width">100</SvgParameter></Stroke></LineSymbolizer>
            """)
        // At zoom 10 a pixel is 78271.517 / 1024 metres.
        for (zoom, width) in [(10.0, 1.30827), (11, 2.61653)] {
            let stroke = try #require(Self.styles(sheet, Self.line, zoom: zoom).first?.stroke)
            #expect(abs(stroke.width - width) < 1e-4)
        }
    }

    static let filters: [(String, Properties, Bool)] = {
        func pair(_ name: String, _ literal: String, _ attributes: String = "") -> String {
            "<ogc:\(name)\(attributes)><ogc:PropertyName>p</ogc:PropertyName><ogc:Literal>\(literal)</ogc:Literal></ogc:\(name)>"
        }
        let like = #" wildCard="*" singleChar="." escape="!""#
        let function =
            "<ogc:PropertyIsEqualTo><ogc:Function name=\"in\"><ogc:PropertyName>p</ogc:PropertyName><ogc:Literal>a</ogc:Literal><ogc:Literal>2</ogc:Literal></ogc:Function><ogc:Literal>true</ogc:Literal></ogc:PropertyIsEqualTo>"
        return [
            (pair("PropertyIsEqualTo", "1"), ["p": 1], true), (pair("PropertyIsEqualTo", "1"), ["p": "1"], true),
            (pair("PropertyIsEqualTo", "1"), ["p": "1.0"], true), (pair("PropertyIsEqualTo", "0"), [:], false),
            (pair("PropertyIsEqualTo", "0"), ["p": "x"], false), (pair("PropertyIsEqualTo", "a"), ["p": "a"], true),
            (pair("PropertyIsEqualTo", "A"), ["p": "a"], false),
            (pair("PropertyIsEqualTo", "A", #" matchCase="false""#), ["p": "a"], true),
            (pair("PropertyIsNotEqualTo", "a"), ["p": "b"], true), (pair("PropertyIsNotEqualTo", "a"), [:], false),
            (pair("PropertyIsLessThan", "5"), ["p": 4.5], true), (pair("PropertyIsLessThan", "5"), ["p": "x"], false),
            (pair("PropertyIsLessThan", "5"), [:], false), (pair("PropertyIsGreaterThan", "5"), ["p": "x"], false),
            (pair("PropertyIsGreaterThanOrEqualTo", "5"), ["p": "5"], true),
            (pair("PropertyIsLessThanOrEqualTo", "2020-02-01"), ["p": "2020-01-31"], true),
            ("<ogc:Not>\(pair("PropertyIsEqualTo", "a"))</ogc:Not>", ["p": "b"], true),
            ("<ogc:Or>\(pair("PropertyIsEqualTo", "a"))\(pair("PropertyIsEqualTo", "b"))</ogc:Or>", ["p": "b"], true),
            (
                "<ogc:And>\(pair("PropertyIsEqualTo", "a"))\(pair("PropertyIsEqualTo", "b"))</ogc:And>", ["p": "b"],
                false
            ),
            ("<ogc:PropertyIsNull><ogc:PropertyName>p</ogc:PropertyName></ogc:PropertyIsNull>", [:], true),
            ("<ogc:PropertyIsNull><ogc:PropertyName>p</ogc:PropertyName></ogc:PropertyIsNull>", ["p": 0], false),
            (pair("PropertyIsLike", "Hel*", like), ["p": "Helsinki"], true),
            (pair("PropertyIsLike", "Hel*", like), ["p": "Michel"], false),
            (pair("PropertyIsLike", "*sin*", like), ["p": "Helsinki"], true),
            (pair("PropertyIsLike", "*ki", like), ["p": "Helsinki"], true),
            (pair("PropertyIsLike", "ab*ba", like), ["p": "aba"], false),
            (pair("PropertyIsLike", "a!*", like), ["p": "a*"], true),
            (pair("PropertyIsLike", "a!*", like), ["p": "ab"], false),
            (function, ["p": "2"], true), (function, ["p": "b"], false),
        ]
    }()

    @Test(arguments: filters.indices)
    func `a filter matches the expected features`(_ number: Int) throws {
        let (filter, properties, isDrawn) = Self.filters[number]
        let sheet = try Self.sheet(Self.dot, filter: filter)
        #expect(sheet.warnings == [])
        #expect(Self.styles(sheet, Self.point, properties).isEmpty == !isDrawn, "\(filter) \(properties)")
    }

    @Test func `an ElseFilter rule draws features that no other rule of the scale draws`() throws {
        let rules = """
            <Rule><Name>a</Name><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>p</ogc:PropertyName><ogc:Literal>a</ogc:Literal>
            </ogc:PropertyIsEqualTo></ogc:Filter><MaxScaleDenominator>100000</MaxScaleDenominator>\(Self.dot)</Rule>
            <Rule><Name>rest</Name><ElseFilter/>\(Self.dot)</Rule>
            """
        let sheet = try StyleSheet(bytes: Self.document(rules))
        #expect(sheet.layers.map(\.id) == ["a", "rest"])
        // 1:100 000 is zoom 11.45 of styles.
        #expect(Self.styles(sheet, Self.point, ["p": "a"], zoom: 11).count == 1)
        #expect(Self.styles(sheet, Self.point, ["p": "a"], zoom: 12).count == 1)
        #expect(Self.styles(sheet, Self.point, ["p": "b"], zoom: 12).count == 1)
        let first = try #require(sheet.layers.first)
        #expect(abs(first.minimumZoom - 11.4488) < 1e-3)
    }

    @Test func `marks other than circles are shapes that need no sprite`() throws {
        let sheet = try Self.sheet(
            """
            <PointSymbolizer><Graphic><Mark><WellKnownName>star</WellKnownName><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></Mark>
            <Size>18</Size><Opacity>0.5</Opacity><Rotation>45</Rotation></Graphic></PointSymbolizer>
            """)
        let icon = try #require(Self.styles(sheet, Self.point).first?.label?.icon)
        guard case .shape(let star) = icon.marker else { return #expect(Bool(false), "no shape") }
        #expect(star.shape == .star)
        #expect(star.radius == 9)
        #expect(icon.rotation == 45)
        #expect(icon.mayOverlap)
        #expect(icon.isIgnored)
        #expect(star.fill?.color == MapColor(red: 255, green: 0, blue: 0).withOpacity(0.5))
    }

    @Test func `a label joins literals and properties and has its anchor, offset and halo`() throws {
        let sheet = try Self.sheet(
            """
            <TextSymbolizer><Label><ogc:Literal>No. </ogc:Literal><ogc:PropertyName>n</ogc:PropertyName><ogc:Literal>, end</ogc:Literal></Label>
            <Font><CssParameter name="font-family">DejaVu Sans</CssParameter><CssParameter name="font-size">20</CssParameter>
            <CssParameter name="font-weight">bold</CssParameter></Font>
            <LabelPlacement><PointPlacement><AnchorPoint><AnchorPointX>1</AnchorPointX><AnchorPointY>1</AnchorPointY></AnchorPoint>
            <Displacement><DisplacementX>3</DisplacementX><DisplacementY>5</DisplacementY></Displacement></PointPlacement></LabelPlacement>
            <Halo><Radius>2</Radius></Halo><Fill><CssParameter name="fill">#112233</CssParameter></Fill></TextSymbolizer>
            """)
        let label = try #require(Self.styles(sheet, Self.point, ["n": 7]).first?.label)
        #expect(
            label.template == "No. 7, end" && label.size == 20 && label.weight == 700 && label.family == "DejaVu Sans")
        #expect(label.horizontalAlignment == .right)
        #expect(label.verticalAlignment == .top)
        #expect(abs(label.offsetX - 3) < 1e-9)
        #expect(abs(label.offsetY + 5) < 1e-9)
        #expect(label.outline?.width == 2)
        #expect(label.outline?.color == .white)
        #expect(label.color == MapColor(red: 0x11, green: 0x22, blue: 0x33))
    }

    @Test func `colours and sizes are computed by functions of properties`() throws {
        let sheet = try Self.sheet(
            """
            <PolygonSymbolizer><Fill><SvgParameter name="fill"><Categorize><LookupValue><ogc:PropertyName>n</ogc:PropertyName></LookupValue>
            <Value>#000000</Value><Threshold>10</Threshold><Value>#00ff00</Value></Categorize></SvgParameter>
            <SvgParameter name="fill-opacity"><Interpolate><LookupValue><ogc:PropertyName>n</ogc:PropertyName></LookupValue>
            <InterpolationPoint><Data>0</Data><Value>0</Value></InterpolationPoint>
            <InterpolationPoint><Data>40</Data><Value>1</Value></InterpolationPoint></Interpolate></SvgParameter></Fill></PolygonSymbolizer>
            <LineSymbolizer><Stroke><SvgParameter name="stroke"><Recode><LookupValue><ogc:PropertyName>k</ogc:PropertyName></LookupValue>
            <MapItem><Data>x</Data><Value>#0000ff</Value></MapItem><MapItem><Data>y</Data><Value>#ff0000</Value></MapItem></Recode></SvgParameter>
            <SvgParameter name="stroke-width"><ogc:Add><ogc:PropertyName>n</ogc:PropertyName><ogc:Literal>1</ogc:Literal></ogc:Add></SvgParameter>
            </Stroke></LineSymbolizer>
            """)
        #expect(sheet.warnings == [])
        let fill = try #require(Self.styles(sheet, Self.area, ["n": 20]).first?.fill)
        #expect(fill.color == MapColor(red: 0, green: 255, blue: 0).withOpacity(0.5))
        let stroke = try #require(Self.styles(sheet, Self.line, ["n": "2", "k": "y"]).first?.stroke)
        #expect(stroke.color == MapColor(red: 255, green: 0, blue: 0))
        #expect(stroke.width == 3)
    }

    private static let picture = """
        <Graphic><ExternalGraphic><OnlineResource xlink:href="a.png"/><Format>image/png</Format></ExternalGraphic>
        """

    @Test func `areas are filled with repeated marks and images`() throws {
        let sheet = try Self.sheet(
            """
            <PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>shape://slash</WellKnownName>
            <Stroke><CssParameter name="stroke">#ff0000</CssParameter><CssParameter name="stroke-width">2</CssParameter></Stroke></Mark>
            <Size>8</Size></Graphic></GraphicFill></Fill></PolygonSymbolizer>
            <PolygonSymbolizer><Fill><GraphicFill>\(Self.picture)<Opacity>0.5</Opacity></Graphic></GraphicFill></Fill></PolygonSymbolizer>
            """)
        #expect(sheet.warnings == [])
        #expect(sheet.layers.count == 2)
        #expect(sheet.graphics.count == 2)
        let sprite = try #require(sheet.graphics.first?.sprite(pixelRatio: 2))
        #expect(sprite.image.size == ImageSize(width: 16, height: 16))
        // The stroke goes from corner to corner, and on in the pictures beside.
        #expect(sprite.image[8, 7] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        #expect(sprite.image[2, 2].alpha == 0)
        #expect(sprite.image[0, 15].alpha > 0)
        #expect(sprite.image[15, 0].alpha > 0)
        #expect(sprite.image[0, 0].alpha > 0)
        #expect(sheet.graphics.last?.content == .picture(address: "a.png"))
        #expect(sheet.graphics.last?.height == nil)
        let image = PixelBuffer(size: try #require(ImageSize(width: 6, height: 4)))
        let sprites = [sprite, try #require(sheet.graphics.last?.sprite(image: image))]
        let pictures = StylePictures(sprites: sprites, pixelRatio: 2)
        let fills = sheet.layers.map { layer in
            var looks = FeatureStyler(layer, zoom: 10, globalState: [:], pictures: pictures)
            return looks.look(of: Feature(geometry: Self.area))?.style.fill
        }
        #expect(fills.map { $0?.pattern?.width } == [8, 6])
        #expect(fills.last??.color == MapColor.black.withOpacity(0.5))
    }

    @Test func `lines are stroked with images along them, with a gap between`() throws {
        let sheet = try Self.sheet(
            """
            <LineSymbolizer><Stroke><GraphicStroke>\(Self.picture)<Size>4</Size></Graphic></GraphicStroke>
            <CssParameter name="stroke-dasharray">4 6</CssParameter></Stroke></LineSymbolizer>
            <LineSymbolizer><Stroke><GraphicStroke>\(Self.picture)</Graphic></GraphicStroke></Stroke></LineSymbolizer>
            """)
        #expect(sheet.layers.count == 1)
        #expect(sheet.warnings.map(\.placedMessage) == ["line 4: GraphicStroke of an image without Size is not drawn"])
        let image = PixelBuffer(size: try #require(ImageSize(width: 8, height: 8)), filledWith: Pixel(.white))
        let sprite = try #require(sheet.graphics.first?.sprite(image: image))
        #expect(sprite.image.size == ImageSize(width: 20, height: 8))
        #expect(sprite.image[19, 0].alpha == 0)
        var looks = FeatureStyler(
            try #require(sheet.layers.first), zoom: 10, globalState: [:],
            pictures: StylePictures(sprites: [sprite], pixelRatio: 1))
        let stroke = looks.look(of: Feature(geometry: Self.line))?.style.stroke
        #expect(stroke?.width == 4)
        #expect(stroke?.pattern?.width == 10)
        #expect(stroke?.dashes == [])
    }

    @Test func `points are drawn with images of the stated height`() throws {
        let sheet = try Self.sheet(
            """
            <PointSymbolizer>\(Self.picture)<Size><ogc:PropertyName>n</ogc:PropertyName></Size></Graphic></PointSymbolizer>
            """)
        #expect(sheet.warnings == [])
        let image = PixelBuffer(size: try #require(ImageSize(width: 8, height: 4)), filledWith: Pixel(.white))
        var looks = FeatureStyler(
            try #require(sheet.layers.first), zoom: 10, globalState: [:],
            pictures: StylePictures(
                sprites: [try #require(sheet.graphics.first?.sprite(image: image))], pixelRatio: 1))
        let point = Feature(geometry: .point(Coordinate(x: 0, y: 0)), properties: ["n": 20])
        guard case .icon(let icon)? = looks.look(of: point)?.style.label?.icon?.marker else {
            Issue.record("no icon")
            return
        }
        #expect(icon.drawnSize(of: image.size) == (40, 20))
    }

    @Test(arguments: [
        ("<ExternalGraphic><OnlineResource xlink:href='a.svg'/><Format>image/svg+xml</Format></ExternalGraphic>", nil),
        ("<ExternalGraphic><Format>image/png</Format></ExternalGraphic>", nil),
        ("<ExternalGraphic><OnlineResource xlink:href='http://h/${name}.png'/></ExternalGraphic>", nil),
        ("<ExternalGraphic><InlineContent encoding='xml'><svg/></InlineContent></ExternalGraphic>", nil),
        ("<Mark><WellKnownName>ttf://Font#1</WellKnownName></Mark>", nil),
        ("<Mark><WellKnownName>ttf://Font#0x110000</WellKnownName></Mark>", nil),
        ("<Mark><WellKnownName>file://a.svg</WellKnownName></Mark>", nil),
        (
            "<ExternalGraphic><InlineContent encoding='base64'>iVBO Rw0=</InlineContent><Format>image/png</Format></ExternalGraphic>",
            "data:image/png;base64,iVBORw0="
        ),
        // The first that can be drawn counts.
        (
            "<ExternalGraphic><OnlineResource xlink:href='a.svg'/><Format>image/svg+xml</Format></ExternalGraphic><ExternalGraphic><OnlineResource xlink:href='b.png'/></ExternalGraphic>",
            "b.png"
        ),
    ])
    func `the first supported content of a graphic is drawn, or a warning is given`(
        content: String, address: String?
    ) throws {
        let sheet = try Self.sheet("<PointSymbolizer><Graphic>\(content)</Graphic></PointSymbolizer>")
        #expect(sheet.graphics.map(\.content) == (address.map { [.picture(address: $0)] } ?? []))
        #expect(sheet.layers.count == (address == nil ? 0 : 1))
        #expect(sheet.warnings.count == (address == nil ? 1 : 0))
    }

    @Test(arguments: ["0x2708", "U+2708", "9992"])
    func `font marks are drawn as labels of the mark's size`(code: String) throws {
        let sheet = try Self.sheet(
            """
            <PointSymbolizer><Graphic><Mark><WellKnownName>ttf://Deja Vu Sans#\(code)</WellKnownName>
            <Fill><CssParameter name="fill">#ff0000</CssParameter></Fill>
            <Stroke><CssParameter name="stroke-width">2</CssParameter></Stroke></Mark>
            <Opacity>0.5</Opacity><Size>20</Size><Rotation>30</Rotation></Graphic></PointSymbolizer>
            """)
        #expect(sheet.warnings == [])
        let styles = Self.styles(sheet, Self.point)
        let label = try #require(styles.first?.label)
        #expect(label.template == "\u{2708}")
        #expect(label.family == "Deja Vu Sans")
        #expect(label.size == 20)
        #expect(label.color == MapColor(red: 255, green: 0, blue: 0).withOpacity(0.5))
        #expect(label.outline?.width == 2)
        #expect(label.rotation == 30)
        #expect(label.mayOverlap)
        #expect(label.isIgnored)
    }

    @Test func `fill images are rotated by any angle, line images only by 180 degrees`() throws {
        let sheet = try Self.sheet(
            """
            <PolygonSymbolizer><Fill><GraphicFill>\(Self.picture)<Size>4</Size><Rotation>90</Rotation></Graphic></GraphicFill></Fill>
            </PolygonSymbolizer>
            <LineSymbolizer><Stroke><GraphicStroke>\(Self.picture)<Size>4</Size><Rotation>180</Rotation></Graphic></GraphicStroke></Stroke>
            </LineSymbolizer>
            <LineSymbolizer><Stroke><GraphicStroke>\(Self.picture)<Size>4</Size><Rotation>45</Rotation></Graphic></GraphicStroke></Stroke>
            </LineSymbolizer>
            """)
        #expect(sheet.warnings.map(\.placedMessage) == ["line 6: Rotation of an image along a line is not drawn"])
        var image = PixelBuffer(size: try #require(ImageSize(width: 12, height: 8)), filledWith: Pixel(.white))
        for x in 0..<12 { image[x, 0] = Pixel(.black) }
        let turned = try sheet.graphics.map { try #require($0.sprite(image: image)).image }
        #expect(turned.map(\.width) == [8, 12, 12])
        #expect(turned.map(\.height) == [12, 8, 8])
        // The upper side is the right one, then the lower, then still the upper.
        #expect(turned[0][7, 6] == Pixel(.black))
        #expect(turned[1][6, 7] == Pixel(.black))
        #expect(turned[2] == image)
    }

    @Test func `line labels can be grouped, point labels cannot`() throws {
        func sheet(_ placement: String) throws -> StyleSheet {
            try Self.sheet(
                """
                <TextSymbolizer><Label><ogc:PropertyName>n</ogc:PropertyName></Label>
                <LabelPlacement><\(placement)/></LabelPlacement><VendorOption name="group">yes</VendorOption></TextSymbolizer>
                """)
        }
        let lines = try sheet("LinePlacement")
        let label = try #require(
            Self.styles(lines, Self.line, ["n": "a"]).first?.label)
        #expect(lines.warnings == [])
        #expect(label.joinsLines)
        #expect(label.repetition == 1_000_000)
        #expect(
            try sheet("PointPlacement").warnings.map(\.placedMessage) == [
                "line 3: grouping of point labels is not drawn"
            ])
    }

    @Test func `unsupported symbolizers are reported with their line, and the rest is drawn`() throws {
        let sheet = try Self.sheet(
            """
            <RasterSymbolizer/>
            <PolygonSymbolizer><Fill><GraphicFill/></Fill><Stroke/></PolygonSymbolizer>
            """)
        #expect(sheet.layerCount == 3)
        #expect(sheet.layers.count == 1)
        #expect(
            sheet.warnings.map(\.placedMessage) == [
                "line 2: RasterSymbolizer is not drawn", "line 3: GraphicFill is not drawn",
            ])
        let rule = try Self.sheet(Self.dot, filter: "<ogc:BBOX/>")
        #expect(rule.layers.isEmpty)
        #expect(rule.warnings.map(\.subject.member) == ["Filter"])
    }

    @Test func `with many rules only one ElseFilter rule is read`() throws {
        func layers(_ count: Int) throws -> StyleSheet {
            let some = (0..<count).map { number in
                """
                <Rule><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>p</ogc:PropertyName><ogc:Literal>\(number)</ogc:Literal>
                </ogc:PropertyIsEqualTo></ogc:Filter>\(Self.dot)</Rule>
                """
            }.joined()
            let rest = "<Rule><ElseFilter/>\(Self.dot)</Rule>"
            return try StyleSheet(bytes: Self.document(some + rest + rest))
        }
        #expect(try layers(14).layers.count == 16 && layers(14).warnings.isEmpty)
        #expect(try layers(15).layers.count == 16 && layers(15).warnings.count == 1)
    }

    @Test func `a style is chosen by its name`() throws {
        let bytes = Self.document("<Rule>\(Self.dot)</Rule>")
        #expect(try StyleSheet(bytes: bytes, styleName: "day").layers.count == 1)
        #expect(try StyleSheet(bytes: bytes, styleName: "town").layers.count == 1)
        let error = #expect(throws: StyleSheet.ParseError.self) { try StyleSheet(bytes: bytes, styleName: "night") }
        #expect(error?.reason == .noStyleNamed("night", among: ["day"]))
    }

    @Test func `other XML documents are refused`() {
        let error = #expect(throws: StyleSheet.ParseError.self) { try StyleSheet(bytes: Array("<a>\n<b></a>".utf8)) }
        guard case .xml? = error?.reason else { return #expect(Bool(false), "another reason") }
        #expect(throws: StyleSheet.ParseError.self) { try StyleSheet(bytes: Array("<kml/>".utf8)) }
        #expect(
            !StyleSheet.recognizes(Array("<kml/>".utf8))
                && StyleSheet.recognizes(Array("<StyledLayerDescriptor/>".utf8)))
    }
}
