import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Shapes that documents of real services have: each was once refused or misread.
@Suite struct WMSRealShapesTests {
    private func read(_ file: String) throws -> WMSCapabilities {
        try WMSCapabilitiesReader.read(Fixture.bytes("documents/wms-\(file).xml"))
    }

    private func template(
        _ capabilities: WMSCapabilities, _ layer: String, extra: [GetMapRequest.Parameter] = []
    ) throws -> WMSMapTemplate {
        try WMSNegotiation.template(
            for: WMSOptions(layers: [layer], extraParameters: extra), of: capabilities,
            baseURL: "https://h.example/wms",
            mapCRS: .webMercator)
    }

    @Test func `a document that declares dozens of default values is read`() throws {
        let capabilities = try read("declared-1.1.1")
        #expect(capabilities.layerNames == ["ground"])
        // Foundation does not read the prefixes that the document type declares.
        #if Drivers
        #expect(capabilities.warnings == [])
        #endif
    }

    @Test func `a document of version 1_0_0 that declares its formats is read`() throws {
        let capabilities = try read("formats-1.0.0")
        #expect(capabilities.version == .v1_0_0)
        #expect(capabilities.getMap?.formats.map(\.verbatim) == ["PNG", "OWN"])
        #expect(try template(capabilities, "ground").format == "PNG")
    }

    @Test func `an Extent element without a Dimension element defines one`() throws {
        let capabilities = try read("extent-1.1.1")
        let time = try #require(capabilities.layer(named: "ozone")?.dimensions.first)
        #expect(time.name == "time")
        #expect(time.units == "ISO8601")
        #expect(time.defaultValue == "1992")
        #expect(time.values == "1990/1992/P1Y")
        #expect(capabilities.layer(named: "rain")?.dimensions.map(\.units) == ["EPSG:5030"])
    }

    @Test func `a dimension without a default is a warning with an example value`() throws {
        let capabilities = try read("extent-1.1.1")
        let rain = try template(capabilities, "rain").warnings
        #expect(
            rain.contains {
                $0.description.contains("'elevation' has no default") && $0.description.contains("ELEVATION=500")
            })
        let given = try template(capabilities, "rain", extra: [.init("elevation", "100")]).warnings
        #expect(!given.contains { $0.description.contains("elevation") })
        #expect(try !template(capabilities, "ozone").warnings.contains { $0.description.contains("default") })
    }

    @Test func `numbers with a decimal comma are read`() throws {
        let layer = try #require(read("numbers-1.3.0").layer(named: "ground"))
        #expect(layer.geographicBox == BoundingBox(minX: -9.5, minY: 35.25, maxX: 4.75, maxY: 44))
        #expect(
            layer.boundingBox(in: .webMercator)
                == BoundingBox(minX: -1000.5, minY: 4_000_000, maxX: 550_000, maxY: 5_500_000))
        #expect(layer.minScaleDenominator == 1000.5)
    }

    @Test func `a geographic box with east less than west crosses 180 degrees`() throws {
        let box = try read("numbers-1.3.0").layer(named: "strait")?.geographicBox
        #expect(box == BoundingBox(minX: 170, minY: 50, maxX: 190, maxY: 60))
    }

    @Test func `elements and attributes in a different case are read with a warning`() throws {
        let capabilities = try read("cases-1.3.0")
        let layer = try #require(capabilities.layer(named: "ground"))
        #expect(layer.crsNames == ["EPSG:4326"])
        #expect(layer.geographicBox == BoundingBox(minX: -10, minY: 35, maxX: 5, maxY: 44))
        #expect(layer.boundingBox(in: .epsg4326) == BoundingBox(minX: -10, minY: 35, maxX: 5, maxY: 44))
        #expect(capabilities.getMap?.getURL == "https://h.example/wms?")
        #expect(capabilities.warnings.contains { $0.description.contains("with different case") })
    }

    /// Versions before 1.3.0 have no CRS:84, and MapServer refuses it there.
    @Test(arguments: [("CRS:84", "CRS:84"), ("CRS:84</SRS><SRS>EPSG:4326", "EPSG:4326")])
    func `CRS:84 of an old version is requested only if no other CRS is offered`(listed: String, asked: String) throws {
        let text = String(decoding: try Fixture.bytes("documents/wms-declared-1.1.1.xml"), as: UTF8.self)
            .replacing("<SRS>EPSG:4326", with: "<SRS>" + listed)
        #expect(try template(WMSCapabilitiesReader.read(Array(text.utf8)), "ground").crsName == asked)
    }
}
