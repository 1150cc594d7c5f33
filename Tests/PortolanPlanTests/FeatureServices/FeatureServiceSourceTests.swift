import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb
import Testing

@Suite struct FeatureServiceSourceTests {
    /// A request to a collection, or to a WFS of a version with or without pages.
    private static func collection() throws -> FeatureRequest {
        let text =
            "{\"collections\":[{\"id\":\"p\",\"links\":[{\"rel\":\"items\",\"href\":\"http://h.example/items\"}]}]}"
        guard case .collections(let found, _) = try OGCAPIReader.read(Array(text.utf8)) else {
            throw OGCAPIError.otherDocument("none")
        }
        return .ogcAPI(try OGCAPIItemsRequest(found[0], document: "http://h.example/collections"))
    }

    private static func wfs(
        _ version: String, constraints: String = "", axis: WMSOptions.AxisOrderPolicy = .auto
    ) throws -> FeatureRequest {
        let text = """
            <WFS_Capabilities version="\(version)"><OperationsMetadata><Operation name="GetFeature"><DCP><HTTP>
            <Get href="http://h.example/wfs"/></HTTP></DCP></Operation>\(constraints)</OperationsMetadata><FeatureTypeList><FeatureType><Name>p</Name>
            <DefaultCRS>urn:ogc:def:crs:EPSG::4326</DefaultCRS></FeatureType></FeatureTypeList></WFS_Capabilities>
            """
        var options = WFSOptions(typeName: "p")
        options.axisOrder = axis
        return .wfs(
            try WFSNegotiation.request(
                for: options, of: WFSCapabilitiesReader.read(Array(text.utf8)), document: "http://h.example/wfs"))
    }

    private static func json(_ points: [(id: Int, x: Double, y: Double)], _ more: String = "") -> String {
        let features = points.map {
            "{\"type\":\"Feature\",\"id\":\($0.id),\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[\($0.x),\($0.y)]}}"
        }
        return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]\(more)}"
    }

    /// A small view around a point in one cell, or, at 0, in four.
    private static func view(x: Double = 8, y: Double = 8) throws -> LayerView {
        LayerView(try View.make(x: x, y: y, resolution: 0.01, crs: .crs84), layer: "p")
    }

    /// Plans until nothing more is asked for, as the renderer does.
    private static func run(
        _ source: FeatureServiceSource, _ view: LayerView, answer: (_ url: String) -> String?
    ) throws -> (plan: LayerPlan, asked: [String], ids: [Int]) {
        var arrivals = Arrivals(), asked: [String] = []
        for _ in 0..<100 {
            let plan = try source.plan(for: view, given: arrivals)
            let new = plan.resources.filter { arrivals[$0.id] == nil }
            if new.isEmpty {
                let ids = plan.nodes.flatMap { node -> [Int] in
                    guard case .features(let step) = node else { return [] }
                    return step.features.compactMap { $0.feature.id?.propertyValue.integerValue }
                }
                return (plan, asked, ids)
            }
            for resource in new {
                asked.append(resource.location.description)
                if resource.use != .standIn, let text = answer(resource.location.description) {
                    arrivals[resource.id] = .document(Array(text.utf8))
                } else {
                    arrivals[resource.id] = .failure(
                        ResourceError(.status, status: 500, place: "h.example", message: "no"))
                }
            }
        }
        Issue.record("it asks without end")
        return (LayerPlan(), asked, [])
    }

    @Test func `nearby views request the same cells`() throws {
        let source = FeatureServiceSource(try Self.collection())
        for x in [7.5, 8, 9] {
            let result = try Self.run(source, Self.view(x: x)) { _ in Self.json([(1, 8, 8)]) }
            #expect(result.asked == ["http://h.example/items?limit=2000&bbox=5.625,5.625,11.25,11.25"])
            #expect(result.ids == [1])
            #expect(result.plan.warnings == [])
        }
    }

    @Test func `features of a service get the values of a table, and are counted in the view`() throws {
        var source = FeatureServiceSource(try Self.collection())
        source.appearance.join = FeatureJoin(
            "t.csv", property: nil, rows: [("1", ["rate": 5]), ("3", ["rate": 6]), ("4", ["rate": 7])])
        let result = try Self.run(source, Self.view()) { _ in Self.json([(1, 8, 8), (2, 8.1, 8)]) }
        let features = result.plan.nodes.flatMap(\.featureSteps).flatMap(\.features).map(\.feature)
        #expect(features.map { $0.properties["rate"] } == [5, nil])
        #expect(result.plan.warnings.map(\.message) == ["1 of 2 features have no row in 't.csv', such as '2'"])
    }

    @Test func `a feature in several cells is drawn once, and two with one identifier are both drawn`() throws {
        let source = FeatureServiceSource(try Self.collection())
        let result = try Self.run(source, Self.view(x: 0, y: 0)) { _ in
            Self.json([(1, 0, 0), (2, 0.1, 0.1), (2, 0.2, 0.2)])
        }
        #expect(result.asked.count == 4)
        #expect(result.ids == [1, 2, 2])
        #expect(result.plan.warnings == [])
    }

    @Test func `pages are followed by their links, up to an empty last page`() throws {
        let source = FeatureServiceSource(try Self.collection())
        let link = ",\"links\":[{\"rel\":\"next\",\"href\":\"http://h.example/items?cursor=%s\"}]"
        let result = try Self.run(source, Self.view()) { url in
            if url.hasSuffix("cursor=a") { return Self.json([(2, 8.1, 8)], link.replacing("%s", with: "b")) }
            if url.hasSuffix("cursor=b") { return Self.json([]) }
            return Self.json([(1, 8, 8)], link.replacing("%s", with: "a"))
        }
        #expect(result.ids == [1, 2])
        #expect(result.plan.warnings == [])
        #expect(result.asked.suffix(2) == ["http://h.example/items?cursor=a", "http://h.example/items?cursor=b"])
    }

    @Test func `without links, pages are requested by index while features are missing`() throws {
        let source = FeatureServiceSource(try Self.wfs("2.0.0"))
        let result = try Self.run(source, Self.view()) { url in
            url.contains("STARTINDEX=2")
                ? Self.json([(3, 8.2, 8)], ",\"numberMatched\":3")
                : Self.json([(1, 8, 8), (2, 8.1, 8)], ",\"numberMatched\":3")
        }
        #expect(result.ids == [1, 2, 3])
        #expect(result.plan.warnings == [])
    }

    @Test(arguments: [true, false])
    func `a service that repeats a page or has no paging is reported`(hasPaging: Bool) throws {
        let constraint =
            "<Constraint name='ImplementsResultPaging'><DefaultValue>\(hasPaging)</DefaultValue></Constraint>"
        let source = FeatureServiceSource(try Self.wfs("2.0.0", constraints: constraint))
        let result = try Self.run(source, Self.view()) { _ in Self.json([(1, 8, 8)], ",\"numberMatched\":9") }
        #expect(result.ids == [1])
        #expect(result.plan.warnings.map(\.code) == [.limited])
        #expect(result.asked.count == (hasPaging ? 2 : 1))
    }

    @Test func `a page that the service counts but does not return is reported`() throws {
        let source = FeatureServiceSource(try Self.wfs("2.0.0"))
        let result = try Self.run(source, Self.view()) { url in
            url.contains("STARTINDEX")
                ? Self.json([], ",\"numberMatched\":9") : Self.json([(1, 8, 8)], ",\"numberMatched\":9")
        }
        #expect(result.ids == [1])
        #expect(result.plan.warnings.map(\.code) == [.limited])
    }

    @Test(arguments: [
        ("file:///etc/passwd", MapWarning.Code.notDrawn), ("http://h.example/items?cursor=loop", .limited),
    ])
    func `a forbidden or circular next link is reported`(href: String, code: MapWarning.Code) throws {
        var number = 0
        let result = try Self.run(FeatureServiceSource(try Self.collection()), Self.view()) { _ in
            number += 1
            return Self.json(
                [(number, 8, 8)], ",\"links\":[{\"rel\":\"next\",\"href\":\"\(href)\"}]")
        }
        #expect(result.ids.first == 1)
        #expect(result.plan.warnings.map(\.code) == [code])
        #expect(result.asked.allSatisfy { $0.hasPrefix("http://h.example/") })
    }

    @Test(arguments: [
        // Latitude stands first in the one and longitude in the other.
        ("<http://www.opengis.net/def/crs/EPSG/0/4326>", 8.0, 9.0, MapWarning.Code?.none),
        ("<http://www.opengis.net/def/crs/OGC/1.3/CRS84>", 9, 8, nil), (nil, 9, 8, nil),
        ("<http://www.opengis.net/def/crs/EPSG/0/3857>", 1_001_875.4, 893_463.8, nil),
        ("<http://www.opengis.net/def/crs/EPSG/0/999999>", 9, 8, .notDrawn),
    ])
    func `the CRS in a response header overrides the requested one`(
        header: String?, x: Double, y: Double, fault: MapWarning.Code?
    ) throws {
        let source = FeatureServiceSource(try Self.collection()), view = try Self.view(x: 9, y: 8)
        var arrivals = Arrivals()
        for resource in try source.plan(for: view, given: arrivals).resources {
            arrivals[resource.id] = .document(Array(Self.json([(1, x, y)]).utf8))
            arrivals.note(contentCRS: header, of: resource.id)
        }
        let plan = try source.plan(for: view, given: arrivals)
        #expect(plan.warnings.map(\.code) == (fault.map { [$0] } ?? []))
        let place = plan.nodes.flatMap(\.featureSteps).first?.features.first?.feature.geometry?.boundingBox
        if fault == nil {
            let found = try #require(place)
            #expect(abs(found.minX - 9) < 1e-6)
            #expect(abs(found.minY - 8) < 1e-6)
        } else {
            #expect(place == nil)
        }
    }

    @Test func `a response with the default maximum count may be incomplete`() throws {
        let constraint = "<Constraint name='DefaultMaxFeatures'><DefaultValue>2</DefaultValue></Constraint>"
        let source = FeatureServiceSource(try Self.wfs("1.1.0", constraints: constraint))
        let cut = try Self.run(source, Self.view()) { _ in Self.json([(1, 8, 8), (2, 8.1, 8)]) }
        #expect(cut.plan.warnings.map(\.code) == [.limited])
        #expect(cut.asked.count == 1)
        let whole = try Self.run(FeatureServiceSource(try Self.wfs("1.1.0", constraints: constraint)), Self.view()) {
            _ in
            Self.json([(1, 8, 8)])
        }
        #expect(whole.plan.warnings == [])
    }

    @Test func `features over the limit are left out with a warning, and the central ones are kept`() throws {
        let source = FeatureServiceSource(try Self.collection(), limit: 3)
        let result = try Self.run(source, Self.view(x: 1, y: 1)) { url in
            let isNear = url.contains("bbox=0,0,")
            return Self.json((1...3).map { ($0 + (isNear ? 0 : 10), isNear ? 1 : -0.1, 0.1 * Double($0)) })
        }
        #expect(result.ids == [1, 2, 3])
        #expect(result.plan.warnings.map(\.code) == [.limited])
    }

    @Test(arguments: [
        (
            "<ExceptionReport><Exception exceptionCode='X'><ExceptionText>closed</ExceptionText></Exception></ExceptionReport>",
            "closed"
        ),
        ("{\"code\":\"NotFound\",\"description\":\"gone\"}", "gone"),
        ("<html>come back later</html>", "come back later"),
        ("{\"type\":\"FeatureCollection\",\"features\":[", "GeoJSON"),
    ])
    func `an invalid response is reported with the message of the service`(text: String, words: String) throws {
        let result = try Self.run(FeatureServiceSource(try Self.collection()), Self.view()) { _ in text }
        #expect(result.ids == [])
        let warning = result.plan.warnings.first
        #expect(warning?.code == .notDrawn)
        #expect(warning?.message.lowercased().contains(words.lowercased()) == true)
    }

    @Test func `a failed cell falls back to cached coarser cells`() throws {
        let result = try Self.run(FeatureServiceSource(try Self.collection()), Self.view()) { _ in nil }
        #expect(result.ids == [])
        #expect(result.plan.resources.contains { $0.use == .standIn })
    }

    /// MapServer 8 answers so in version 1.1.0: latitude first, under a name that is taken for longitude first elsewhere.
    @Test func `a CRS requested by its URN is read in its axis order`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "PortolanServicesTests/Fixtures/features")
        let text = try String(contentsOf: folder.appending(path: "wfs-cities-1.1.0.gml"), encoding: .utf8)
        let source = FeatureServiceSource(try Self.wfs("1.1.0"))
        let result = try Self.run(source, Self.view(x: 28.9, y: 41)) { _ in text }
        guard case .features(let step)? = result.plan.nodes.first else {
            Issue.record("nothing is drawn")
            return
        }
        // Istanbul, as GDAL reads it of the answers of version 2.0.0.
        let place = try #require(step.features.first?.feature.geometry?.coordinates.first)
        #expect(abs(place.x - 28.94966) < 1e-5)
        #expect(abs(place.y - 41.01384) < 1e-5)
    }
}
