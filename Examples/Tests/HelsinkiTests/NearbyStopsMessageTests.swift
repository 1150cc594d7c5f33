import Foundation
import Portolan
import PortolanTransit
import Testing

@testable import NearbyStops

@Suite struct NearbyStopsMessageTests {
    private static let now = Date(timeIntervalSince1970: 1_795_427_000)
    private static let center = Coordinate(longitude: -74.08, latitude: 4.6)

    private static func found(_ count: Int, skipped: Int = 0) -> NearbyStops {
        var stops = NearbyStops(
            (0..<count).map { NearbyStops.Stop(id: "\($0)", name: "Stop", place: center, meters: Double($0)) },
            within: 1000,
            distance: .straight, source: "a test")
        stops.skippedCount = skipped
        return stops
    }

    /// A model whose first question was answered.
    private static func model(_ result: Result<NearbyStops, StopFinderError>) throws -> NearbyStops.Model {
        var model = NearbyStops.Model()
        guard case .stops(let number, _, _) = try #require(model.take(.located(center), at: now).first) else {
            throw StopFinderError.invalidPlace
        }
        #expect(model.message() == nil)
        _ = model.take(.stops(number, result), at: now)
        return model
    }

    @Test func `no stops, unreadable stops and a failed request have different messages`() throws {
        let none = try Self.model(.success(Self.found(0)))
        #expect(none.message() == "There are no stops within 1000 m.")
        #expect(none.message(inSpanish: true) == "No hay paradas a menos de 1000 m.")
        #expect(try Self.model(.success(Self.found(0, skipped: 2))).message() == "The stops could not be read.")
        #expect(try Self.model(.success(Self.found(1))).message() == nil)
        let failed = try Self.model(.failure(.unknownStop("x")))
        #expect(failed.message() == "The stops could not be loaded. Try again.")
        #expect(failed.message(inSpanish: true) == "No se pudieron cargar las paradas. Inténtelo de nuevo.")
    }
}
