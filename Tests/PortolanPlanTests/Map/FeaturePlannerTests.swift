import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@Suite struct FeaturePlannerTests {
    static func point(_ id: String, _ longitude: Double, _ latitude: Double, style: Properties? = nil) -> Feature {
        var properties: Properties = ["type": "poi"]
        if let style { properties["style"] = ["default": .object(style)] }
        return Feature(
            id: .string(id), geometry: .point(Coordinate(longitude: longitude, latitude: latitude)),
            properties: properties)
    }

    static func plan(
        _ source: FeatureSource, _ view: Viewport
    ) throws -> (step: Scene.FeatureStep, warnings: [MapWarning]) {
        let plan = MapPlanner(viewport: view).plan([MapLayer(name: "f", source: source)])
        return (try #require(plan.layers.first?.plan.nodes.first?.featureSteps.first), plan.warnings)
    }

    static func ids(_ step: Scene.FeatureStep) -> [String] { step.features.compactMap { $0.feature.id?.description } }

    @Test func `only features that may be visible are planned, in drawing order`() throws {
        let source = FeatureSource(features: [
            Self.point("far", -60, 10), Self.point("b", 24.9, 60.2), Self.point("a", 24.91, 60.21),
        ])
        let (step, warnings) = try Self.plan(source, View.slippy(24.9, 60.2, zoom: 10))
        #expect(Self.ids(step) == ["b", "a"])
        #expect(step.crs == .crs84)
        #expect(step.worldShifts == [0])
        #expect(warnings.isEmpty)
    }

    /// With more than 256 features an index finds them; the answer is the same.
    @Test(arguments: [10, 1000])
    func `an index does not change the result`(count: Int) throws {
        var random = SeededGenerator(seed: 6)
        let features = (0..<count).map {
            Self.point("\($0)", .random(in: -180...180, using: &random), .random(in: -80...80, using: &random))
        }
        let view = try View.slippy(170, 10, zoom: 3)
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let seen = features.filter { feature in
            guard let place = feature.geometry?.coordinates.first.flatMap({ transform($0) }) else { return false }
            return [-1.0, 0, 1].contains { worlds in
                let pixel = view.pixel(of: Coordinate(x: place.x + worlds * 40_075_016.68557849, y: place.y))
                return abs(pixel.x - 128) <= 128 + 256 && abs(pixel.y - 128) <= 128 + 256
            }
        }
        let (step, _) = try Self.plan(FeatureSource(features: features), view)
        #expect(Self.ids(step) == seen.compactMap { $0.id?.description })
    }

    @Test func `a point outside the view is planned if its symbol reaches into it`() throws {
        // At zoom 8 a pixel is 360 / 65536°; the view's half is 128 pixels.
        let degree = 360.0 / 65536
        let source = FeatureSource(features: [Self.point("in", 382 * degree, 0), Self.point("out", 386 * degree, 0)])
        let (step, _) = try Self.plan(source, View.slippy(0, 0, zoom: 8))
        #expect(Self.ids(step) == ["in"])
    }

    @Test func `lines and areas outside the view are planned if a part may reach into it`() throws {
        let degree = 360.0 / 65536
        func line(_ id: String, _ pixels: Double, _ style: Properties = [:], holdsPoint: Bool = false) -> Feature {
            let west = Coordinate(longitude: pixels * degree, latitude: 0)
            let east = Coordinate(longitude: (pixels + 500) * degree, latitude: 0)
            let shape = Geometry.lineString([west, east])
            var properties: Properties = ["name": "Main Street"]
            if !style.isEmpty { properties["style"] = ["default": .object(style)] }
            return Feature(
                id: .string(id), geometry: holdsPoint ? .collection([shape, .point(west)]) : shape,
                properties: properties)
        }
        let features = [
            line("near", 128 + 30), line("beside", 128 + 34), line("styled", 128 + 34, ["strokeWidth": 15]),
            line("wide", 128 + 34, ["strokeWidth": 17]), line("named", 128 + 250, ["label": "${name}"]),
            line("marked", 128 + 250, holdsPoint: true), line("far", 128 + 260, ["label": "${name}"]),
        ]
        let (step, _) = try Self.plan(FeatureSource(features: features), View.slippy(0, 0, zoom: 8))
        #expect(Self.ids(step) == ["near", "wide", "named", "marked"])
        var layer = StyleDeclaration()
        layer.strokeWidth = 20
        let (wide, _) = try Self.plan(FeatureSource(features: features, style: layer), View.slippy(0, 0, zoom: 8))
        #expect(Self.ids(wide) == ["near", "beside", "wide", "named", "marked"])
    }

    @Test func `features are planned for each copy of the world in view`() throws {
        let width = 40_075_016.68557849
        let source = FeatureSource(features: [Self.point("west", -179, 0), Self.point("east", 179, 0)])
        let (step, _) = try Self.plan(source, View.slippy(180, 0, zoom: 5))
        #expect(Self.ids(step) == ["west", "east"])
        #expect(step.worldShifts == [0, width])
        let (globe, _) = try Self.plan(source, View.make(resolution: width / 256, width: 700))
        #expect(
            globe.worldShifts == [-width, 0, width] || globe.worldShifts == [-2 * width, -width, 0, width, 2 * width])
    }

    @Test func `features in UTM are found from a web mercator map, in any copy of the world`() throws {
        let crs = try CRS("EPSG:25830")
        let feature = Feature(id: "z", geometry: .point(Coordinate(x: 676_741.8933, y: 4_613_766.6706)))
        let source = FeatureSource(features: [feature], crs: crs)
        for worlds in [-1.0, 0, 2] {
            let view = try View.make(x: -97_665 + worlds * 40_075_016.68557849, y: 5_109_597, resolution: 10)
            let (step, _) = try Self.plan(source, view)
            #expect(Self.ids(step) == ["z"])
            #expect(step.worldShifts.contains { abs($0 - worlds * 40_075_016.68557849) < 1e-6 })
        }
    }

    @Test func `features on both sides of the antimeridian are found from a UTM map`() throws {
        let source = FeatureSource(features: [
            Self.point("west", -179.9, -16.8), Self.point("east", 179.9, -16.8), Self.point("far", 0, -16.8),
        ])
        let view = try View.make(
            x: 819_789, y: 8_140_148, resolution: 100, width: 400, height: 300, crs: CRS("EPSG:32760"))
        #expect(try Self.ids(Self.plan(source, view).step) == ["west", "east"])
    }

    @Test func `hidden features are left out`() throws {
        let source = FeatureSource(features: [
            Self.point("hidden", 0, 0, style: ["display": "none"]), Self.point("shown", 0, 0),
        ])
        #expect(try Self.ids(Self.plan(source, View.slippy(0, 0, zoom: 4)).step) == ["shown"])
    }

    @Test func `the selected feature has its selected style`() throws {
        var feature = Self.point("p", 0, 0)
        feature.properties["style"] = [
            "default": ["pointRadius": 5], "select": ["pointRadius": 11],
        ]
        var source = FeatureSource(features: [feature, Self.point("q", 0, 0)])
        source.selection = "p"
        source.selectionMarkSize = 9
        let (step, _) = try Self.plan(source, View.slippy(0, 0, zoom: 4))
        #expect(step.features.map(\.isSelected) == [true, false])
        #expect(step.selectionMarkSize == 9)
        guard case .shape(let shape) = step.features[0].style.marker else {
            Issue.record("no shape")
            return
        }
        #expect(shape.radius == 11)
    }

    @Test func `icons have absolute URLs or a warning`() throws {
        let style: Properties = ["externalGraphic": "i/a.png"]
        let features = [Self.point("p", 0, 0, style: style)]
        let (step, none) = try Self.plan(
            FeatureSource(features: features, baseURL: "http://h/r/x.json"), View.slippy(0, 0, zoom: 4))
        #expect(step.features[0].iconURL?.text == "http://h/r/i/a.png")
        #expect(none.isEmpty)
        let (lost, warnings) = try Self.plan(FeatureSource(features: features), View.slippy(0, 0, zoom: 4))
        #expect(lost.features.count == 1 && lost.features[0].iconURL == nil)
        #expect(warnings.count == 1 && warnings[0].layer == "f" && warnings[0].code == .notDrawn)
        #expect(warnings[0].description.contains("p"))
        #expect(warnings[0].description.contains("icon"))
    }

    @Test func `icons over the maximum count are reported and not requested`() throws {
        let features = (0..<40).map {
            Self.point("p\($0)", 0, 0, style: ["externalGraphic": .string("i/\($0 % 20).png")])
        }
        var source = FeatureSource(features: features, baseURL: "http://h/x.json")
        let (all, none) = try Self.plan(source, View.slippy(0, 0, zoom: 4))
        #expect(all.icons.count == 20)
        #expect(none.isEmpty)
        #expect(source.maximumIconCount == 1000)
        source.maximumIconCount = 5
        let (step, warnings) = try Self.plan(source, View.slippy(0, 0, zoom: 4))
        #expect(step.icons.count == 5)
        #expect(step.features.count == 40)
        #expect(step.features.filter { $0.iconURL == nil }.count == 30)
        #expect(warnings.map(\.code) == [.limited] && warnings[0].message.contains("30 features"))
    }

    @Test func `a line requests no icon`() throws {
        var source = FeatureSource(features: [
            Feature(id: "l", geometry: .lineString([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]))
        ])
        source.style.marker = .icon(.url("http://h/i.png"))
        #expect(try Self.plan(source, View.slippy(0, 0, zoom: 4)).step.features[0].iconURL == nil)
    }

    @Test func `features without a geometry are skipped`() throws {
        let source = FeatureSource(features: [Feature(id: "n", geometry: nil), Self.point("p", 0, 0)])
        #expect(try Self.ids(Self.plan(source, View.slippy(0, 0, zoom: 4)).step) == ["p"])
    }
}

/// The references of RFC 3986 section 5.2 as far as they are paths.
@Suite struct IconAddressTests {
    @Test(arguments: [
        ("a.png", "http://h/routes/r.json", "http://h/routes/a.png"),
        ("a.png", "http://h/routes/", "http://h/routes/a.png"),
        ("a.png", "http://h/r.json?x=/deep/path#/frag/ment", "http://h/a.png"),
        ("a.png", "http://h", "http://h/a.png"),
        ("a.png", "http://h?f=/x/y.json", "http://h/a.png"),
        ("/i/a.png", "http://h:81/routes/r.json?q", "http://h:81/i/a.png"),
        ("/i/a.png", "http://h?q=/x", "http://h/i/a.png"),
        ("i/a.png", "file:///data/r.json", "file:///data/i/a.png"),
        ("/i/a.png", "file:///data/r.json", "file:///i/a.png"),
        ("ä b#1?.png", "file:///d/r.json", "file:///d/%C3%A4%20b%231%3F.png"),
        ("100%.png", "file:///d/r.json", "file:///d/100%25.png"),
        ("marker.php?color=red&n=ä", "http://h/r.json", "http://h/marker.php?color=red&n=%C3%A4"),
        ("a%20b.png", "http://h/r.json", "http://h/a%20b.png"),
        ("//cdn.example/x.png", "https://h/r.json", "https://cdn.example/x.png"),
    ])
    func `a path is relative to the document that names it`(path: String, base: String, expected: String) {
        let base = BaseURL(base, policy: AddressPolicy(allowedFolders: ["/"]))
        #expect(IconAddress.url(of: .file(path), relativeTo: base)?.text == expected)
    }

    @Test func `without a document only absolute paths are resolved`() {
        #expect(IconAddress.url(of: .file("/i/a.png"), relativeTo: nil)?.text == "file:///i/a.png")
        #expect(IconAddress.url(of: .file("a.png"), relativeTo: nil) == nil)
        #expect(IconAddress.url(of: .file("a.png"), relativeTo: "no url") == nil)
    }

    @Test(arguments: ["http://x/y.png", "data:image/png;base64,AAAA"])
    func `a URL is unchanged`(url: String) {
        #expect(IconAddress.url(of: .url(url), relativeTo: "http://h/r.json")?.text == url)
    }

    @Test func `a remote document cannot reference a local file`() {
        #expect(IconAddress.url(of: .url("file:///etc/badge.png"), relativeTo: "https://h/r.json") == nil)
        #expect(IconAddress.url(of: .url("FILE:///etc/badge.png"), relativeTo: "http://h/r.json") == nil)
        #expect(IconAddress.url(of: .url("file:///d/b.png"), relativeTo: "file:///d/r.json")?.text == "file:///d/b.png")
        #expect(IconAddress.url(of: .url("file:///d/b.png"), relativeTo: nil)?.text == "file:///d/b.png")
    }
}
