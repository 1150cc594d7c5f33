import Foundation
import PortolanFetch
import PortolanGeo
import PortolanRouting
import PortolanWeb
import Testing

@testable import PortolanTransit

@Suite struct NearbyStopsModelTests {
    private typealias Model = NearbyStops.Model
    private let now = Date(timeIntervalSince1970: 1_795_427_000)
    private let center = OpenTripPlannerAnswers.bogota
    private let outage = StopFinderError.service(
        .fetch(FetchError(.timedOut, url: "http://otp.example", detail: "the first byte")))

    private func place(_ meters: Double) -> Coordinate { Geodesic.place(from: center, bearing: 90, meters: meters) }

    private func stops(_ count: Int) -> NearbyStops {
        NearbyStops(
            (0..<count).map { NearbyStops.Stop(id: "\($0)", name: "Stop", place: center, meters: Double($0)) },
            within: 1000,
            distance: .straight, source: "a test")
    }

    /// A model that has asked once, and the number of its question.
    private func asked() throws -> (model: Model, number: Int) {
        var model = Model()
        let questions = model.take(.located(center), at: now)
        guard case .stops(let number, near: center, within: 1000) = try #require(questions.first) else {
            throw StopFinderError.invalidPlace
        }
        return (model, number)
    }

    @Test func `the map follows the position until it is moved, and again on request`() {
        var model = Model()
        #expect(model.isFollowing)
        #expect(model.center == nil)
        #expect(model.take(.located(center), at: now).count == 1)
        #expect(model.center == center)
        _ = model.take(.moved(place(5000)), at: now)
        #expect(!model.isFollowing)
        #expect(model.take(.located(place(50)), at: now).isEmpty)
        #expect(model.center == place(5000))
        #expect(model.take(.following(true), at: now).count == 1)
        #expect(model.center == place(50))
        _ = model.take(.following(false), at: now)
        _ = model.take(.located(place(300)), at: now)
        #expect(model.center == place(50))
    }

    @Test func `arrivals that failed to load are not shown as an empty list`() throws {
        var (model, number) = try asked()
        _ = model.take(.stops(number, .success(stops(1))), at: now)
        let questions = model.take(.chosen("0"), at: now)
        guard case .arrivals(let question, _, _, _)? = questions.first else { return #expect(Bool(false)) }
        _ = model.take(.arrivals(question, .failure(outage)), at: now)
        #expect(model.detail?.arrivals == nil)
        #expect(model.detail?.error == outage)
    }

    @Test func `stops are requested only after the centre has moved far enough`() throws {
        var (model, _) = try asked()
        #expect(model.take(.located(place(199)), at: now).isEmpty)
        #expect(model.take(.located(place(201)), at: now).count == 1)
        #expect(model.take(.located(place(10)), at: now).isEmpty)
    }

    @Test func `only the first response is awaited without stops`() throws {
        var (model, number) = try asked()
        #expect(model.awaitsFirstAnswer)
        _ = model.take(.stops(number, .success(stops(3))), at: now)
        #expect(!model.awaitsFirstAnswer)
        #expect(model.stops.count == 3)
        #expect(
            model.take(.moved(place(900)), at: now).count == 1 && !model.awaitsFirstAnswer && model.stops.count == 3)
    }

    @Test func `a failure is reported, ends the wait and keeps the previous stops`() throws {
        var (model, number) = try asked()
        _ = model.take(.stops(number, .failure(outage)), at: now)
        #expect(!model.awaitsFirstAnswer)
        #expect(model.error == outage)
        let questions = model.take(.retried, at: now)
        #expect(questions.count == 1)
        #expect(!model.awaitsFirstAnswer)
        guard case .stops(let second, _, _) = try #require(questions.first) else { return }
        _ = model.take(.stops(second, .success(stops(2))), at: now)
        #expect(model.error == nil)
        guard case .stops(let third, _, _) = try #require(model.take(.moved(place(900)), at: now).first) else { return }
        _ = model.take(.stops(third, .failure(outage)), at: now)
        #expect(model.stops.count == 2)
        #expect(model.error == outage)
        // The next position tries again, near as it is.
        #expect(model.take(.moved(place(901)), at: now).count == 1)
    }

    @Test func `an outdated response is ignored`() throws {
        var (model, number) = try asked()
        _ = model.take(.moved(place(2000)), at: now)
        let before = model
        _ = model.take(.stops(number, .success(stops(3))), at: now)
        _ = model.take(.stops(number, .failure(outage)), at: now)
        _ = model.take(.arrivals(number, .success([])), at: now)
        #expect(model == before)
    }

    @Test func `a cancelled request is not a failure`() throws {
        var (model, number) = try asked()
        _ = model.take(.stops(number, .failure(.service(.cancelled))), at: now)
        #expect(model.error == nil)
        #expect(!model.awaitsFirstAnswer)
        #expect(model.take(.located(center), at: now).count == 1)
    }

    @Test func `arrivals of the selected stop are requested periodically until it is closed`()
        throws
    {
        var (model, number) = try asked()
        #expect(model.take(.chosen("0"), at: now).isEmpty)
        #expect(model.detail == nil)
        _ = model.take(.stops(number, .success(stops(3))), at: now)
        let questions = model.take(.chosen("2"), at: now)
        guard case .arrivals(let first, at: "2", from: now, limit: 10) = try #require(questions.first) else {
            Issue.record("it asks for something else: \(questions)")
            return
        }
        #expect(model.detail?.stop.name == "Stop")
        #expect(model.detail?.arrivals == nil)
        // While a question is open, no other is asked.
        #expect(model.take(.passed, at: now + 31).isEmpty)
        _ = model.take(.arrivals(first, .success([NearbyStops.Arrival(line: "9", scheduled: now)])), at: now + 1)
        #expect(model.detail?.arrivals?.map(\.line) == ["9"])
        #expect(model.take(.passed, at: now + 29).isEmpty)
        guard case .arrivals(let again, _, _, _) = try #require(model.take(.passed, at: now + 31).first) else { return }
        _ = model.take(.arrivals(again, .failure(outage)), at: now + 32)
        #expect(model.detail?.error == outage)
        #expect(model.detail?.arrivals?.count == 1)
        #expect(model.take(.retried, at: now + 33).count == 1)
        _ = model.take(.closed, at: now + 34)
        #expect(model.detail == nil)
        #expect(model.take(.passed, at: now + 500).isEmpty)
    }

    @Test func `a stop finder answers the model's requests`() async throws {
        let finder = OpenTripPlanner1Stops(
            "http://otp.example/otp/routers/default",
            fetcher: OpenTripPlannerAnswers.fetcher(OpenTripPlannerAnswers.server1()))
        var model = Model()
        for question in model.take(.located(center), at: now) {
            _ = model.take(await question.answered(by: finder), at: now)
        }
        #expect(model.stops.first?.id == "1:7")
        for question in model.take(.chosen("1:7"), at: now) {
            _ = model.take(await question.answered(by: finder), at: now)
        }
        #expect(model.detail?.arrivals?.count == 3)
        #expect(model.detail?.error == nil)
    }
}
