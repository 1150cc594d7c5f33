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

    @Test func `a rejected image leads to one smaller probe, and then to pieces of its size`() throws {
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
        #expect(plan.warnings.map(\.message) == ["requested again in smaller pieces, because too large"])
        #expect(plan.foundTraits["http://h/wms"] == 1024)
        #expect(plan.seen.first?.size == view.imageSize)
    }

    @Test func `an image that is rejected at every size stays failed`() throws {
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
    func `a failure for another reason leads to no smaller request`(error: ResourceError) throws {
        let source = try WMSPlannerTests.source(), view = try View.make(width: 1800, height: 50)
        var arrivals = Arrivals()
        arrivals[try source.planned(view).resources[0].id] = .failure(error)
        #expect(try source.planned(view, given: arrivals).resources.map(\.use) == [.shown])
    }

    @Test(arguments: [nil, 4000])
    func `an image smaller than requested leads to pieces of its size`(stated: Int?) throws {
        let source = try WMSPlannerTests.source(maximum: stated), view = try View.make(width: 1800, height: 50)
        var arrivals = Arrivals()
        var plan = try source.planned(view)
        arrivals[plan.resources[0].id] = .image(try Self.image())
        arrivals.note(naturalSize: ImageSize(width: 1024, height: 50), of: plan.resources[0].id)
        plan = try source.planned(view, given: arrivals)
        #expect(try Self.widths(plan) == [664, 728, 664])
        #expect(plan.warnings.map(\.code) == [.sizeLimited])
        for resource in plan.resources {
            arrivals[resource.id] = .image(try Self.image())
            arrivals.note(naturalSize: resource.size, of: resource.id)
        }
        #expect(try Self.widths(source.planned(view, given: arrivals)) == [664, 728, 664])
        // The next picture is cut at once.
        let next = try source.planned(View.make(x: 9000, width: 1800, height: 50), traits: plan.foundTraits)
        #expect(try Self.widths(next) == [664, 728, 664])
        // Smaller pieces do not help with a service that draws all pictures at half the size.
        for resource in plan.resources {
            arrivals.note(naturalSize: ImageSize(width: 300, height: 25), of: resource.id)
        }
        #expect(try Self.widths(source.planned(view, given: arrivals)) == [1800])
    }

    @Test(arguments: [(1, 1), (100, 50), (1800, 50), (3600, 100)])
    func `an image of one pixel, of very few or of more than requested is shown as it is`(
        width: Int, height: Int
    ) throws {
        let source = try WMSPlannerTests.source(), view = try View.make(width: 1800, height: 50)
        var arrivals = Arrivals()
        let id = try source.planned(view).resources[0].id
        arrivals[id] = .image(try Self.image())
        arrivals.note(naturalSize: ImageSize(width: width, height: height), of: id)
        #expect(try Self.widths(source.planned(view, given: arrivals)) == [1800])
    }

    // MARK: Long addresses

    private static func source(layers: Int) throws -> WMSSource {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        return WMSSource(
            request: GetMapRequest(
                version: .v1_3_0, baseURL: "http://h/wms",
                layers: (0..<layers).map { "a_layer_with_a_name_of_34_letters_\($0)" }, crs: .webMercator,
                extent: extent,
                width: 1, height: 1))
    }

    private static func layerCounts(_ plan: LayerPlan) -> [Int] {
        plan.resources.map { resource in
            resource.location.description.split(separator: "&").first { $0.hasPrefix("LAYERS=") }?
                .split(separator: ",").count ?? 0
        }
    }

    /// The response of a service that limits the length of addresses.
    private static func answer(
        _ plan: LayerPlan, limit: Int, _ error: ResourceError, into arrivals: inout Arrivals
    ) throws {
        for resource in plan.resources {
            let isLong = resource.location.description.utf8.count > limit
            arrivals[resource.id] = isLong ? .failure(error) : .image(try image())
        }
    }

    @Test(arguments: [414, 431])
    func `a request rejected for the length of its URL is split by layers`(status: Int) throws {
        let source = try Self.source(layers: 80), view = try View.make()
        let error = ResourceError(.status, status: status, place: "h", message: "too long")
        var arrivals = Arrivals(), plan = try source.planned(view), rounds = 0
        while rounds < 10, plan.resources.contains(where: { !arrivals.hasArrived($0.id) }) {
            try Self.answer(plan, limit: 2048, error, into: &arrivals)
            plan = try source.planned(view, given: arrivals)
            rounds += 1
        }
        #expect(Self.layerCounts(plan) == [40, 40])
        #expect(rounds == 2)
        // The upper ones let the lower ones shine through.
        #expect(plan.resources[1].location.description.contains("TRANSPARENT=TRUE"))
        #expect(plan.warnings.map(\.message) == ["requested again with 40 layers per request, because too long"])
        let next = try source.planned(View.make(x: 9000), traits: plan.foundTraits)
        #expect(Self.layerCounts(next) == [40, 40])
        #expect(next.warnings.isEmpty)
    }

    @Test func `a service that rejects every length ends with one request`() throws {
        let source = try Self.source(layers: 80), view = try View.make()
        let error = ResourceError(.status, status: 414, place: "h", message: "too long")
        var arrivals = Arrivals(), plan = try source.planned(view)
        for _ in 0..<12 {
            try Self.answer(plan, limit: 0, error, into: &arrivals)
            plan = try source.planned(view, given: arrivals)
        }
        #expect(Self.layerCounts(plan) == [80])
        #expect(plan.warnings.isEmpty)
    }

    @Test(arguments: [
        ResourceError(.status, status: 400, place: "", message: ""), ResourceError(.connection, place: "", message: ""),
    ])
    func `a failure that may be due to the length is retried once with shorter URLs`(error: ResourceError) throws {
        let source = try Self.source(layers: 80), view = try View.make()
        var arrivals = Arrivals(), plan = try source.planned(view)
        try Self.answer(plan, limit: 2048, error, into: &arrivals)
        plan = try source.planned(view, given: arrivals)
        #expect(plan.resources.count > 1)
        #expect(plan.resources.allSatisfy { $0.location.description.utf8.count <= 2048 })
        try Self.answer(plan, limit: 0, error, into: &arrivals)
        #expect(Self.layerCounts(try source.planned(view, given: arrivals)) == [80])
        // A short address is not at fault.
        let short = try Self.source(layers: 3)
        plan = try short.planned(view)
        try Self.answer(plan, limit: 0, error, into: &arrivals)
        #expect(Self.layerCounts(try short.planned(view, given: arrivals)) == [3])
    }

    @Test func `a stated size limit is trusted`() throws {
        let source = try WMSPlannerTests.source(maximum: 4000), view = try View.make(width: 1800, height: 50)
        var arrivals = Arrivals()
        arrivals[try source.planned(view).resources[0].id] = .failure(Self.refused)
        #expect(try source.planned(view, given: arrivals).resources.count == 1)
    }

    /// As a MapServer whose map file lists the formats: its exceptions of version 1.0.0 have no code.
    @Test(arguments: [nil, .invalidFormat] as [ServiceException.Code?])
    func `a format that version 1_0_0 rejects by name is requested by its media type`(
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
        #expect(formats(plan) == ["PNG", "image/png"])
        #expect(plan.resources.last?.use == .probe)
        let probe = try #require(plan.resources.last).id
        arrivals[probe] = .image(try Self.image())
        plan = try source.planned(view, given: arrivals)
        #expect(formats(plan) == ["image/png"])
        #expect(plan.resources.map(\.use) == [.shown])
        #expect(plan.warnings.map(\.message) == ["requesting the format by its media type, because no such format"])
        // The next picture is asked for so at once.
        let next = try source.planned(View.make(x: 9000, width: 1800, height: 50), traits: plan.foundTraits)
        #expect(formats(next) == ["image/png"])
        // A service that refuses both is asked as before.
        arrivals[probe] = .failure(Self.refused)
        #expect(formats(try source.planned(view, given: arrivals)).allSatisfy { $0 == "PNG" })
    }

    @Test func `an entirely empty image is a warning`() throws {
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
    func `limits are at least one pixel, and 4096 if none is stated`(given: Int?, expected: Int) throws {
        let source = try WMSPlannerTests.source(maximum: given)
        #expect(source.maximumWidth == expected)
        #expect(source.maximumHeight == expected)
        #expect(source.crs == .webMercator)
    }
}

extension Arrivals {
    fileprivate func hasArrived(_ id: Resource.ID) -> Bool { failure(id) != nil || image(id) != nil }
}
