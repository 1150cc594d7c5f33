import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@Suite struct MapPlanTests {
    /// A source that needs given resources, and requests more depending on the arrivals.
    struct Scripted: LayerSource {
        var shown: [String] = []
        var margin: [String] = []
        /// The resources needed once another one has arrived.
        var after: [String: String] = [:]
        var revision = LayerPlan.Revision.afterArrivals
        var kind: String { "scripted" }

        func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
            func resource(_ name: String, _ use: Resource.Use) -> Resource {
                Resource(id: view.id(.other(name)), location: .url(.user(name)), use: use, name: name)
            }
            var plan = LayerPlan(
                resources: shown.map { resource($0, .shown) } + margin.map { resource($0, .margin) },
                revision: revision)
            for (name, next) in after.sorted(by: { $0.key < $1.key }) where arrivals[view.id(.other(name))] != nil {
                plan.resources.append(resource(next, .shown))
            }
            return plan
        }
    }

    static func plan(_ sources: [any LayerSource], attributions: [String?] = []) throws -> MapPlan {
        MapPlanner(viewport: try View.make()).plan(
            sources.enumerated().map { number, source in
                MapLayer(
                    name: "\(number)", source: source,
                    attribution: attributions.indices.contains(number) ? attributions[number] : nil)
            })
    }

    @Test func `resources are listed in drawing order, separately for each layer`() throws {
        let plan = try Self.plan([Scripted(shown: ["b", "a"], margin: ["m"]), Scripted(shown: ["c", "a"])])
        #expect(plan.shownURLs == ["b", "a", "c", "a"])
        #expect(plan.resources.filter { $0.use == .margin }.map(\.id) == [Resource.ID(layer: "0", .other("m"))])
        #expect(Set(plan.resources.map(\.id)).count == 5)
    }

    @Test func `a plan is revised with the received resources if they matter`() throws {
        let planner = MapPlanner(viewport: try View.make())
        let layers = [
            MapLayer(name: "x", source: Scripted(shown: ["a"], after: ["a": "b", "b": "c"])),
            MapLayer(name: "y", source: Scripted(shown: ["a"])),
        ]
        var plan = planner.plan(layers), arrivals = Arrivals()
        #expect(!plan.isRevised(by: arrivals))
        #expect(plan.shownURLs == ["a", "a"])
        for expected in [["a", "b", "a"], ["a", "b", "c", "a"], ["a", "b", "c", "a"]] {
            for resource in plan.resources { arrivals[resource.id] = .document([]) }
            plan = planner.plan(plan, given: arrivals)
            #expect(plan.shownURLs == expected)
        }
    }

    @Test(arguments: [
        (LayerPlan.Revision.never, false, false), (.afterFailures, true, false), (.afterArrivals, true, true),
    ]) func `a source is planned again as its revision states`(
        revision: LayerPlan.Revision, onFailure: Bool, onArrival: Bool
    ) throws {
        let planner = MapPlanner(viewport: try View.make())
        let plan = planner.plan([
            MapLayer(name: "x", source: Scripted(shown: ["a"], after: ["a": "b"], revision: revision))
        ])
        for (arrival, isAsked) in [
            (Arrivals.Arrival.failure(ResourceError(.notFound, place: "a", message: "gone")), onFailure),
            (.document([]), onArrival),
        ] {
            var arrivals = Arrivals()
            arrivals[Resource.ID(layer: "x", .other("a"))] = arrival
            #expect(plan.isRevised(by: arrivals) == isAsked)
            #expect(planner.plan(plan, given: arrivals).shownURLs == (isAsked ? ["a", "b"] : ["a"]))
            arrivals = Arrivals()
            arrivals[Resource.ID(layer: "another", .other("a"))] = arrival
            #expect(!plan.isRevised(by: arrivals))
        }
    }

    @Test func `each attribution is listed once, from bottom to top`() throws {
        let plan = try Self.plan(
            [Scripted(), Scripted(), Scripted(), Scripted(), Scripted()], attributions: ["B", nil, "", "A", "B"])
        #expect(plan.attributions == ["B", "A"])
    }

    @Test func `hasFeatures is false for a map without features`() throws {
        #expect(try !Self.plan([Scripted(shown: ["a"]), FeatureSource(features: [])]).hasFeatures)
        let point = Feature(geometry: .point(Coordinate(x: 0, y: 0)))
        #expect(try Self.plan([FeatureSource(features: [point])]).hasFeatures)
    }

    @Test func `each icon is requested once`() throws {
        let style: Properties = ["default": ["externalGraphic": "http://h/i.png"]]
        let features = (0..<3).map { _ in
            Feature(geometry: .point(Coordinate(x: 0, y: 0)), properties: ["type": "poi", "style": .object(style)])
        }
        let plan = try Self.plan([FeatureSource(features: features)])
        #expect(plan.resources.map(\.id) == [Resource.ID(layer: "0", .icon(address: "http://h/i.png"))])
    }
}
