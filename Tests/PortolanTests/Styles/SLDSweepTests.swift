import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanStyles
import Testing

/// Each element, parameter and vendor option of Styled Layer Descriptors: it makes another picture, or it is named.
@Suite struct SLDSweepTests {
    /// A symbolizer with a part, and without or with another one.
    struct Toggle: Sendable, CustomTestStringConvertible {
        /// The part that must be named if nothing else is drawn.
        let words: String
        let symbolizer: String
        /// The part that replaces `¤` in the symbolizer, and the default.
        let part: String
        var otherwise = ""
        var shapes = StyleSweep.Shape.allCases

        var testDescription: String { "\(words): \(part.prefix(60))" }
    }

    private static func parameter(_ name: String, _ value: String) -> String {
        "<CssParameter name=\"\(name)\">\(value)</CssParameter>"
    }

    private static let lines: [StyleSweep.Shape] = [.line, .lines], areas: [StyleSweep.Shape] = [.area, .areas]
    private static let marks: [StyleSweep.Shape] = [.point, .points]
    private static let inks = lines + areas

    private static let red = "<Fill>\(parameter("fill", "#ff0000"))</Fill>"
    private static let ink = "<Stroke>\(parameter("stroke", "#ff0000"))</Stroke>"
    private static let offset =
        "<Geometry><ogc:Function name=\"offset\"><ogc:PropertyName>g</ogc:PropertyName><ogc:Literal>1</ogc:Literal><ogc:Literal>1</ogc:Literal></ogc:Function></Geometry>"
    private static let arrow =
        "<Graphic><Mark><WellKnownName>triangle</WellKnownName>\(red)</Mark><Size>6</Size></Graphic>"

    // MARK: Strokes and fills

    private static let stroke: [Toggle] = {
        let line = "<LineSymbolizer><Stroke>\(parameter("stroke-width", "6"))¤</Stroke></LineSymbolizer>"
        let area = "<PolygonSymbolizer><Stroke>\(parameter("stroke-width", "6"))¤</Stroke></PolygonSymbolizer>"
        let values = [
            ("stroke", "#00ff00"), ("stroke-opacity", "0.5"), ("stroke-linejoin", "round"), ("stroke-linecap", "round"),
            ("stroke-linecap", "pointed"), ("stroke-dasharray", "4 4"), ("stroke-dashoffset", "3"),
            ("stroke-xyzzy", "1"),
        ]
        var toggles = values.flatMap { name, value in
            let part = parameter(name, value)
            // Without dashes there is no beginning of one, and without ends no caps.
            let dashes = name == "stroke-dashoffset" ? parameter("stroke-dasharray", "4 4") : ""
            return [
                Toggle(
                    words: name, symbolizer: line, part: dashes + part, otherwise: dashes,
                    shapes: name == "stroke-linecap" ? lines : inks),
                Toggle(
                    words: name, symbolizer: area, part: dashes + part, otherwise: dashes,
                    shapes: name == "stroke-linecap" && value == "round" ? [] : areas),
            ]
        }
        let own = "<LineSymbolizer><Stroke>¤</Stroke></LineSymbolizer>"
        toggles += [
            Toggle(words: "stroke-width", symbolizer: own, part: parameter("stroke-width", "9"), shapes: inks),
            Toggle(
                words: "GraphicStroke", symbolizer: own, part: "<GraphicStroke>\(arrow)</GraphicStroke>", shapes: inks),
            Toggle(words: "GraphicFill", symbolizer: own, part: "<GraphicFill>\(arrow)</GraphicFill>", shapes: inks),
            Toggle(
                words: "Gap",
                symbolizer:
                    "<LineSymbolizer><Stroke><GraphicStroke>\(arrow)¤</GraphicStroke></Stroke></LineSymbolizer>",
                part: "<Gap>9</Gap>", shapes: lines),
            Toggle(
                words: "InitialGap",
                symbolizer:
                    "<LineSymbolizer><Stroke><GraphicStroke>\(arrow)¤</GraphicStroke></Stroke></LineSymbolizer>",
                part: "<InitialGap>9</InitialGap>", shapes: lines),
            Toggle(
                words: "PerpendicularOffset", symbolizer: "<LineSymbolizer><Stroke/>¤</LineSymbolizer>",
                part: "<PerpendicularOffset>5</PerpendicularOffset>", shapes: inks),
            Toggle(
                words: "PerpendicularOffset", symbolizer: "<PolygonSymbolizer><Stroke/>¤</PolygonSymbolizer>",
                part: "<PerpendicularOffset>5</PerpendicularOffset>", shapes: areas),
        ]
        return toggles
    }()

    private static let fill: [Toggle] = {
        let area = "<PolygonSymbolizer><Fill>¤</Fill></PolygonSymbolizer>"
        return [
            Toggle(words: "fill", symbolizer: area, part: parameter("fill", "#00ff00"), shapes: areas),
            Toggle(words: "fill-opacity", symbolizer: area, part: parameter("fill-opacity", "0.5"), shapes: areas),
            Toggle(words: "fill-xyzzy", symbolizer: area, part: parameter("fill-xyzzy", "0.5"), shapes: areas),
            Toggle(words: "GraphicFill", symbolizer: area, part: "<GraphicFill>\(arrow)</GraphicFill>", shapes: areas),
            Toggle(
                words: "Displacement", symbolizer: "<PolygonSymbolizer><Fill/>¤</PolygonSymbolizer>",
                part: "<Displacement><DisplacementX>5</DisplacementX><DisplacementY>9</DisplacementY></Displacement>",
                shapes: areas),
        ]
    }()

    // MARK: Marks

    private static func mark(_ name: String, _ inside: String = red, _ more: String = "<Size>16</Size>") -> String {
        "<PointSymbolizer><Graphic><Mark><WellKnownName>\(name)</WellKnownName>\(inside)</Mark>\(more)</Graphic></PointSymbolizer>"
    }

    private static let point: [Toggle] =
        ["circle", "square", "triangle"].flatMap { name in
            [
                Toggle(words: "Size", symbolizer: mark(name, red, "<Size>¤</Size>"), part: "26", otherwise: "12"),
                Toggle(
                    words: "Opacity", symbolizer: mark(name, red, "<Size>16</Size>¤"), part: "<Opacity>0.4</Opacity>"),
                Toggle(
                    words: "AnchorPoint", symbolizer: mark(name, red, "<Size>16</Size>¤"),
                    part: "<AnchorPoint><AnchorPointX>0</AnchorPointX><AnchorPointY>1</AnchorPointY></AnchorPoint>"),
                Toggle(
                    words: "Displacement", symbolizer: mark(name, red, "<Size>16</Size>¤"),
                    part:
                        "<Displacement><DisplacementX>5</DisplacementX><DisplacementY>9</DisplacementY></Displacement>"),
                Toggle(
                    words: "fill-opacity", symbolizer: mark(name, "<Fill>¤</Fill>"),
                    part: parameter("fill-opacity", "0.4")),
                Toggle(words: "fill", symbolizer: mark(name, "<Fill>¤</Fill>"), part: parameter("fill", "#00ff00")),
                Toggle(
                    words: "GraphicFill", symbolizer: mark(name, "<Fill>¤</Fill>"),
                    part: "<GraphicFill>\(arrow)</GraphicFill>"),
                Toggle(
                    words: "stroke", symbolizer: mark(name, "<Stroke>¤</Stroke>"), part: parameter("stroke", "#00ff00")),
                Toggle(
                    words: "stroke-width", symbolizer: mark(name, "<Stroke>¤</Stroke>"),
                    part: parameter("stroke-width", "4")),
                Toggle(
                    words: "stroke-opacity", symbolizer: mark(name, "<Stroke>¤</Stroke>"),
                    part: parameter("stroke-opacity", "0.4")),
                Toggle(
                    words: "stroke-dasharray", symbolizer: mark(name, "<Stroke>¤</Stroke>"),
                    part: parameter("stroke-dasharray", "2 2")),
                Toggle(
                    words: "stroke-linejoin", symbolizer: mark(name, "<Stroke>¤</Stroke>"),
                    part: parameter("stroke-linejoin", "bevel")),
            ]
        }
        + ["shape://slash", "shape://times"].flatMap { name in
            [
                Toggle(words: "Size", symbolizer: mark(name, ink, "<Size>¤</Size>"), part: "26", otherwise: "12"),
                Toggle(
                    words: "Opacity", symbolizer: mark(name, ink, "<Size>16</Size>¤"), part: "<Opacity>0.4</Opacity>"),
                Toggle(
                    words: "Rotation", symbolizer: mark(name, ink, "<Size>16</Size>¤"), part: "<Rotation>30</Rotation>"),
                Toggle(
                    words: "stroke", symbolizer: mark(name, "<Stroke>¤</Stroke>"), part: parameter("stroke", "#00ff00")),
                Toggle(
                    words: "stroke-width", symbolizer: mark(name, "<Stroke>¤</Stroke>"),
                    part: parameter("stroke-width", "4")),
            ]
        } + [
            Toggle(
                words: "Rotation", symbolizer: mark("square", red, "<Size>16</Size>¤"), part: "<Rotation>30</Rotation>"),
            Toggle(
                words: "Rotation", symbolizer: mark("triangle", red, "<Size>16</Size>¤"),
                part: "<Rotation>30</Rotation>"),
            Toggle(words: "xyzzy", symbolizer: mark("¤"), part: "xyzzy", otherwise: "circle"),
            Toggle(
                words: "MarkIndex",
                symbolizer: "<PointSymbolizer><Graphic><Mark>¤\(red)</Mark></Graphic></PointSymbolizer>",
                part: "<MarkIndex>3</MarkIndex>"),
        ]

    // MARK: Texts

    private static func text(
        _ more: String, _ label: String = "<Label><ogc:PropertyName>name</ogc:PropertyName></Label>"
    ) -> String {
        "<TextSymbolizer>\(label)\(more)</TextSymbolizer>"
    }

    private static let points = "<LabelPlacement><PointPlacement>¤</PointPlacement></LabelPlacement>"
    private static let along = "<LabelPlacement><LinePlacement>¤</LinePlacement></LabelPlacement>"

    private static let label: [Toggle] = {
        let font = text("<Font>¤</Font>"), size = "<Font>\(parameter("font-size", "14"))</Font>"
        var toggles = [
            Toggle(words: "font-size", symbolizer: font, part: parameter("font-size", "18")),
            Toggle(words: "font-style", symbolizer: font, part: parameter("font-style", "curly")),
            Toggle(words: "font-xyzzy", symbolizer: font, part: parameter("font-xyzzy", "1")),
            Toggle(words: "fill", symbolizer: text("<Fill>¤</Fill>"), part: parameter("fill", "#ff0000")),
            Toggle(words: "fill-opacity", symbolizer: text("<Fill>¤</Fill>"), part: parameter("fill-opacity", "0.4")),
            Toggle(
                words: "GraphicFill", symbolizer: text("<Fill>¤</Fill>"), part: "<GraphicFill>\(arrow)</GraphicFill>"),
            Toggle(words: "Halo", symbolizer: text("¤"), part: "<Halo>\(red)</Halo>"),
            Toggle(
                words: "Radius", symbolizer: text("<Halo>¤<Fill>\(parameter("fill", "#ff0000"))</Fill></Halo>"),
                part: "<Radius>8</Radius>"),
            Toggle(words: "fill", symbolizer: text("<Halo><Fill>¤</Fill></Halo>"), part: parameter("fill", "#ff0000")),
            Toggle(
                words: "fill-opacity", symbolizer: text("<Halo><Fill>\(parameter("fill", "#ff0000"))¤</Fill></Halo>"),
                part: parameter("fill-opacity", "0.4")),
            Toggle(words: "Graphic", symbolizer: text("¤"), part: arrow),
            Toggle(
                words: "Priority", symbolizer: text(size + "¤"),
                part: "<Priority><ogc:PropertyName>k</ogc:PropertyName></Priority>"),
            Toggle(
                words: "AnchorPoint", symbolizer: text(points),
                part: "<AnchorPoint><AnchorPointX>1</AnchorPointX><AnchorPointY>1</AnchorPointY></AnchorPoint>"),
            Toggle(
                words: "Displacement", symbolizer: text(points),
                part: "<Displacement><DisplacementX>5</DisplacementX><DisplacementY>9</DisplacementY></Displacement>"),
            Toggle(words: "Rotation", symbolizer: text(points), part: "<Rotation>30</Rotation>"),
            Toggle(
                words: "CDATA",
                symbolizer: text(
                    "",
                    "<Label><ogc:PropertyName>k</ogc:PropertyName>¤<ogc:PropertyName>name</ogc:PropertyName></Label>"),
                part: "<![CDATA[   ]]>"),
        ]
        for (name, part) in [
            ("PerpendicularOffset", "<PerpendicularOffset>7</PerpendicularOffset>"),
            ("InitialGap", "<InitialGap>7</InitialGap>"),
            ("Gap", "<Gap>7</Gap>"), ("IsAligned", "<IsAligned>false</IsAligned>"),
            ("GeneralizeLine", "<GeneralizeLine>true</GeneralizeLine>"),
        ] {
            toggles.append(Toggle(words: name, symbolizer: text(along), part: part, shapes: inks))
        }
        let small = "<Font>\(parameter("font-size", "5"))</Font>"
        toggles.append(
            Toggle(
                words: "IsRepeated", symbolizer: text(small + along), part: "<IsRepeated>true</IsRepeated>",
                shapes: lines)
        )
        return toggles
    }()

    // MARK: Vendor options, geometries and units

    private static let options: [Toggle] = {
        func option(_ name: String, _ value: String) -> String {
            "<VendorOption name=\"\(name)\">\(value)</VendorOption>"
        }
        let symbolizers = [
            ("<LineSymbolizer><Stroke/>¤</LineSymbolizer>", inks),
            ("<PolygonSymbolizer><Fill/>¤</PolygonSymbolizer>", areas),
            ("<PointSymbolizer>\(arrow)¤</PointSymbolizer>", StyleSweep.Shape.allCases),
        ]
        var toggles: [Toggle] = []
        for (symbolizer, shapes) in symbolizers {
            for name in [
                "graphic-margin", "random", "random-seed", "fallbackOnDefaultMark", "labelObstacle", "composite",
                "xyzzy",
            ] {
                toggles.append(Toggle(words: name, symbolizer: symbolizer, part: option(name, "3"), shapes: shapes))
            }
        }
        let size = "<Font>\(parameter("font-size", "7"))</Font>"
        let values = [
            ("autoWrap", "20"), ("charSpacing", "4"), ("wordSpacing", "9"), ("spaceAround", "50"), ("repeat", "30"),
            ("maxAngleDelta", "1"), ("followLine", "false"), ("conflictResolution", "false"),
            ("conflictResolution", "perhaps"), ("maxDisplacement", "20"), ("goodnessOfFit", "0.9"),
            ("polygonAlign", "mbr"),
            ("labelAllGroup", "true"), ("removeOverlaps", "true"), ("forceLeftToRight", "false"),
            ("graphic-resize", "stretch"),
            ("graphic-margin", "3"), ("underlineText", "true"), ("strikethroughText", "true"),
            ("kerning", "false"), ("displacementMode", "N"), ("fontShrinkSizeMin", "4"),
            ("graphicPlacement", "independent"),
            ("xyzzy", "1"),
        ]
        // Those that matter to some lines alone.
        let onLines: [String: [StyleSweep.Shape]] = [
            "maxAngleDelta": [.line], "conflictResolution": lines, "forceLeftToRight": [.lines],
        ]
        for (name, value) in values {
            if name == "spaceAround" {
                let short =
                    "<TextSymbolizer><Label><ogc:PropertyName>k</ogc:PropertyName></Label><Font>\(parameter("font-size", "5"))</Font>¤</TextSymbolizer>"
                toggles.append(Toggle(words: name, symbolizer: short, part: option(name, value)))
                continue
            }
            let size = name == "conflictResolution" ? size.replacing(">7<", with: ">16<") : size
            toggles.append(Toggle(words: name, symbolizer: text(size + "¤"), part: option(name, value)))
            let line = "<LabelPlacement><LinePlacement/></LabelPlacement>"
            toggles.append(
                Toggle(
                    words: name, symbolizer: text(size + line + "¤"), part: option(name, value),
                    shapes: onLines[name] ?? inks))
        }
        return toggles
    }()

    private static let geometries: [Toggle] = [
        Toggle(words: "offset", symbolizer: "<LineSymbolizer>¤<Stroke/></LineSymbolizer>", part: offset, shapes: inks),
        Toggle(
            words: "offset", symbolizer: "<PolygonSymbolizer>¤<Fill/></PolygonSymbolizer>", part: offset, shapes: areas),
        Toggle(words: "offset", symbolizer: "<PointSymbolizer>¤\(arrow)</PointSymbolizer>", part: offset),
        Toggle(
            words: "offset",
            symbolizer: "<TextSymbolizer>¤<Label><ogc:PropertyName>name</ogc:PropertyName></Label></TextSymbolizer>",
            part: offset),
    ]

    private static let units: [Toggle] = [
        ("<LineSymbolizer@><Stroke/></LineSymbolizer>", inks),
        ("<PolygonSymbolizer@><Stroke/></PolygonSymbolizer>", areas),
        ("<PointSymbolizer@>\(arrow)</PointSymbolizer>", StyleSweep.Shape.allCases),
        (
            "<TextSymbolizer@><Label><ogc:PropertyName>name</ogc:PropertyName></Label></TextSymbolizer>",
            StyleSweep.Shape.allCases
        ),
    ].map { symbolizer, shapes in
        Toggle(
            words: "uom", symbolizer: symbolizer.replacing("@", with: "¤"),
            part: " uom=\"http://www.opengeospatial.org/se/units/foot\"", shapes: shapes)
    }

    private static let all = stroke + fill + point + label + options + geometries + units

    #if Text
    private static let toggles = all
    #else
    // Labels are left out, so that nothing of them makes a difference.
    private static let toggles = all.filter { !$0.symbolizer.contains("<TextSymbolizer") }
    #endif

    @Test(arguments: toggles) func `each part of a symbolizer changes the picture or is named in a warning`(
        _ toggle: Toggle
    ) async throws {
        let sweep = try StyleSweep()
        for shape in toggle.shapes {
            let before = try await sweep.drawn(Self.sheet(toggle, toggle.otherwise), shape)
            let after = try await sweep.drawn(Self.sheet(toggle, toggle.part), shape)
            let isNamed = (after.diagnosis + after.warnings).contains { $0.contains(toggle.words) }
            #expect(
                before.image != after.image || isNamed,
                "\(toggle.words) of \(shape.rawValue): \(toggle.symbolizer.prefix(80))")
        }
    }

    private static func sheet(_ toggle: Toggle, _ part: String) throws -> StyleSheet {
        let symbolizer = toggle.symbolizer.replacing("¤", with: part)
        return try StyleSheet(
            bytes: Array(
                """
                <StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
                <NamedLayer><Name>l</Name><UserStyle><FeatureTypeStyle><Rule>\(symbolizer)</Rule></FeatureTypeStyle></UserStyle></NamedLayer>
                </StyledLayerDescriptor>
                """.utf8))
    }
}
