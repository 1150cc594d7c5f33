import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanFormats
import PortolanGeo
import PortolanServices
import PortolanText
import PortolanWeb
import Testing

@Suite struct MapErrorTests {
    struct Sentence: CustomTestStringConvertible, Sendable {
        let error: MapError
        let text: String
        var testDescription: String { text }
    }

    @Test(arguments: [
        Sentence(error: MapError(.busy, "it is in use"), text: "it is in use"),
        Sentence(
            error: MapError(
                .malformedDocument, "expected a number", place: .init(file: "roads.geojson", line: 12, column: 5)),
            text: "roads.geojson, line 12, column 5: expected a number"),
        Sentence(
            error: MapError(.malformedDocument, subject: "layer 'a'", "it ends", place: .init(file: "a.gpx", byte: 9)),
            text: "layer 'a', byte 9: it ends"),
        Sentence(
            error: MapError(.unknownName, "there is no layer 'raods'", remedy: "it has: roads", suggestions: ["roads"]),
            text: "there is no layer 'raods'; did you mean 'roads'? It has: roads"),
        Sentence(
            error: MapError(.timedOut, "no answer", remedy: "give it more time", place: .init(url: "http://h/")),
            text: "http://h/: no answer; give it more time"),
    ])
    func `the description is composed of the error's parts`(sentence: Sentence) {
        #expect(sentence.error.description == sentence.text)
    }

    struct Conversion: CustomTestStringConvertible, Sendable {
        let error: any Error
        let code: MapError.Code
        var testDescription: String { "\(error)" }
    }

    private static func fetch(_ code: FetchError.Code, status: Int? = nil) -> FetchError {
        FetchError(code, url: "http://h/", status: status, detail: "so it is")
    }

    @Test(arguments: [
        Conversion(error: fetch(.timedOut), code: .timedOut), Conversion(error: fetch(.tls), code: .tls),
        Conversion(error: fetch(.cannotResolveHost), code: .network),
        Conversion(error: fetch(.addressRefused), code: .notAllowed),
        Conversion(error: fetch(.needsTrait), code: .notBuiltIn), Conversion(error: fetch(.offline), code: .offline),
        Conversion(error: ServiceError(.status(503), url: "http://h/"), code: .httpStatus),
        Conversion(error: ServiceError(.fetch(fetch(.timedOut)), url: "http://h/"), code: .timedOut),
        Conversion(
            error: ServiceError(.wms(.layerNotFound("a", suggestion: nil, offers: [])), url: "http://h/"),
            code: .notOffered),
        Conversion(error: LayerError(.noFile, source: "a.gpx"), code: .notFound),
        Conversion(error: LayerError(.deadline(.seconds(5)), source: "http://h/"), code: .timedOut),
        Conversion(error: DocumentError(.notWritable, in: "a.json"), code: .unwritableFile),
        Conversion(error: CRSError.unknown("EPSG:1"), code: .unsupportedCRS),
        Conversion(error: CodecError(code: .notBuiltIn, format: "webp", detail: "no"), code: .notBuiltIn),
        Conversion(error: TextError.notBuiltIn, code: .notBuiltIn),
        Conversion(error: FeatureFileError(.memory, in: "KML", "no"), code: .tooLarge),
        Conversion(error: CancellationError(), code: .cancelled),
    ])
    func `each inner error is mapped to a code`(conversion: Conversion) {
        #expect(MapError(any: conversion.error).code == conversion.code)
    }

    @Test func `a service error exposes HTTP status, exception and underlying error`() throws {
        let fetch = MapError(ServiceError(.fetch(Self.fetch(.connectionLost, status: 502)), url: "http://h/"))
        #expect(fetch.httpStatus == 502)
        #expect((fetch.underlying as? FetchError)?.code == .connectionLost)
        let exception = ServiceException(shape: .owsExceptionReport, entries: [.init(code: nil, text: "no such box")])
        let refused = MapError(ServiceError(.exception(exception, status: 400), url: "http://h/"))
        #expect(refused.code == .serviceException)
        #expect(refused.serviceException == exception)
        #expect(refused.httpStatus == 400)
    }

    @Test func `no part of an error contains URL secrets`() {
        let url = "http://me:hidden@h/wms?api_key=hidden"
        for error in [
            MapError(ServiceError(.status(401), url: url)), MapError(FetchError(.timedOut, url: url, detail: "slow")),
            .layer(.deadline(.seconds(1)), source: url), .layer(.missingKey("layers", of: .layers), source: url),
            .timedOut(url, after: .seconds(1)),
        ] {
            #expect(!"\(error)".contains("hidden"))
            #expect(error.place?.url?.contains("hidden") == false)
        }
    }

    @Test func `custom error codes are distinguished`() {
        let code = MapError.Code(rawValue: "org.example.tide")
        #expect(MapError(code, "it is high").code != .failed)
        #expect("\(code)" == "org.example.tide")
    }
}
