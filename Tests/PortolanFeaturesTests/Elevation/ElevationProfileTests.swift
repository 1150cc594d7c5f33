import PortolanFeatures
import PortolanGeo
import Testing

@Suite struct ElevationProfileTests {
    /// A line on the equator with a point each 0.001 degrees, which is 111.3195 m.
    private static func profile(_ altitudes: [Double?], parts: [Int] = []) -> ElevationProfile? {
        let places = altitudes.indices.map { Coordinate(x: Double($0) * 0.001, y: 0) }
        return ElevationProfile(
            Geometry(
                kind: parts.isEmpty ? .lineString : .multiLineString, coordinates: places, partEnds: parts,
                altitudes: altitudes))
    }

    @Test func `distances are geodesics, and points without an elevation make gaps`() throws {
        let profile = try #require(Self.profile([100, 110, nil, nil, 130, 120]))
        #expect(profile.runs == [0..<2, 2..<4])
        // By geod of PROJ 9.1: 556.597 m for 0.005 degrees.
        #expect(abs(profile.length - 556.597) < 0.01)
        #expect(abs(profile.samples[2].distance - 4 * 111.3195) < 0.01)
        #expect(profile.altitude(at: 111.3195 / 2).map { abs($0 - 105) < 0.01 } == true)
        #expect(profile.altitude(at: 250) == nil && profile.slope(at: 250, over: 100) == nil)
        #expect(profile.altitude(at: -1) == nil && profile.altitude(at: 600) == nil)
        #expect(profile.range == 100...130)
    }

    @Test func `the breaks between the parts of a line have no length and no slope`() throws {
        let profile = try #require(Self.profile([100, 110, 500, 510], parts: [2, 4]))
        #expect(profile.runs == [0..<2, 2..<4])
        #expect(abs(profile.length - 2 * 111.3195) < 0.01)
        #expect(profile.ascent == 410)
    }

    /// Ascents and descents counted by hand.
    @Test(arguments: [
        ([0.0, 10, 0, 10], 3.0, 20.0, 10.0), ([0, 1, 2, 3, 4, 5], 3, 5, 0), ([5, 4, 3, 2, 1, 0], 3, 0, 5),
        ([0, 2, 0, 2, 0], 3, 0, 0), ([0, 2, 0, 2, 0], 0, 4, 4), ([0, 10, 8, 20], 3, 20, 0),
        ([0, 10, 7, 20], 3, 23, 3), ([100, 100, 100], 3, 0, 0), ([0, 6, 4, 6, 4, 10, 7], 3, 10, 3),
        ([-5, 5, -5], 3, 10, 10),
    ])
    func `climbs count from their low to their high, without noise below the threshold`(
        _ altitudes: [Double], _ threshold: Double, _ up: Double, _ down: Double
    ) throws {
        let profile = try #require(Self.profile(altitudes)?.counting(climbsFrom: threshold))
        #expect(profile.ascent == up && profile.descent == down, "\(profile.ascent) up, \(profile.descent) down")
    }

    @Test func `the ascent less the descent is the difference of the ends`() throws {
        var altitudes: [Double] = [], seed: UInt64 = 7
        for index in 0..<500 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            altitudes.append(Double(index % 83) * 4 + Double(seed >> 56) / 100)
        }
        let profile = try #require(Self.profile(altitudes)?.counting(climbsFrom: 0))
        #expect(abs(profile.ascent - profile.descent - (altitudes[499] - altitudes[0])) < 1e-6)
    }

    @Test func `smoothing keeps a constant slope and removes noise`() throws {
        let ramp = try #require(Self.profile((0..<40).map { Double($0) * 5 }))
        let smooth = ramp.smoothed(over: 600)
        #expect(zip(ramp.samples, smooth.samples).allSatisfy { abs($0.altitude - $1.altitude) < 1e-6 })
        #expect(ramp.slope(at: 1000, over: 100).map { abs($0 - 5 / 111.3195) < 1e-5 } == true)
        let noise = try #require(Self.profile((0..<40).map { $0 % 2 == 0 ? 4.0 : -4 }))
        #expect(noise.ascent > 100 && noise.smoothed(over: 600).ascent < 8)
    }

    @Test func `a line needs two elevations`() {
        #expect(Self.profile([nil, 1, nil]) == nil)
        #expect(Self.profile([nil, .nan, 1]) == nil)
        #expect(ElevationProfile(Geometry.lineString([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0)])) == nil)
        #expect(ElevationProfile(Geometry.point(Coordinate(x: 0, y: 0), altitude: 3)) == nil)
    }

    @Test(arguments: [(-0.2, 0), (-0.05, 1), (0.0, 2), (0.03, 3), (0.07, 4), (0.1, 5), (0.12, 6), (3, 6)])
    func `each slope has a class`(_ slope: Double, _ number: Int) {
        #expect(SlopeClasses.standard.number(of: slope) == number)
    }

    @Test func `stretches of equal slope cover the profile without its gaps`() throws {
        // Level, then ten percent up, a gap, and twenty percent down.
        let altitudes =
            Array(repeating: 0.0 as Double?, count: 20) + (1...20).map { Double($0) * 11.132 } + [nil]
            + (0...20).map { 500 - Double($0) * 22.264 }
        let profile = try #require(Self.profile(altitudes))
        let stretches = SlopeClasses.standard.stretches(of: profile)
        #expect(stretches.first?.number == 2 && stretches.last?.number == 0)
        #expect(stretches.contains { $0.number == 5 && $0.range.upperBound - $0.range.lowerBound > 1800 })
        let sum = stretches.reduce(0) { $0 + $1.range.upperBound - $1.range.lowerBound }
        #expect(abs(sum - (profile.length - 2 * 111.3195)) < 0.1)
        #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
    }
}
