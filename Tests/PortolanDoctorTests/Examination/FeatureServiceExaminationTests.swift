import Foundation
import Portolan
import PortolanDoctor
import PortolanFetch
import PortolanGeo
import PortolanTesting
import Testing

@Suite struct FeatureServiceExaminationTests {
    /// How a service is wrong.
    enum Fault: String, Sendable {
        case none, boxAxes, boxes, pages, nextPage, header, otherSystem, count
    }

    private static let places: [(id: Int, x: Double, y: Double)] = (1...7).map { ($0, 20 + Double($0), 60.5) }
    private static let mercator = "http://www.opengis.net/def/crs/EPSG/0/3067"

    /// An OGC API with seven features in a row.
    private static func api(_ fault: Fault) -> StubTransport {
        let transform = try? CoordinateTransform(from: .crs84, to: CRS("EPSG:3067"))
        return StubTransport { request throws(FetchError) in
            let url = request.url
            func parameter(_ name: String) -> String? {
                URLComponents(string: url)?.queryItems?.first { $0.name == name }?.value
            }
            func json(_ text: String, _ headers: [HTTPHeader] = []) -> HTTPResponse {
                HTTPResponse(status: 200, headers: headers, body: Array(text.utf8), url: url)
            }
            if url.contains("/conformance") {
                return json(#"{"conformsTo":["http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core"]}"#)
            }
            if url.contains("/items") {
                var found = places
                if let box = parameter("bbox")?.split(separator: ",").compactMap({ Double($0) }), box.count == 4 {
                    let sides = fault == .boxAxes ? [box[1], box[0], box[3], box[2]] : box
                    found = found.filter { place in
                        (sides[0]...sides[2]).contains(place.x) && (sides[1]...sides[3]).contains(place.y)
                    }
                    if fault == .boxes { found = [] }
                }
                let limit = parameter("limit").flatMap { Int($0) } ?? 10
                let offset = parameter("offset").flatMap { Int($0) } ?? 0
                if offset > 0, fault == .nextPage { return HTTPResponse(status: 500, body: [], url: url) }
                let start = fault == .pages ? max(offset - 2, 0) : offset
                let page = found.dropFirst(start).prefix(fault == .count ? 100 : limit)
                var headers: [HTTPHeader] = [], isOther = false
                if let crs = parameter("crs") {
                    isOther = true
                    if fault != .header { headers = [HTTPHeader(name: "Content-Crs", value: "<\(crs)>")] }
                }
                let features = page.map { place in
                    var x = place.x, y = place.y
                    if isOther, let moved = transform?(Coordinate(x: x, y: y)) { (x, y) = (moved.x, moved.y) }
                    if isOther, fault == .otherSystem { x += 200_000 }
                    return
                        #"{"type":"Feature","id":\#(place.id),"properties":{},"geometry":{"type":"Point","coordinates":[\#(x),\#(y)]}}"#
                }
                return json(
                    #"{"type":"FeatureCollection","numberMatched":\#(found.count),"features":[\#(features.joined(separator: ","))]}"#,
                    headers)
            }
            if url.contains("/collections") {
                return json(
                    #"{"collections":[{"id":"row","extent":{"spatial":{"bbox":[[20,60,28,61]]}},"crs":["http://www.opengis.net/def/crs/OGC/1.3/CRS84","\#(mercator)"],"links":[{"rel":"items","href":"http://h/collections/row/items"}]}]}"#
                )
            }
            guard url == "http://h/" else { return HTTPResponse(status: 404, body: [], url: url) }
            return json(
                #"{"title":"Rows","links":[{"rel":"data","href":"http://h/collections"},{"rel":"conformance","href":"http://h/conformance"}]}"#
            )
        }
    }

    @Test(
        arguments: [
            (Fault.none, []), (.boxAxes, [.boxAxes]), (.boxes, [.boxMisses]), (.pages, [.pagesRepeat]),
            (.nextPage, [.pageRefused]), (.header, [.contentCRSMissing]), (.otherSystem, [.featuresElsewhere]),
            (.count, [.countIgnored]),
        ] as [(Fault, [Finding.Code])])
    func `each fault of a feature service is found, and nothing else`(fault: Fault, codes: [Finding.Code]) async throws
    {
        let transport = Self.api(fault)
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://h/")
        #expect(diagnosis.kind == .ogcAPI)
        #expect(diagnosis.title == "Rows")
        #expect(diagnosis.findings.map(\.code) == codes, "\(diagnosis.findings)")
        #expect(diagnosis.requestCount <= transport.requests.count)
    }

    @Test func `a Web Feature Service is examined from recorded responses`() async throws {
        let capabilities = try StubService.fixture("features/wfs-caps-2.0.0.xml")
        let first = try StubService.fixture("features/wfs-cities-2.0.0-page-1.gml")
        let second = try StubService.fixture("features/wfs-cities-2.0.0-page-2.gml")
        let transport = StubTransport { request throws(FetchError) in
            let isOffer = request.url.contains("GetCapabilities")
            let body = isOffer ? capabilities : request.url.contains("STARTINDEX=3") ? second : first
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
        var options = ServiceDoctor.Options(layers: ["ms:cities"])
        options.kind = .wfs
        let diagnosis = try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
            "http://maps.example/gml", options: options)
        #expect(diagnosis.kind == .wfs)
        #expect(diagnosis.versions == ["2.0.0"])
        #expect(
            !diagnosis.findings.contains { $0.severity == .fault && $0.code != .featuresElsewhere },
            "\(diagnosis.findings)")
        options.layers = ["none"]
        let missing = options
        await #expect(throws: MapError.self) {
            try await ServiceDoctor(configuration: StubService.configuration, transport: transport).examine(
                "http://maps.example/gml", options: missing)
        }
    }
}
