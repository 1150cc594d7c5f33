import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import Testing

/// Services that state no limit in size and have one.
@Suite struct WMSSourcePlanTests {
    private static let refused = ResourceError(.exception, status: 200, place: "h", message: "too large")

    private static func image() throws -> PixelBuffer {
        PixelBuffer(size: try #require(ImageSize(width: 1, height: 1)), filledWith: Pixel(.black))
    }

    private static func widths(_ plan: LayerPlan, _ use: Resource.Use = .shown) throws -> [Int] {
        try plan.resources.filter { $0.use == use }.map { resource in
            let parts = resource.location.description.split(separator: "&")
            let width = try #require(parts.first { $0.hasPrefix("WIDTH=") })
            return try #require(Int(width.dropFirst(6)))
        }
    }

    @Test func `a refused image leads to one smaller one, and that to all of them`() throws {
        let source = try WMSPlannerTests.source(), view = try View.make(width: 1800, height: 50)
        var arrivals = Arrivals()
        var plan = try source.planned(view)
        #expect(try plan.revision == .afterArrivals && Self.widths(plan) == [1800])
        arrivals[plan.resources[0].id] = .failure(Self.refused)
        plan = try source.planned(view, given: arrivals)
        #expect(try Self.widths(plan) == [1800] && Self.widths(plan, .probe) == [664])
        let probe = try #require(plan.resources.last).id
        arrivals[probe] = .image(try Self.image())
        plan = try source.planned(view, given: arrivals)
        #expect(try Self.widths(plan) == [664, 728, 664] && plan.resources[0].id == probe)
        #expect(plan.warnings.map(\.code) == [.sizeLimited])
        #expect(plan.warnings.map(\.message) == ["asked again in smaller pieces, since too large"])
        #expect(plan.foundTraits["http://h/wms"] == 1024)
        #expect(plan.seen.first?.size == view.imageSize)
    }

    @Test func `what is refused however small it is stays what it was`() throws {
        let source = try WMSPlannerTests.source(), view = try View.make(width: 1800, height: 50)
        var arrivals = Arrivals(), probed: [Int] = []
        for _ in 0..<6 {
            let plan = try source.planned(view, given: arrivals)
            probed += try Self.widths(plan, .probe)
            for resource in plan.resources { arrivals[resource.id] = .failure(Self.refused) }
        }
        #expect(probed == [664, 424])
        let plan = try source.planned(view, given: arrivals)
        #expect(try Self.widths(plan) == [1800] && Self.widths(plan, .probe).isEmpty && plan.warnings.isEmpty)
    }

    @Test(arguments: [
        ResourceError(.connection, place: "", message: ""), ResourceError(.status, status: 404, place: "", message: ""),
        ResourceError(.exception, status: 200, exceptionCode: .layerNotDefined, place: "", message: ""),
        ResourceError(.damaged, status: 200, place: "", message: ""),
    ])
    func `a failure for another reason asks for nothing smaller`(error: ResourceError) throws {
        let source = try WMSPlannerTests.source(), view = try View.make(width: 1800, height: 50)
        var arrivals = Arrivals()
        arrivals[try source.planned(view).resources[0].id] = .failure(error)
        #expect(try source.planned(view, given: arrivals).resources.map(\.use) == [.shown])
    }

    @Test func `a service that states its size is taken at its word`() throws {
        let source = try WMSPlannerTests.source(maximum: 4000), view = try View.make(width: 1800, height: 50)
        var arrivals = Arrivals()
        arrivals[try source.planned(view).resources[0].id] = .failure(Self.refused)
        #expect(try source.planned(view, given: arrivals).resources.count == 1)
    }

    /// As a MapServer whose map file lists the formats: its exceptions of version 1.0.0 have no code.
    @Test(arguments: [nil, .invalidFormat] as [ServiceException.Code?])
    func `a format that version 1.0.0 refuses by its name is asked for by its media type`(
        code: ServiceException.Code?
    ) throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        let request = GetMapRequest(
            version: .v1_0_0, baseURL: "http://h/wms", layers: ["a"], crs: .webMercator, extent: extent, width: 1,
            height: 1, format: "PNG")
        let source = WMSSource(request: request), view = try View.make(width: 1800, height: 50)
        func formats(_ plan: LayerPlan) -> [String] {
            plan.resources.flatMap { $0.location.description.split(separator: "&") }
                .filter { $0.hasPrefix("FORMAT=") }.map { String($0.dropFirst(7)) }
        }
        var arrivals = Arrivals()
        var plan = try source.planned(view)
        #expect(formats(plan) == ["PNG"])
        arrivals[plan.resources[0].id] = .failure(
            ResourceError(.exception, status: 200, exceptionCode: code, place: "h", message: "no such format"))
        plan = try source.planned(view, given: arrivals)
        #expect(formats(plan) == ["PNG", "image/png"] && plan.resources.last?.use == .probe)
        let probe = try #require(plan.resources.last).id
        arrivals[probe] = .image(try Self.image())
        plan = try source.planned(view, given: arrivals)
        #expect(formats(plan) == ["image/png"] && plan.resources.map(\.use) == [.shown])
        #expect(plan.warnings.map(\.message) == ["the format is named by its media type, since no such format"])
        // The next picture is asked for so at once.
        let next = try source.planned(View.make(x: 9000, width: 1800, height: 50), traits: plan.foundTraits)
        #expect(formats(next) == ["image/png"])
        // A service that refuses both is asked as before.
        arrivals[probe] = .failure(Self.refused)
        #expect(formats(try source.planned(view, given: arrivals)).allSatisfy { $0 == "PNG" })
    }

    @Test func `an image that is empty all over is a warning`() throws {
        let source = try WMSPlannerTests.source(), view = try View.make()
        var arrivals = Arrivals()
        let id = try source.planned(view).resources[0].id
        arrivals[id] = .image(PixelBuffer(size: view.imageSize))
        #expect(try source.planned(view, given: arrivals).warnings.map(\.code) == [.blank])
        arrivals[id] = .image(try Self.image())
        #expect(try source.planned(view, given: arrivals).warnings.isEmpty)
    }
}

@Suite struct WMSSourceTests {
    @Test(arguments: [(nil, 4096), (100, 100), (0, 1), (-3, 1), (Int.max, Int.max)] as [(Int?, Int)])
    func `limits are at least a pixel, and 4096 where none is stated`(given: Int?, expected: Int) throws {
        let source = try WMSPlannerTests.source(maximum: given)
        #expect(source.maximumWidth == expected && source.maximumHeight == expected)
        #expect(source.crs == .webMercator)
    }
}
