import PortolanGeo
import PortolanTransit
import Testing

@Suite struct BusSuggestionTests {
    private func place(of name: String, in guide: BusGuide) throws -> Coordinate {
        try #require(guide.stops.first { $0.name == name }).place
    }

    private static let near = Walking(reach: 450)

    private func suggested(
        _ from: String, _ to: String, maximumTransfers: Int = 0
    ) throws -> [String] {
        let guide = try GuideSample.guide()
        return guide.suggestions(
            from: try place(of: from, in: guide), to: try place(of: to, in: guide), walking: Self.near,
            maximumTransfers: maximumTransfers
        ).map { $0.rides.map { guide.routes[$0.line].id }.joined(separator: " ") }
    }

    @Test func `only routes in the right direction are suggested`() throws {
        #expect(try suggested("La Colina", "Las Cúpulas") == ["A1"])
        #expect(try suggested("Las Cúpulas", "La Colina") == ["A2"])
        #expect(try suggested("Mirador", "Las Peñas") == ["B1"])
    }

    @Test func `the bus with the shortest total of walks and ride is suggested first`() throws {
        #expect(try suggested("Ñañaro", "Valle Hondo") == ["X", "A1"])
        let guide = try GuideSample.guide()
        let all = guide.suggestions(
            from: try place(of: "Ñañaro", in: guide), to: try place(of: "Valle Hondo", in: guide), walking: Self.near)
        #expect(all.map(\.seconds) == all.map(\.seconds).sorted())
        let first = try #require(all.first)
        #expect(first.legs.count == 1)
        #expect(abs(first.seconds - 24 * 60) <= 5)
        #expect(RideGuide.Words.spanish.text(first) == "Exprés X Valle Hondo, 4 paradas")
    }

    @Test func `nothing is suggested if no stop is near or no bus goes there`() throws {
        let guide = try GuideSample.guide()
        let far = Coordinate(x: -79, y: 0)
        let near = try place(of: "Mirador", in: guide)
        #expect(guide.suggestions(from: far, to: near).isEmpty)
        #expect(guide.suggestions(from: near, to: far).isEmpty)
        #expect(try suggested("Mirador", "Valle Hondo").isEmpty)
        #expect(guide.suggestions(from: near, to: near).isEmpty)
        let loop = try place(of: "Teatro", in: guide)
        #expect(guide.suggestions(from: loop, to: loop, walking: Self.near).isEmpty)
    }

    @Test func `a change allows a journey that no single bus makes`() throws {
        #expect(try suggested("Mirador", "Valle Hondo", maximumTransfers: 1).contains("B1 A1"))
    }

    @Test func `a ride on a loop can pass its end, but not go round more than once`() throws {
        #expect(try suggested("Teatro", "Hospital") == ["C"])
        let guide = try GuideSample.guide()
        let found = guide.suggestions(
            from: try place(of: "La Cima", in: guide), to: try place(of: "Universidad", in: guide), walking: Self.near)
        let ride = try #require(found.first?.rides.first)
        #expect(guide.routes[ride.line].id == "C")
        #expect(ride.stopCount == 3)
        #expect(ride.seconds < 15 * 60)
    }

    /// Every pair of stops of every route, with lengths on the ellipsoid and times that are not rounded.
    @Test(arguments: 0..<30)
    func `the best pair of stops equals that of an exhaustive search`(seed: Int) throws {
        let guide = try GuideSample.guide()
        let a = guide.stops[seed % 30].place, b = guide.stops[(seed * 7 + 3) % 30].place
        let from = Geodesic.place(from: a, bearing: Double(seed * 37), meters: 200)
        let to = Geodesic.place(from: b, bearing: Double(seed * 53), meters: 250)
        var expected: [String: Double] = [:]
        for route in guide.routes where !route.isLoop {
            for (board, first) in route.stops.enumerated() {
                for (alight, last) in route.stops.enumerated() where alight > board {
                    let one = Geodesic.line(from: from, to: guide.stops[first].place).meters
                    let two = Geodesic.line(from: to, to: guide.stops[last].place).meters
                    guard one <= 1100, two <= 1100 else { continue }
                    let pace = (route.minutes ?? 0) * 60 / route.length
                    let seconds = (one + two) * 1.3 / 1.2 + (route.measures[alight] - route.measures[board]) * pace
                    expected[route.id] = min(expected[route.id] ?? .infinity, seconds)
                }
            }
        }
        let found = guide.suggestions(from: from, to: to, walking: Walking(reach: 1100)).compactMap { suggestion in
            suggestion.rides.first.map { (guide.routes[$0.line], suggestion.seconds) }
        }.filter { !$0.0.isLoop }
        let walk = Geodesic.line(from: from, to: to).meters * 1.3 / 1.2
        #expect(Set(found.map(\.0.id)) == Set(expected.filter { $0.value < walk }.keys))
        // Each of up to a dozen times is rounded to seconds.
        for (route, seconds) in found { #expect(abs(Double(seconds) - (expected[route.id] ?? 0)) < 8) }
    }
}
