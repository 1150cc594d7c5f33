import PortolanGeo
import PortolanServices
import Testing

@Suite struct TMSServiceSelectionTests {
    private let service: TMSService

    init() throws {
        guard case .service(let service) = try TMSReader.read(Fixture.bytes("mapproxy/tms-service.xml")) else {
            throw TMSReaderTests.NoMap()
        }
        self.service = service
    }

    @Test(arguments: [
        ("relief", "EPSG:3857", "relief/webmercator"), ("relief", "EPSG:4326", "relief/GLOBAL_GEODETIC"),
        ("relief", "EPSG:25830", "relief/es_utm30_nw"), ("relief/geodetic_nw", "EPSG:3857", "relief/geodetic_nw"),
        ("http://127.0.0.1:18081/tms/1.0.0/relief/webmercator", "EPSG:4326", "relief/webmercator"),
        ("Shaded relief (cached JPEG)", "EPSG:3857", "relief/webmercator"),
        ("Shaded relief (cached JPEG)", "CRS:84", "relief/GLOBAL_GEODETIC"),
    ])
    func `a TMS map is found by title, address or part of it, in the map's CRS`(
        name: String, crs: String, href: String
    ) throws {
        #expect(try service.map(named: name, mapCRS: CRS(crs)).href == "http://127.0.0.1:18081/tms/1.0.0/" + href)
    }

    @Test func `an unknown map is an error that lists the available maps`() throws {
        let error = #expect(throws: TMSError.self) { try service.map(named: nil, mapCRS: .webMercator) }
        #expect(error?.description.contains("/relief/webmercator") == true)
        #expect(throws: TMSError.self) { try service.map(named: "nope", mapCRS: .webMercator) }
        var single = service
        single.maps = Array(service.maps.prefix(4))
        #expect(try single.map(named: nil, mapCRS: .webMercator).crsName == "OSGEO:41001")
    }
}
