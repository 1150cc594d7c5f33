import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Services whose boxes overlook that version 1.3.0 has latitude first (pitfalls 11 and 12).
@Suite struct WMSAxisDoubtTests {
    static func capabilities(isFlipped: Bool, systems: [String], version: String = "1.3.0") -> String {
        let box = isFlipped ? "minx='-10' miny='35' maxx='5' maxy='45'" : "minx='35' miny='-10' maxx='45' maxy='5'"
        return """
            <WMS_Capabilities version="\(version)"><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>
            <Layer><Name>a</Name>\(systems.map { "<CRS>\($0)</CRS>" }.joined())
            <EX_GeographicBoundingBox><westBoundLongitude>-10</westBoundLongitude>
            <eastBoundLongitude>5</eastBoundLongitude><southBoundLatitude>35</southBoundLatitude>
            <northBoundLatitude>45</northBoundLatitude></EX_GeographicBoundingBox>
            <BoundingBox CRS="EPSG:4326" \(box)/></Layer></Capability></WMS_Capabilities>
            """
    }

    private func template(
        isFlipped: Bool, systems: [String], options: WMSOptions = WMSOptions(layers: ["a"]), mapCRS: CRS = .epsg4326
    ) throws -> WMSMapTemplate {
        let text = Self.capabilities(isFlipped: isFlipped, systems: systems)
        return try WMSNegotiation.template(
            for: options, of: WMSCapabilitiesReader.read(Array(text.utf8)), baseURL: "http://h/wms", mapCRS: mapCRS)
    }

    @Test func `the axis order of the advertised boxes is used if only it fits the layer's location`() throws {
        let odd = try template(isFlipped: true, systems: ["EPSG:4326"])
        #expect(odd.axisOrder == .xy)
        #expect(odd.isAxisOrderDoubtful)
        #expect(odd.warnings.contains { $0.description.contains("x first") })
        let extent = try #require(Extent(minX: -10, minY: 35, maxX: 5, maxY: 45))
        #expect(odd.request(extent: extent, width: 3, height: 2).url.contains("BBOX=-10,35,5,45&"))
        let plain = try template(isFlipped: false, systems: ["EPSG:4326"])
        #expect(plain.axisOrder == .auto)
        #expect(!plain.isAxisOrderDoubtful)
        #expect(plain.warnings.isEmpty)
        #expect(plain.request(extent: extent, width: 3, height: 2).url.contains("BBOX=35,-10,45,5&"))
    }

    @Test func `a CRS of certain axis order is preferred to one of doubtful order`() throws {
        let same = try template(isFlipped: true, systems: ["EPSG:4326", "CRS:84"])
        #expect(same.crsName == "CRS:84")
        #expect(!same.needsReprojection)
        #expect(!same.isAxisOrderDoubtful)
        let mercator = try template(isFlipped: true, systems: ["EPSG:4326", "CRS:84"], mapCRS: .webMercator)
        #expect(mercator.crsName == "CRS:84")
    }

    @Test(arguments: [WMSOptions.AxisOrderPolicy.xy, .yx]) func `an axis order set by the user is kept`(
        order: WMSOptions.AxisOrderPolicy
    ) throws {
        let template = try template(
            isFlipped: true, systems: ["EPSG:4326"], options: WMSOptions(layers: ["a"], axisOrder: order))
        #expect(template.axisOrder == order)
        #expect(!template.isAxisOrderDoubtful)
    }

    @Test func `version 1_1_1 has no axis order doubt, and a version switch is a warning`() throws {
        let template = try template(
            isFlipped: true, systems: ["EPSG:4326"], options: WMSOptions(layers: ["a"], version: .v1_1_1))
        #expect(!template.isAxisOrderDoubtful)
        #expect(template.axisOrder == .auto)
        #expect(template.warnings.contains { $0.description.contains("using version 1.1.1") })
    }
}

/// Services that cover less in one system than in another.
@Suite struct CRSCoverageTests {
    /// A service of all Europe that gives a box of Spain in Spain's own system.
    static func capabilities(box: String) -> String {
        """
        <WMS_Capabilities version="1.3.0"><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>
        <Layer><Name>a</Name><CRS>EPSG:3857</CRS><CRS>EPSG:25830</CRS><EX_GeographicBoundingBox>
        <westBoundLongitude>-30</westBoundLongitude><eastBoundLongitude>40</eastBoundLongitude>
        <southBoundLatitude>30</southBoundLatitude><northBoundLatitude>72</northBoundLatitude>
        </EX_GeographicBoundingBox>\(box)</Layer></Capability></WMS_Capabilities>
        """
    }

    @Test(
        arguments: [
            // All Europe; Iberia; Madrid.
            ((2_500_000, 1_500_000, 6_500_000, 5_500_000), "EPSG:3857"),
            ((2_600_000, 1_500_000, 4_000_000, 2_700_000), "EPSG:3857"),
            ((3_100_000, 1_900_000, 3_300_000, 2_100_000), "EPSG:25830"),
        ] as [((Double, Double, Double, Double), String)])
    func `the chosen CRS covers the view`(place: (Double, Double, Double, Double), wanted: String) throws {
        let text = Self.capabilities(
            box: "<BoundingBox CRS='EPSG:25830' minx='-100000' miny='3900000' maxx='1100000' maxy='4900000'/>"
                + "<BoundingBox CRS='EPSG:3857' minx='-3339584' miny='3503549' maxx='4452779' maxy='11753184'/>")
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["a"]), of: WMSCapabilitiesReader.read(Array(text.utf8)), baseURL: "http://h/wms",
            mapCRS: CRS("EPSG:3035"), around: Extent(minX: place.0, minY: place.1, maxX: place.2, maxY: place.3))
        #expect(template.crsName == wanted)
    }

    @Test(
        arguments: [
            // All Europe; Iberia with a little sea; Madrid. Without a matching box, the map's CRS is kept.
            ((-800_000, 3_400_000, 3_000_000, 7_500_000), false, "EPSG:3857"),
            ((-150_000, 3_950_000, 1_050_000, 4_850_000), false, "EPSG:25830"),
            ((400_000, 4_400_000, 500_000, 4_500_000), false, "EPSG:25830"),
            ((-800_000, 3_400_000, 3_000_000, 7_500_000), true, "EPSG:25830"),
        ] as [((Double, Double, Double, Double), Bool, String)])
    func `another CRS is chosen if the box of the map's CRS misses much of the view`(
        place: (Double, Double, Double, Double), isAlone: Bool, wanted: String
    ) throws {
        var text = Self.capabilities(
            box: "<BoundingBox CRS='EPSG:25830' minx='-100000' miny='3900000' maxx='1100000' maxy='4900000'/>"
                + "<BoundingBox CRS='EPSG:3857' minx='-3339584' miny='3503549' maxx='4452779' maxy='11753184'/>")
        if isAlone { text = text.replacing("<CRS>EPSG:3857</CRS>", with: "") }
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["a"]), of: WMSCapabilitiesReader.read(Array(text.utf8)), baseURL: "http://h/wms",
            mapCRS: CRS("EPSG:25830"), around: Extent(minX: place.0, minY: place.1, maxX: place.2, maxY: place.3))
        #expect(template.crsName == wanted)
    }

    @Test func `a view larger than the world does not exclude a worldwide CRS`() throws {
        let text = """
            <WMS_Capabilities version="1.3.0"><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>
            <Layer><Name>a</Name><CRS>EPSG:4326</CRS><CRS>EPSG:3857</CRS><EX_GeographicBoundingBox>
            <westBoundLongitude>-180</westBoundLongitude><eastBoundLongitude>180</eastBoundLongitude>
            <southBoundLatitude>-90</southBoundLatitude><northBoundLatitude>90</northBoundLatitude>
            </EX_GeographicBoundingBox><BoundingBox CRS='EPSG:4326' minx='-90' miny='-180' maxx='90' maxy='180'/>
            <BoundingBox CRS='EPSG:3857' minx='-20037508' miny='-20037508' maxx='20037508' maxy='20037508'/>
            </Layer></Capability></WMS_Capabilities>
            """
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["a"]), of: WMSCapabilitiesReader.read(Array(text.utf8)), baseURL: "http://h/wms",
            mapCRS: .webMercator, around: Extent(minX: -8e7, minY: -6e7, maxX: 8e7, maxY: 6e7))
        #expect(template.crsName == "EPSG:3857")
    }

    @Test func `a CRS without a box counts as covering the view`() throws {
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["a"]), of: WMSCapabilitiesReader.read(Array(Self.capabilities(box: "").utf8)),
            baseURL: "http://h/wms", mapCRS: CRS("EPSG:3035"),
            around: Extent(minX: 2_600_000, minY: 1_500_000, maxX: 4_000_000, maxY: 2_700_000))
        #expect(template.crsName == "EPSG:25830")
    }
}

@Suite struct WarpCostTests {
    private func square(_ x: Double, _ y: Double, _ side: Double) throws -> Extent {
        try #require(Extent(center: Coordinate(x: x, y: y), width: side, height: side))
    }

    /// A degree of longitude is as many times shorter than one of latitude as the cosine of the latitude says.
    @Test(arguments: [(0, 1), (45, 2.0.squareRoot()), (60, 2), (80, 5.758770483143634)] as [(Double, Double)])
    func `the warp cost of degrees on Web Mercator is the secant of the latitude`(latitude: Double, cost: Double) throws
    {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let middle = try #require(transform(Coordinate(x: 10, y: latitude)))
        let found = WarpCost.between(.epsg4326, and: .webMercator, in: try square(middle.x, middle.y, 100))
        #expect(try abs(#require(found) / cost - 1) < 1e-4)
    }

    @Test func `the warp cost is about 1 between conformal CRSs and 1 between equal ones`() throws {
        let spain = try square(-100_000, 5_000_000, 1000)
        let utm = try #require(WarpCost.between(CRS("EPSG:25830"), and: .webMercator, in: spain))
        #expect(utm >= 1)
        #expect(utm < 1.01)
        #expect(WarpCost.between(.epsg4326, and: .crs84, in: try square(0, 0, 1)) == 1)
    }

    @Test func `CRSs without a transformation have no warp cost`() throws {
        let unknown = try CRS("EPSG:27200")
        #expect(unknown.projection == nil)
        #expect(WarpCost.between(unknown, and: .webMercator, in: try square(0, 0, 1000)) == nil)
        #expect(WarpCost.between(.webMercator, and: .crs84, in: try square(0, 500, 1)) == nil)
    }
}
