import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanWeb
import TestHelpers
import Testing

@Suite struct StylePlannerTests {
    private static func sheet(_ layers: String) throws -> StyleSheet {
        try StyleSheet(bytes: Array(#"{"version": 8, "layers": [\#(layers)]}"#.utf8))
    }

    private static func source(_ layers: String) throws -> FeatureSource {
        func square(_ name: String, _ rank: Int) -> Feature {
            let corners = [(24.89, 60.19), (24.91, 60.19), (24.91, 60.21)]
            return Feature(
                id: .string(name),
                geometry: .polygon([corners.map { Coordinate(longitude: $0.0, latitude: $0.1) }]),
                properties: ["rank": .integer(rank), "class": .string(name)])
        }
        let line = Feature(
            id: "line", geometry: .lineString([Coordinate(x: 24.8, y: 60.2), Coordinate(x: 25, y: 60.2)]))
        var source = FeatureSource(features: [square("park", 2), line, square("wood", 1)])
        source.sheet = try sheet(layers)
        return source
    }

    private static func steps(_ source: FeatureSource, zoom: Double = 12) throws -> [Scene.FeatureStep] {
        let plan = MapPlanner(viewport: try View.slippy(24.9, 60.2, zoom: zoom)).plan([
            MapLayer(name: "f", source: source)
        ])
        return plan.layers.first?.plan.nodes.flatMap(\.featureSteps) ?? []
    }

    private static func ids(_ step: Scene.FeatureStep) -> [String] {
        step.features.compactMap { $0.feature.id?.description }
    }

    @Test(arguments: [
        (#"{"font-scale": 2}"#, [String](), 2),
        (#"{"vertical-align": "top"}, ["image", "star"], {"vertical-align": "center"}"#, [], 3),
        (#"{}, ["image", "nothing"], {}"#, ["layer 't', text-field: no sprite has an image 'nothing'"], 2),
    ])
    func `text spans are drawn with their styles, and unsupported properties are reported`(
        parts: String, told: [String], count: Int
    ) throws {
        let layer = #"{"id":"t","type":"symbol","layout":{"text-field":["format",["get","class"],\#(parts)]}}"#
        let plan = MapPlanner(viewport: try View.slippy(24.9, 60.2, zoom: 12)).plan([
            MapLayer(name: "f", source: try Self.source(layer))
        ])
        let messages = plan.layers.first?.plan.warnings.map(\.detail) ?? []
        #expect(messages.count == told.count && zip(messages, told).allSatisfy { $0.hasPrefix($1) }, "\(messages)")
        #expect(plan.layers.first?.plan.nodes.flatMap(\.featureSteps).map(\.shown.count) == [count])
    }

    @Test func `each layer of the style is a step, in its order, above a background`() throws {
        let steps = try Self.steps(
            Self.source(
                #"""
                {"id": "ground", "type": "background", "paint": {"background-color": "#123"}},
                {"id": "lines", "type": "line"}, {"id": "areas", "type": "fill", "filter": ["==", "class", "wood"]},
                {"id": "dots", "type": "circle"}
                """#))
        #expect(steps.count == 4)
        #expect(steps[0].features.first?.style.fill?.color == MapColor(red: 0x11, green: 0x22, blue: 0x33))
        #expect(Self.ids(steps[1]) == ["park", "line", "wood"] && Self.ids(steps[2]) == ["wood"])
        #expect(Self.ids(steps[3]) == ["park", "line", "wood"], "circles stand at vertices")
    }

    @Test(arguments: [
        (#""type": "line", "paint": {"line-width": 2}"#, false),
        (#""type": "fill", "paint": {"fill-opacity": 0.5}"#, false),
        (#""type": "line", "paint": {"line-width": 40}"#, true),
        (#""type": "line", "layout": {"line-miter-limit": 40}, "paint": {"line-width": 2}"#, true),
        (#""type": "line", "paint": {"line-offset": 20}"#, true),
        (#""type": "line", "paint": {"line-gap-width": 40}"#, true),
        (#""type": "line", "paint": {"line-translate": [0, 40]}"#, true),
        (#""type": "fill", "paint": {"fill-translate": [0, 40]}"#, true),
        (#""type": "circle""#, true),
        (#""type": "symbol", "layout": {"text-field": "A"}"#, true),
    ])
    func `features forty pixels outside the view are planned if their drawing may reach into it`(
        layer: String, isPlanned: Bool
    ) throws {
        let view = try View.slippy(24.9, 60.2, zoom: 12), extent = view.extent
        let pixel = view.resolution.unitsPerPixel
        func area(_ id: Feature.ID, _ distance: Double) -> Feature {
            let low = extent.maxY + distance * pixel, high = low + 10 * pixel
            let ring = [(extent.minX, low), (extent.maxX, low), (extent.maxX, high), (extent.minX, low)]
            return Feature(id: id, geometry: .polygon([ring.map { Coordinate(x: $0.0, y: $0.1) }]))
        }
        var source = FeatureSource(features: [area("near", 30), area("beside", 40)], crs: .webMercator)
        source.sheet = try Self.sheet(#"{"id": "a", \#(layer)}"#)
        let plan = MapPlanner(viewport: view).plan([MapLayer(name: "f", source: source)])
        let steps = plan.layers[0].plan.nodes.flatMap(\.featureSteps)
        #expect(steps.map(Self.ids) == [isPlanned ? ["near", "beside"] : ["near"]])
    }

    @Test func `the opacity of a fill layer applies to the layer as a whole`() throws {
        let plan = try #require(
            MapPlanner(viewport: try View.slippy(24.9, 60.2, zoom: 12)).plan([
                MapLayer(
                    name: "f",
                    source: try Self.source(
                        #"{"id": "a", "type": "fill", "paint": {"fill-layer-opacity": 0.5, "fill-outline-color": "red"}}"#
                    ))
            ]).layers.first?.plan)
        guard case .group(0.5, let nodes)? = plan.nodes.first else { throw PlanError.noSuchNode }
        #expect(plan.nodes.count == 1)
        #expect(nodes.flatMap(\.featureSteps).count == 2)
    }

    @Test(arguments: [
        (#""fill-translate": [3, 4]"#, 0.0, [3.0, 4.0]), (#""fill-translate": [3, 4]"#, 90.0, [4.0, -3.0]),
        (#""fill-translate": [3, 4], "fill-translate-anchor": "viewport""#, 90.0, [3.0, 4.0]),
        (#""fill-translate": [0, 0]"#, 0.0, [0.0, 0.0]),
    ])
    func `translations are relative to the map or to the picture`(
        _ paint: String, _ rotation: Double, _ wanted: [Double]
    ) throws {
        let flat = try View.slippy(24.9, 60.2, zoom: 12)
        let view = try Viewport(
            center: flat.center, resolution: flat.resolution, rotation: rotation, size: flat.size, crs: flat.crs)
        let source = try Self.source(#"{"id": "a", "type": "fill", "paint": {\#(paint)}}"#)
        let plan = MapPlanner(viewport: view).plan([MapLayer(name: "f", source: source)])
        let moved = try #require(plan.layers.first?.plan.nodes.first?.featureSteps.first?.translation)
        #expect(abs(moved.x - wanted[0]) < 1e-9 && abs(moved.y - wanted[1]) < 1e-9)
    }

    @Test func `a heatmap uses the filtered points with their weights`() throws {
        let points = (1...4).map { rank in
            Feature(
                geometry: .point(Coordinate(x: 24.9 + Double(rank) / 1000, y: 60.2)),
                properties: ["rank": .integer(rank)])
        }
        var source = FeatureSource(
            features: points + [
                Feature(geometry: .lineString([Coordinate(x: 24.9, y: 60.2), Coordinate(x: 25, y: 60)]))
            ])
        source.sheet = try Self.sheet(
            #"""
            {"id": "h", "type": "heatmap", "filter": [">", ["get", "rank"], 1], "paint": {"heatmap-radius": 12,
             "heatmap-weight": ["-", ["get", "rank"], 2], "heatmap-opacity": 0.5,
             "heatmap-color": ["interpolate", ["linear"], ["heatmap-density"], 0, "rgba(0, 0, 0, 0)", 1, "red"]}}
            """#)
        func steps() throws -> [Scene.PointStep] {
            let plan = MapPlanner(viewport: try View.slippy(24.9, 60.2, zoom: 12)).plan([
                MapLayer(name: "f", source: source)
            ])
            let nodes = try #require(plan.layers.first?.plan.nodes)
            guard case .group(0.5, let inner)? = nodes.first else { throw PlanError.noSuchNode }
            return inner.flatMap(\.pointSteps)
        }
        let step = try #require(steps().first)
        guard case .heatmap(let symbol) = step.look else { throw PlanError.noSuchNode }
        // Of ranks 2 to 4 the first weighs nothing.
        #expect(step.count == 2)
        #expect(symbol.radius == 12)
        let property = try #require(symbol.weightProperty)
        let weight = try #require(step.table.numbers(property))
        #expect((0..<2).compactMap(weight).sorted() == [1, 2])
        #expect(symbol.components(at: 1) == SIMD4(1, 0, 0, 1))
        #expect(symbol.components(at: 0) == .zero)
        // The same table serves the next picture.
        #expect(try steps().first?.table.isSame(as: step.table) == true)
    }

    private enum PlanError: Error { case noSuchNode }

    @Test func `outlines of areas are drawn above all areas of their layer`() throws {
        let steps = try Self.steps(
            Self.source(#"{"id": "a", "type": "fill", "paint": {"fill-color": "red", "fill-outline-color": "blue"}}"#))
        #expect(steps.map(Self.ids) == [["park", "wood"], ["park", "wood"]])
        #expect(steps[0].features.allSatisfy { $0.style.fill != nil && $0.style.stroke == nil })
        #expect(steps[1].features.allSatisfy { $0.style.fill == nil && $0.style.stroke?.width == 1 })
    }

    @Test func `features are drawn by sort key, and in their order if keys are equal`() throws {
        let sorted = try Self.steps(
            Self.source(#"{"id": "a", "type": "fill", "layout": {"fill-sort-key": ["get", "rank"]}}"#))
        #expect(sorted.map(Self.ids) == [["wood", "park"]])
        let same = try Self.steps(Self.source(#"{"id": "a", "type": "fill", "layout": {"fill-sort-key": 1}}"#))
        #expect(same.map(Self.ids) == [["park", "wood"]])
    }

    @Test func `the zoom of a style is one less than that of tiles, and controls layers and widths`() throws {
        let source = try Self.source(
            #"{"id": "a", "type": "line", "minzoom": 11, "paint": {"line-width": {"stops": [[11, 1], [13, 5]]}}}"#)
        let widths = try [11.9, 12, 13].map { zoom in
            try Self.steps(source, zoom: zoom).first?.features.first?.style.stroke?.width
        }
        #expect(widths[0] == nil)
        #expect(widths[1].map { abs($0 - 1) < 1e-6 } == true && widths[2].map { abs($0 - 3) < 1e-6 } == true)
    }

    @Test func `outside web mercator the zoom is that of the same ground resolution`() throws {
        let place = Coordinate(longitude: 24.9, latitude: 60.2)
        let utm = try CRS("EPSG:32635"), center = try #require(try CoordinateTransform(from: .crs84, to: utm)(place))
        let mercator = try View.slippy(24.9, 60.2, zoom: 12)
        // A Mercator map shows the ground 1 / cos(latitude) as large.
        let ground = mercator.resolution.unitsPerPixel * 0.49697
        let view = try Viewport(
            center: center, resolution: #require(Resolution(unitsPerPixel: ground)), size: mercator.size, crs: utm)
        #expect(abs(view.styleZoom - 11) < 0.01)
        #expect(abs(mercator.styleZoom - 11) < 1e-9)
    }

    @Test func `the same view has the same content IDs, and another style has others`() throws {
        var source = try Self.source(#"{"id": "a", "type": "fill"}"#)
        let first = try Self.steps(source).map(\.contentID)
        #expect(try Self.steps(source).map(\.contentID) == first)
        #expect(try Self.steps(source, zoom: 12.5).map(\.contentID) != first)
        source.sheet = try Self.sheet(#"{"id": "b", "type": "fill"}"#)
        #expect(try Self.steps(source).map(\.contentID) != first)
    }

    /// The successive plans of a layer with sprites, each given the results for the previous one.
    private static func plans(
        pixelRatio: Double, _ answers: [String: Arrivals.Arrival]
    ) throws -> [LayerPlan] {
        var source = FeatureSource(features: [Feature(geometry: .point(Coordinate(x: 24.9, y: 60.2)))])
        source.sheet = try StyleSheet(
            bytes: Array(
                #"""
                {"version": 8, "sprite": "icons?key=1", "layers": [
                 {"id": "a", "type": "symbol", "layout": {"icon-image": "park"}},
                 {"id": "b", "type": "symbol", "layout": {"icon-image": "none"}}]}
                """#.utf8))
        source.sheetBaseURL = "https://maps.example/styles/a.json"
        let flat = try View.slippy(24.9, 60.2, zoom: 12)
        let view = LayerView(
            try Viewport(
                center: flat.center, resolution: flat.resolution, size: flat.size, pixelRatio: pixelRatio, crs: flat.crs
            ), layer: "f")
        var arrivals = Arrivals(), plans = [try source.plan(for: view, given: arrivals)]
        for _ in 0..<3 {
            for resource in plans[plans.count - 1].resources {
                if case .url(let url) = resource.location { arrivals[resource.id] = answers[url.text] }
            }
            plans.append(try source.plan(for: view, given: arrivals))
        }
        return plans
    }

    private static let index = Arrivals.Arrival.document(
        Array(#"{"park": {"x": 0, "y": 0, "width": 2, "height": 2}}"#.utf8))

    private static func names(_ plan: LayerPlan) -> [String] {
        plan.resources.compactMap { if case .url(let url) = $0.location { url.text } else { nil } }
    }

    @Test func `a sprite is requested relative to its style, and icons are drawn once it is received`() throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 2, height: 2)), filledWith: Pixel(.white))
        let base = "https://maps.example/styles/icons"
        let plans = try Self.plans(
            pixelRatio: 1, ["\(base).json?key=1": Self.index, "\(base).png?key=1": .image(image)])
        #expect(Self.names(plans[0]) == ["\(base).json?key=1", "\(base).png?key=1"])
        #expect(plans[0].nodes.isEmpty && plans[0].warnings.isEmpty && plans[0].revision == .afterArrivals)
        let label = plans[1].nodes.flatMap(\.featureSteps).first?.features.first?.style.label
        guard case .icon(let icon)? = label?.icon?.marker else { return #expect(Bool(false), "no icon") }
        #expect(icon.picture?.pixels == image)
        #expect(label?.template == "")
        #expect(
            plans[1].warnings.map(\.detail) == ["layer 'b', icon-image: no sprite has an image 'none'"])
    }

    @Test func `a high-density picture uses the @2x sprite, and the plain one if there is none`() throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 2, height: 2)), filledWith: Pixel(.white))
        let base = "https://maps.example/styles/icons"
        let fine = try Self.plans(
            pixelRatio: 2, ["\(base)@2x.json?key=1": Self.index, "\(base)@2x.png?key=1": .image(image)])
        #expect(Self.names(fine[0]) == ["\(base)@2x.json?key=1"])
        #expect(Self.names(fine[1]) == ["\(base)@2x.json?key=1", "\(base)@2x.png?key=1"])
        #expect(fine[2].nodes.count == 1)
        let missing = Arrivals.Arrival.failure(
            ResourceError(.status, status: 404, place: "maps.example", message: "not there"))
        let usual = try Self.plans(
            pixelRatio: 2,
            [
                "\(base)@2x.json?key=1": missing, "\(base).json?key=1": Self.index,
                "\(base).png?key=1": .image(image),
            ])
        #expect(Self.names(usual[1]).count == 3 && usual[2].nodes.count == 1)
    }

    @Test(arguments: ["no index", "no image", "a page instead of the index", "a page instead of the image"])
    func `the plain sprite is used if the @2x sprite is invalid`(_ fault: String) throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 2, height: 2)), filledWith: Pixel(.white))
        let base = "https://maps.example/styles/icons"
        let lost = Arrivals.Arrival.failure(
            ResourceError(.status, status: 404, place: "maps.example", message: "not there"))
        let noImage = Arrivals.Arrival.failure(
            ResourceError(.damaged, place: "maps.example", message: "no image"))
        let page = Arrivals.Arrival.document(Array("<html></html>".utf8))
        let index = fault == "no index" ? lost : fault == "a page instead of the index" ? page : Self.index
        let plans = try Self.plans(
            pixelRatio: 2,
            [
                "\(base)@2x.json?key=1": index,
                "\(base)@2x.png?key=1": fault == "no image" ? lost : noImage,
                "\(base).json?key=1": Self.index, "\(base).png?key=1": .image(image),
            ])
        let last = try #require(plans.last)
        #expect(last.nodes.count == 1)
        #expect(last.warnings.map(\.detail) == ["layer 'b', icon-image: no sprite has an image 'none'"])
        #expect(
            last.resources.filter { $0.use == .shown }.count == 2, "the finer one is a question, and no loss")
    }

    @Test func `an unreadable sprite is reported, and the rest is drawn`() throws {
        let image = PixelBuffer(size: try #require(ImageSize(width: 2, height: 2)))
        let base = "https://maps.example/styles/icons"
        let plans = try Self.plans(
            pixelRatio: 1, ["\(base).json?key=1": .document(Array("[".utf8)), "\(base).png?key=1": .image(image)])
        #expect(plans[1].warnings.count == 3)
        #expect(plans[1].warnings.first?.detail.contains("sprite 'default': line 1") == true)
    }

    @Test func `data cached for one picture do not change the next`() throws {
        let layers = #"""
            {"id": "a", "type": "fill", "filter": [">", "rank", 1], "layout": {"fill-sort-key": ["get", "rank"]},
             "paint": {"fill-outline-color": "blue"}},
            {"id": "b", "type": "line", "paint": {"line-width": ["interpolate", ["linear"], ["zoom"], 9, 1, 12, 4]}},
            {"id": "c", "type": "symbol", "layout": {"text-field": "{class}", "icon-image": "star"}}
            """#
        var kept = try Self.source(layers)
        func styles(_ steps: [Scene.FeatureStep]) -> [[Style]] { steps.map { $0.features.map(\.style) } }
        for zoom in [12, 12.5, 12, 10] {
            let fresh = try Self.steps(Self.source(layers), zoom: zoom)
            #expect(try styles(Self.steps(kept, zoom: zoom)) == styles(fresh))
        }
        kept.update("park") { $0.properties["rank"] = 0 }
        #expect(try Self.steps(kept).count == 2, "the only feature of the first layer is another now")
        kept.selection = "wood"
        #expect(try Self.steps(kept)[0].features.map(\.isSelected) == [false, false, true])
    }

    @Test func `a property without a valid value is reported once`() throws {
        let source = try Self.source(#"{"id": "a", "type": "fill", "paint": {"fill-opacity": ["get", "class"]}}"#)
        let plan = MapPlanner(viewport: try View.slippy(24.9, 60.2, zoom: 12)).plan([
            MapLayer(name: "f", source: source)
        ])
        #expect(
            plan.warnings.map(\.detail) == [
                "layer 'a', fill-opacity: expected number, found string; using the default"
            ])
    }

    @Test func `each picture reports the faults of its own features, also from the cache`() throws {
        func point(_ longitude: Double, _ size: PropertyValue) -> Feature {
            Feature(geometry: .point(Coordinate(x: longitude, y: 60.2)), properties: ["size": size])
        }
        var source = FeatureSource(features: [point(24.9, "large"), point(25.9, 2)])
        source.sheet = try Self.sheet(#"{"id": "a", "type": "circle", "paint": {"circle-radius": ["get", "size"]}}"#)
        func faultCount(_ longitude: Double) throws -> Int {
            MapPlanner(viewport: try View.slippy(longitude, 60.2, zoom: 12)).plan([
                MapLayer(name: "f", source: source)
            ]).warnings.count
        }
        #expect(try [24.9, 24.9, 25.9, 25.9, 24.9].map(faultCount) == [1, 1, 0, 0, 1])
    }
}
