#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanTesting
import Testing

/// Pictures of legends of styles.
@Suite struct SheetLegendTests {
    private static let sheet = #"""
        {"version": 8, "sprite": "https://maps.example/s", "layers": [
        {"id": "Lawn", "type": "fill", "filter": ["==", "kind", "lawn"],
         "paint": {"fill-color": "#cfe8b9", "fill-outline-color": "#6a9a58"}},
        {"id": "Marsh", "type": "fill", "filter": ["==", "kind", "marsh"], "paint": {"fill-pattern": "box"}},
        {"id": "casing", "type": "line", "filter": ["in", "kind", "road", "rail"],
         "paint": {"line-color": "#8a6d2f", "line-width": 7}},
        {"id": "Road", "type": "line", "filter": ["==", "kind", "road"],
         "paint": {"line-color": "#fbd96b", "line-width": 5}},
        {"id": "Railway", "type": "line", "filter": ["==", "kind", "rail"],
         "paint": {"line-color": "#fff", "line-width": 4, "line-dasharray": [2, 1]}},
        {"id": "Canal", "type": "line", "filter": ["==", "kind", "canal"],
         "paint": {"line-color": "#3c6ebe", "line-width": 1, "line-gap-width": 4}},
        {"id": "Hedge", "type": "line", "filter": ["==", "kind", "hedge"],
         "paint": {"line-pattern": "box", "line-width": 8}},
        {"id": "Well", "type": "circle", "filter": ["==", "kind", "well"],
         "paint": {"circle-color": "#3c6ebe", "circle-stroke-color": "#fff", "circle-stroke-width": 2}},
        {"id": "Shop", "type": "symbol", "filter": ["==", "kind", "shop"],
         "layout": {"icon-image": "box", "text-field": "Shop", "text-offset": [0, 1.5]}},
        {"id": "Visitors", "type": "heatmap", "filter": ["==", "kind", "visit"], "paint": {"heatmap-radius": 12}}]}
        """#

    private static func features() -> [Feature] {
        func line(_ kind: String, _ y: Double) -> Feature {
            Feature(
                geometry: .lineString(SampleScene.places([(-110, y), (20, y)])), properties: ["kind": .string(kind)])
        }
        func area(_ kind: String, _ x: Double) -> Feature {
            let corners = SampleScene.places([(x, -80.0), (x + 50, -80), (x + 50, -40), (x, -40), (x, -80)])
            return Feature(geometry: .polygon([corners]), properties: ["kind": .string(kind)])
        }
        func point(_ kind: String, _ x: Double) -> Feature {
            Feature(geometry: .point(Coordinate(x: x, y: 60)), properties: ["kind": .string(kind)])
        }
        return [
            area("lawn", -110), area("marsh", -40), line("road", 30), line("rail", 15), line("canal", 0),
            line("hedge", -15), point("well", -90), point("shop", -40),
            point("visit", -10), point("visit", -5),
        ]
    }

    @Test func `the legend of a style has a row for each rule`() throws {
        var source = FeatureSource(features: Self.features(), crs: .webMercator)
        source.sheet = try StyleSheet(bytes: Array(Self.sheet.utf8))
        let index = Array(#"{"box": {"x": 0, "y": 0, "width": 12, "height": 12, "pixelRatio": 1}}"#.utf8)
        var sprite = try SampleScene.color(MapColor(red: 250, green: 220, blue: 120), 12, 12)
        for place in 0..<12 { for side in [0, 1, 10, 11] { sprite[place, side] = Pixel(.sea) } }
        let scene = SampleScene(width: 300, height: 350)
        let planner = MapPlanner(viewport: try scene.viewport(), showsLegend: true)
        var plan = planner.plan([MapLayer(name: "Village", source: source)]), arrivals = Arrivals()
        for resource in plan.resources {
            arrivals[resource.id] = resource.form == .document ? .document(index) : .image(sprite)
        }
        plan = planner.plan(plan, given: arrivals)
        let nodes = plan.layers.flatMap(\.plan.nodes)
        let picture = try scene.paint([Scene.Layer(name: "Village", nodes: nodes)], legend: plan.legend)
        try Golden.check(picture, "legend-style")
    }
}
#endif
