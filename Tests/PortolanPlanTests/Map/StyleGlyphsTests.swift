#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanText
import PortolanWeb
import TestHelpers
import Testing

@Suite struct StyleGlyphsTests {
    private static let template = "https://glyphs.example/{fontstack}/{range}.pbf?key=1"
    private static let sans = #"["Test Sans"]"#
    /// No fonts at all, and those of one file without Chinese characters.
    private static let none = FontBook(fonts: [], usesSystemFonts: false)
    private static let latin: FontBook = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        return FontBook(
            files: [parts.joined(separator: "/") + "/Fixtures/fonts/DejaVuSans.ttf"], usesSystemFonts: false)
    }()

    private static func layer(
        _ names: [String], glyphs: String = template, fonts: String = sans, more: String = "", base: BaseURL? = nil
    ) throws -> MapLayer {
        let layer =
            #"{"id": "t", "type": "symbol", "layout": {"text-field": ["get", "name"], "text-font": \#(fonts)\#(more)}}"#
        var source = FeatureSource(
            features: names.map { name in
                Feature(
                    geometry: .point(Coordinate(longitude: 24.9, latitude: 60.2)), properties: ["name": .string(name)])
            })
        source.sheet = try StyleSheet(
            bytes: Array(#"{"version": 8, "glyphs": "\#(glyphs)", "layers": [\#(layer)]}"#.utf8))
        source.sheetBaseURL = base
        return MapLayer(name: "f", source: source)
    }

    private static func planner(_ fonts: FontBook?) throws -> MapPlanner {
        MapPlanner(
            viewport: try View.slippy(24.9, 60.2, zoom: 12), traits: ServiceTraits(), drafts: true, fonts: fonts)
    }

    private static func addresses(_ plan: MapPlan) -> [String] { plan.resources.map(\.location.description) }

    @Test func `only ranges of characters that no font has are requested, each once`() throws {
        let layer = try Self.layer(["Tokyo 東京", "Kyoto 京都", "杭州"])
        let plan = try Self.planner(Self.latin).plan([layer])
        #expect(
            Self.addresses(plan)
                == ["19968-20223", "23808-24063", "26368-26623", "36864-37119"]
                .map { "https://glyphs.example/Test%20Sans/\($0).pbf?key=1" })
        #expect(plan.resources.allSatisfy { $0.form == .document && $0.use == .shown && $0.isKeptInMemory })
        #expect(plan.warnings.isEmpty)
        // Latin letters need a range only if there is no font.
        #expect(try Self.addresses(Self.planner(Self.latin).plan([Self.layer(["Tokyo"])])).isEmpty)
        #expect(
            try Self.addresses(Self.planner(Self.none).plan([Self.layer(["Tokyo"])]))
                == ["https://glyphs.example/Test%20Sans/0-255.pbf?key=1"])
    }

    @Test func `no range is requested without text, beyond U+FFFF, or where no fonts are known`() throws {
        #expect(try Self.planner(nil).plan([Self.layer(["東"])]).resources.isEmpty)
        #expect(try Self.planner(Self.latin).plan([Self.layer(["\u{1F600}\u{20000}"])]).resources.isEmpty)
        #expect(try Self.planner(Self.latin).plan([Self.layer([" \n", "\u{200B}"])]).resources.isEmpty)
    }

    @Test func `a received range is carried to the labels`() throws {
        let planner = try Self.planner(Self.latin), first = planner.plan([try Self.layer(["東", "A"])])
        let resource = try #require(first.resources.first)
        var arrivals = Arrivals()
        arrivals[resource.id] = .document(GlyphBytes.boxes("東"))
        let second = planner.plan(first, given: arrivals)
        let step = try #require(second.layers.first?.plan.nodes.flatMap(\.featureSteps).first)
        #expect(step.glyphs != nil && second.resources == first.resources && second.warnings.isEmpty)
        // Shaped texts stay in their cache while the ranges are the same.
        let third = planner.plan(second, given: arrivals)
        #expect(third.layers.first?.plan.nodes.flatMap(\.featureSteps).first?.glyphs === step.glyphs)
    }

    @Test func `spans have the ranges of their own fonts`() throws {
        let layer = try Self.layer(
            ["東"],
            more: #", "text-field": ["format", ["get", "name"], {}, "西", {"text-font": ["literal", ["Test Serif"]]}]"#)
        #expect(
            Self.addresses(try Self.planner(Self.latin).plan([layer])).sorted() == [
                "https://glyphs.example/Test%20Sans/26368-26623.pbf?key=1",
                "https://glyphs.example/Test%20Serif/35072-35327.pbf?key=1",
            ])
    }

    @Test func `fonts of a stack are requested together, and then one by one`() throws {
        let planner = try Self.planner(Self.latin)
        let first = planner.plan([try Self.layer(["東"], fonts: #"["Test Sans", "Other/Sans", "Noto"]"#)])
        // A name with a slash is not requested.
        #expect(
            Self.addresses(first) == [
                "https://glyphs.example/Test%20Sans/26368-26623.pbf?key=1",
                "https://glyphs.example/Noto/26368-26623.pbf?key=1",
            ])
        let plan = planner.plan([try Self.layer(["東"], fonts: #"["Test Sans", "Noto"]"#)])
        #expect(Self.addresses(plan) == ["https://glyphs.example/Test%20Sans%2CNoto/26368-26623.pbf?key=1"])
        var arrivals = Arrivals()
        func fail(_ resource: Resource) {
            arrivals[resource.id] = .failure(
                ResourceError(.status, status: 404, place: resource.name, message: "not found"))
        }
        plan.resources.forEach(fail)
        let singles = planner.plan(plan, given: arrivals)
        #expect(
            Self.addresses(singles).dropFirst() == [
                "https://glyphs.example/Test%20Sans/26368-26623.pbf?key=1",
                "https://glyphs.example/Noto/26368-26623.pbf?key=1",
            ])
        #expect(singles.resources.allSatisfy { $0.use == .probe } && singles.warnings.isEmpty)
        fail(singles.resources[1])
        var found = arrivals
        found[singles.resources[2].id] = .document(GlyphBytes.boxes("東"))
        let whole = planner.plan(singles, given: found)
        #expect(whole.warnings.isEmpty)
        #expect(whole.layers.first?.plan.nodes.flatMap(\.featureSteps).first?.glyphs != nil)
        fail(singles.resources[2])
        let warnings = planner.plan(singles, given: arrivals).warnings
        #expect(warnings.map(\.code) == [.data] && warnings.allSatisfy(\.isLoss), "\(warnings)")
    }

    @Test func `an invalid range is reported with its position`() throws {
        let planner = try Self.planner(Self.latin), first = planner.plan([try Self.layer(["東"])])
        var arrivals = Arrivals()
        arrivals[try #require(first.resources.first).id] = .document(Array(GlyphBytes.boxes("東").dropLast(9)))
        let warning = try #require(planner.plan(first, given: arrivals).warnings.first)
        #expect(warning.code == .data && warning.effect == .omitted && warning.place?.byteOffset == 3)
        #expect(warning.place?.source == "glyphs 'Test Sans' 26368-26623")
    }

    @Test(arguments: [
        ("mapbox://fonts/me/{fontstack}/{range}.pbf", nil, [String]()),
        (
            "fonts/{fontstack}/{range}.pbf", "file:///styles/a%20b/style.json",
            ["file:///styles/a%20b/fonts/Test%20Sans/26368-26623.pbf"]
        ),
        (
            "fonts/{fontstack}/{range}.pbf", "https://styles.example/a/style.json",
            ["https://styles.example/a/fonts/Test%20Sans/26368-26623.pbf"]
        ),
        (
            "/fonts/{fontstack}/{range}.pbf", "https://styles.example/a/style.json",
            ["https://styles.example/fonts/Test%20Sans/26368-26623.pbf"]
        ),
        // A document from a server may not refer to files.
        ("file:///fonts/{fontstack}/{range}.pbf", "https://styles.example/a/style.json", []),
    ])
    func `addresses are relative to the style, and its policy applies`(
        template: String, base: String?, addresses: [String]
    ) throws {
        let layer = try Self.layer(["東"], glyphs: template, base: base.map { BaseURL($0) })
        let plan = try Self.planner(Self.latin).plan([layer])
        #expect(Self.addresses(plan) == addresses)
        #expect(plan.warnings.count == (addresses.isEmpty ? 1 : 0), "\(plan.warnings)")
        // Without need nobody is warned.
        let covered = try Self.layer(["A"], glyphs: template, base: base.map { BaseURL($0) })
        #expect(try Self.planner(Self.latin).plan([covered]).warnings.isEmpty)
    }

    @Test(arguments: ["../../secret", ".", "", "a/b"])
    func `a font that cannot be a folder is not requested`(name: String) throws {
        let layer = try Self.layer(
            ["東"], glyphs: "fonts/{fontstack}/{range}.pbf", fonts: #"["\#(name)"]"#, base: "file:///s/style.json")
        #expect(try Self.planner(Self.latin).plan([layer]).resources.isEmpty)
    }

    @Test func `letters that should be joined are reported`() throws {
        let planner = try Self.planner(Self.none), first = planner.plan([try Self.layer(["سلام"])])
        var arrivals = Arrivals()
        arrivals[try #require(first.resources.first).id] = .document(GlyphBytes.boxes("سلام"))
        let warnings = planner.plan(first, given: arrivals).warnings
        #expect(warnings.map(\.code) == [.style] && !warnings.contains(where: \.isLoss), "\(warnings)")
    }

    @Test(arguments: ["https://glyphs.example/{range}.pbf", "7"])
    func `glyphs without placeholders are reported`(glyphs: String) throws {
        let sheet = try StyleSheet(bytes: Array(#"{"version": 8, "glyphs": "\#(glyphs)", "layers": []}"#.utf8))
        #expect(sheet.warnings.map(\.subject.member) == ["glyphs"])
    }
}
#endif
