import PortolanFeatures
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

/// The precedence of several sources of a style.
struct StyleResolverTests {
    @Test
    func `style overrides simplestyle, and simplestyle the layer, key by key`() {
        var defaults = StyleDeclaration()
        defaults.strokeColor = .black
        defaults.strokeWidth = 9
        defaults.strokeOpacity = 0.5
        defaults.fillColor = .white
        let feature = Feature(
            geometry: nil,
            properties: [
                "stroke": "#ff0000", "stroke-width": 5,
                "style": ["default": ["strokeWidth": 3], "select": ["strokeColor": "blue"]],
            ])
        var warnings: [MapWarning] = []
        let styles = StyleResolver(defaults: defaults).styles(for: feature, warnings: &warnings)
        #expect(styles.default.stroke?.width == 3)
        #expect(styles.default.stroke?.color == MapColor(red: 255, green: 0, blue: 0, alpha: 128))
        #expect(styles.default.fill?.color == MapColor.white.withOpacity(0.6))
        #expect(styles.selected?.stroke?.color == MapColor(red: 0, green: 0, blue: 255, alpha: 128))
        #expect(styles.selected?.stroke?.width == 3)
        #expect(styles.style(selected: true) == styles.selected)
        #expect(warnings.isEmpty)
    }

    @Test
    func `without a select style the default style is used`() {
        var warnings: [MapWarning] = []
        let resolver = StyleResolver()
        let feature = Feature(geometry: nil)
        #expect(resolver.styles(for: feature, warnings: &warnings) == StyleSet(default: .standard))
        #expect(resolver.style(for: feature, selected: true, warnings: &warnings) == .standard)
    }

    @Test
    func `the marker of the source with the highest priority is used`() {
        var defaults = StyleDeclaration()
        defaults.marker = .pin
        let resolver = StyleResolver(defaults: defaults)
        func marker(_ properties: Properties) -> MarkerSymbol? {
            var warnings: [MapWarning] = []
            return resolver.style(for: Feature(geometry: nil, properties: properties), warnings: &warnings).marker
        }
        func shape(_ marker: MarkerSymbol?) -> ShapeMarker.Shape? {
            if case .shape(let marker) = marker { marker.shape } else { nil }
        }
        #expect(shape(marker([:])) == .pin)
        #expect(shape(marker(["style": ["default": ["graphicName": "cross"]]])) == .cross)
        #expect(
            shape(marker(["marker-color": "#fff", "style": ["default": ["graphicName": "cross"]]])) == .cross)
        #expect(
            marker(["marker-color": "#fff", "style": ["default": ["externalGraphic": "a.png"]]])
                == .icon(IconMarker(source: .file("a.png"))))
    }

    @Test
    func `a declaration overrides key by key, and unset keys stay open`() {
        var full = StyleDeclaration()
        (full.isStroked, full.strokeColor, full.strokeWidth, full.strokeOpacity) = (true, .white, 2, 0.5)
        (full.strokeCap, full.strokeJoin, full.dashStyle) = (.butt, .bevel, .dot)
        full.casing = LineSymbol.Casing(color: .white, width: 4)
        (full.isFilled, full.fillColor, full.fillOpacity, full.marker) = (true, .white, 1, .pin)
        (full.pointRadius, full.pinColor, full.pinRadius, full.pinSymbol) = (3, .white, 5, PinSymbol("a"))
        (full.iconWidth, full.iconHeight, full.iconOffsetX, full.iconOffsetY) = (1, 2, 3, 4)
        (full.iconAnchor, full.iconScale, full.iconOpacity, full.rotation) = (.bottom, 2, 0.5, 45)
        full.iconTint = .white
        (full.label, full.fontColor, full.fontSize, full.fontFamily, full.fontWeight) = ("a", .white, 9, "b", 700)
        (full.labelHorizontalAlignment, full.labelVerticalAlignment) = (.left, .top)
        (full.labelOffsetX, full.labelOffsetY, full.labelOutlineColor) = (1, 2, .white)
        (full.labelOutlineWidth, full.labelBackgroundColor, full.labelPadding) = (2, .white, 3)
        (full.labelPriority, full.isHidden, full.isGeodesic) = ("${a}", true, true)
        (full.layerColor, full.markerOutlineColor, full.labelLineSide) = (.white, .black, .above)
        (full.labelLanguage, full.labelDeclutters) = ("de", true)
        let open = StyleDeclaration()
        #expect(full.over(open) == full)
        #expect(open.over(full) == full)
        #expect(Mirror(reflecting: full).children.allSatisfy { "\($0.value)" != "nil" })
        #expect(open.over(open) == open)
    }

    @Test
    func `the sample files give the expected styles and icons`() throws {
        var warnings: [MapWarning] = []
        let resolver = StyleResolver()
        let zaragoza = try Fixture.collection("routes/zaragoza-centre.geojson")
        let line = resolver.style(for: zaragoza.features[0], warnings: &warnings)
        #expect(line.stroke?.color == MapColor(red: 0x20, green: 0x20, blue: 0xFF, alpha: 204))
        #expect(line.stroke?.width == 3)
        let start = resolver.style(for: zaragoza.features[1], warnings: &warnings)
        #expect(start.marker == .icon(IconMarker(source: .file("start_18x27.png"), width: 18, height: 27)))
        for feature in try Fixture.collection("routes/helsinki-walk.geojson").features {
            _ = resolver.styles(for: feature, warnings: &warnings)
        }
        #expect(warnings.isEmpty)
    }
}
