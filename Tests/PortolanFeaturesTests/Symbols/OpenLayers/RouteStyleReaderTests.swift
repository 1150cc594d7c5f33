import PortolanFeatures
import PortolanRaster
import PortolanWeb
import Testing

/// The keys of the route dialect, one by one.
struct RouteStyleReaderTests {
    private static func declare(_ keys: Properties) -> (StyleDeclaration, [MapWarning]) {
        var warnings: [MapWarning] = []
        let style = RouteStyleReader.read(keys, feature: "'f'", warnings: &warnings)
        return (style, warnings)
    }

    private static func declaration(_ change: (inout StyleDeclaration) -> Void) -> StyleDeclaration {
        var style = StyleDeclaration()
        change(&style)
        return style
    }

    private static let red = MapColor(red: 255, green: 0, blue: 0)

    static let keys: [(Properties, StyleDeclaration)] = [
        (["strokeColor": "#f00"], declaration { $0.strokeColor = red }),
        (["strokeColor": "RED"], declaration { $0.strokeColor = red }),
        (["strokeWidth": 3], declaration { $0.strokeWidth = 3 }),
        (["strokeWidth": "3.5"], declaration { $0.strokeWidth = 3.5 }),
        (["strokeWidth": "3px"], declaration { $0.strokeWidth = 3 }),
        (["strokeOpacity": 0.8], declaration { $0.strokeOpacity = 0.8 }),
        (["strokeOpacity": "0.8"], declaration { $0.strokeOpacity = 0.8 }),
        (["strokeLinecap": "butt"], declaration { $0.strokeCap = .butt }),
        (["strokeDashstyle": "dash"], declaration { $0.dashStyle = .dash }),
        (["strokeDashstyle": "5 3,1"], declaration { $0.dashStyle = .pixels([5, 3, 1]) }),
        (["strokeDashstyle": [5, 3.5]], declaration { $0.dashStyle = .pixels([5, 3.5]) }),
        (["fill": false], declaration { $0.isFilled = false }),
        (["fill": "true"], declaration { $0.isFilled = true }),
        (["stroke": false], declaration { $0.isStroked = false }),
        (
            ["fillColor": "#ff0000", "fillOpacity": 0],
            declaration {
                $0.fillColor = red; $0.fillOpacity = 0
            }
        ),
        (
            ["pointRadius": 4],
            declaration {
                $0.pointRadius = 4; $0.marker = .shape(.circle)
            }
        ),
        (["graphicName": "star"], declaration { $0.marker = .shape(.star) }),
        (["externalGraphic": "a/b.png"], declaration { $0.marker = .icon(.file("a/b.png")) }),
        (["externalGraphic": "x.png", "graphicName": "x"], declaration { $0.marker = .icon(.file("x.png")) }),
        (
            ["graphicWidth": "18", "graphicHeight": 27, "graphicXOffset": -9, "graphicYOffset": -27],
            declaration {
                $0.iconWidth = 18; $0.iconHeight = 27; $0.iconOffsetX = -9; $0.iconOffsetY = -27
            }
        ),
        (
            ["graphicOpacity": 0.5, "rotation": 90],
            declaration {
                $0.iconOpacity = 0.5; $0.rotation = 90
            }
        ),
        (
            ["label": "${name}", "fontColor": "red", "fontSize": "14px", "fontFamily": "Arial, serif"],
            declaration {
                $0.label = "${name}"
                $0.fontColor = red
                $0.fontSize = 14
                $0.fontFamily = "Arial, serif"
            }
        ),
        (["labelPriority": "-${rank}"], declaration { $0.labelPriority = "-${rank}" }),
        (["labelPriority": 5], declaration { $0.labelPriority = "5" }),
        (["labelDeclutter": true], declaration { $0.labelDeclutters = true }),
        (["fontWeight": "bold"], declaration { $0.fontWeight = 700 }),
        (["fontWeight": 500], declaration { $0.fontWeight = 500 }),
        (
            ["labelAlign": "lb"],
            declaration {
                $0.labelHorizontalAlignment = .left; $0.labelVerticalAlignment = .bottom
            }
        ),
        (
            ["labelXOffset": 3, "labelYOffset": 4],
            declaration {
                $0.labelOffsetX = 3; $0.labelOffsetY = -4
            }
        ),
        (
            ["labelBackgroundColor": "red", "labelPadding": "4px"],
            declaration {
                $0.labelBackgroundColor = red; $0.labelPadding = 4
            }
        ),
        (
            ["labelOutlineColor": "red", "labelOutlineWidth": 2],
            declaration {
                $0.labelOutlineColor = red; $0.labelOutlineWidth = 2
            }
        ),
        (["display": "none"], declaration { $0.isHidden = true }),
        (["display": ""], declaration { $0.isHidden = false }),
        (["cursor": "pointer", "strokeColor": nil], StyleDeclaration()),
    ]

    @Test(arguments: keys)
    func `each key has the documented meaning`(keys: Properties, expected: StyleDeclaration) {
        let (style, warnings) = Self.declare(keys)
        #expect(style == expected)
        #expect(warnings.isEmpty)
    }

    @Test(
        arguments: [
            ["strokeColor": "reddish"], ["strokeColor": 1_234_567], ["strokeWidth": "wide"], ["strokeWidth": -1],
            ["strokeWidth": "inf"], ["strokeOpacity": 2], ["strokeLinecap": "flat"], ["strokeDashstyle": "5 x"],
            ["strokeDashstyle": [0, 0]], ["strokeDashstyle": ["a"]], ["fill": "maybe"], ["graphicName": "hexagon"],
            ["externalGraphic": []], ["rotation": true], ["label": []], ["fontWeight": "heavy"],
            ["labelAlign": "top"], ["pointRadius": 1e9], ["labelBackgroundColor": "pale"], ["labelPadding": -2],
        ] as [Properties])
    func `an invalid value is ignored with a warning that names feature and key`(keys: Properties) {
        let (style, warnings) = Self.declare(keys)
        #expect(style == StyleDeclaration())
        #expect(warnings.map(\.subject.feature) == ["'f'"])
        #expect(warnings.map(\.subject.member) == [keys[0].name])
    }

    @Test
    func `unset keys have the documented defaults`() {
        let orange = MapColor(red: 0xEE, green: 0x99, blue: 0)
        let stroke = LineSymbol(color: orange, width: 1, cap: .round, join: .round)
        let fill = FillSymbol(color: MapColor(red: 0xEE, green: 0x99, blue: 0, alpha: 102))
        #expect(
            Style.standard
                == Style(
                    stroke: stroke, fill: fill,
                    marker: .shape(ShapeMarker(shape: .circle, radius: 6, fill: fill, stroke: stroke))))
    }

    @Test(
        arguments: [
            (["strokeWidth": 0], true, false), (["strokeOpacity": 0], true, false), (["fill": false], false, true),
            (["fillOpacity": 0], false, true),
        ] as [(Properties, Bool, Bool)])
    func `invisible lines and areas are not drawn`(keys: Properties, isFilled: Bool, isStroked: Bool) {
        let style = Self.declare(keys).0.style
        #expect((style.fill != nil) == isFilled)
        #expect((style.stroke != nil) == isStroked)
    }

    @Test(arguments: [7, "x", ["default": 7]] as [PropertyValue])
    func `a style that is not an object is ignored with a warning`(value: PropertyValue) {
        var warnings: [MapWarning] = []
        let feature = Feature(geometry: nil, properties: ["name": "A", "style": value])
        #expect(RouteStyleReader.read(feature, name: "default", warnings: &warnings) == nil)
        #expect(warnings.map(\.subject.feature) == ["'A'"])
    }
}
