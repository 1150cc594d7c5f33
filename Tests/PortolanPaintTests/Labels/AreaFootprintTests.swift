import PortolanRaster
import Testing

@testable import PortolanPaint

/// Where a name that does not fit in its area would be taken for that of another one.
@Suite struct AreaFootprintTests {
    /// A ground of a name: its share of the name, how much of the width is near it, how much of it is covered.
    private static func ground(
        _ share: Double, near: Double? = nil, covered: Double = 0.1, isNamed: Bool = true, _ feature: Int32 = 1
    ) -> AreaFootprint.Ground {
        AreaFootprint.Ground(
            feature: feature, share: share, near: near ?? share, coverage: covered, isNamed: isNamed)
    }

    private static func footprint(
        _ own: AreaFootprint.Ground, _ others: [AreaFootprint.Ground] = []
    ) -> AreaFootprint {
        AreaFootprint(own: own, others: others)
    }

    /// A footprint, whether the border of the picture cuts the area, and whether the name may stand there.
    private static let across: [(String, AreaFootprint, Bool, Bool)] = [
        ("half on the sea", footprint(ground(0.5)), false, true),
        ("an island under its name", footprint(ground(0.1, covered: 0.9)), false, true),
        ("hardly on its area", footprint(ground(0.2)), false, false),
        ("partly on a neighbour", footprint(ground(0.65), [ground(0.35)]), false, true),
        ("mostly on neighbours", footprint(ground(0.45), [ground(0.3), ground(0.25, 2)]), false, false),
        ("more on a neighbour than on its area", footprint(ground(0.3), [ground(0.35)]), false, false),
        ("on a neighbour without a name", footprint(ground(0.65), [ground(0.35, isNamed: false)]), false, false),
        ("over most of a small neighbour", footprint(ground(0.8), [ground(0.1, covered: 0.6)]), false, false),
        ("under another island", footprint(ground(0.35), [ground(0, near: 0.7)]), false, false),
        (
            "behind a neighbour",
            AreaFootprint(own: ground(0.5), others: [ground(0.3)], crossed: 0.3), false, false
        ),
        ("a cut area with the sea", footprint(ground(0.6)), true, true),
        ("a cut area with a neighbour", footprint(ground(0.8), [ground(0.2)]), true, false),
        ("a cut area mostly beside it", footprint(ground(0.4, covered: 0.9)), true, false),
    ]

    @Test(arguments: across)
    func `a name across a border is mostly on its area and hides no other`(
        _ name: String, _ footprint: AreaFootprint, _ isCut: Bool, _ isPlaced: Bool
    ) {
        #expect((footprint.costAcross(isCut: isCut) != nil) == isPlaced)
    }

    @Test func `a name may cover a neighbour that is much smaller than its area`() {
        for (size, isPlaced) in [(10.0, true), (50, false)] {
            var own = Self.ground(0.8), other = Self.ground(0.1, covered: 0.6)
            (own.size, other.size) = (100, size)
            #expect((Self.footprint(own, [other]).costAcross(isCut: false) != nil) == isPlaced)
        }
    }

    @Test func `a name with a leader is not the only one on another area`() {
        for isBeside in [false, true] {
            var other = Self.ground(1, covered: 0.05)
            other.isNamedBeside = isBeside
            let cost = Self.footprint(Self.ground(0), [other]).cost(AreaFootprint.Lead(length: 1), isCut: false)
            #expect((cost == nil) == isBeside)
        }
    }

    @Test func `a name that hides its area, or is on others, is worse`() throws {
        let best = try #require(Self.footprint(Self.ground(1)).costAcross(isCut: false))
        let hiding = try #require(Self.footprint(Self.ground(0.5, covered: 0.9)).costAcross(isCut: false))
        let foreign = try #require(
            Self.footprint(Self.ground(0.8), [Self.ground(0.2)]).costAcross(isCut: false))
        let unnamed = try #require(
            Self.footprint(Self.ground(0.8), [Self.ground(0.2, isNamed: false)]).costAcross(isCut: false))
        let beside = try #require(Self.footprint(Self.ground(0, near: 0.3)).costBeside(room: 0.5))
        let besideLarge = try #require(Self.footprint(Self.ground(0, near: 0.3)).costBeside(room: 3))
        #expect(best == 0 && beside < hiding && beside < foreign && foreign < unnamed)
        #expect(beside < besideLarge)
    }

    private static let beside: [(String, AreaFootprint, Bool)] = [
        ("in the sea", footprint(ground(0, near: 0.2)), true),
        ("too far away", footprint(ground(0)), false),
        ("partly on its area", footprint(ground(0.3)), false),
        ("partly on a neighbour", footprint(ground(0, near: 0.5), [ground(0.1)]), false),
        ("nearer to another island", footprint(ground(0, near: 0.2), [ground(0, near: 0.6)]), false),
    ]

    @Test(arguments: beside)
    func `a name beside its area is only near it`(_ name: String, _ footprint: AreaFootprint, _ isPlaced: Bool) {
        #expect((footprint.costBeside(room: 1) != nil) == isPlaced)
    }

    /// A footprint, the length of the leader, that on other areas, their number, whether the border of the picture cuts the
    /// area, and whether the name may stand there.
    private static let led: [(String, AreaFootprint, AreaFootprint.Lead, Bool, Bool)] = [
        ("in the sea", footprint(ground(0)), .init(length: 2), false, true),
        ("far away", footprint(ground(0)), .init(length: 5), false, false),
        ("behind a neighbour", footprint(ground(0)), .init(length: 3, foreign: 1, crossed: 1), false, true),
        (
            "behind one without a name", footprint(ground(0)), .init(length: 3, foreign: 1, crossed: 1, unnamed: 1),
            false, false
        ),
        ("behind a wide one", footprint(ground(0)), .init(length: 3, foreign: 2, crossed: 1), false, false),
        ("behind two", footprint(ground(0)), .init(length: 3, foreign: 1, crossed: 2), false, false),
        ("near a named area", footprint(ground(0), [ground(0, near: 0.5)]), .init(length: 1), false, true),
        (
            "near an unnamed one", footprint(ground(0), [ground(0, near: 0.5, isNamed: false)]), .init(length: 1),
            false,
            false
        ),
        ("on a large neighbour", footprint(ground(0), [ground(1)]), .init(length: 1), false, true),
        ("on a small one", footprint(ground(0), [ground(1, covered: 0.2)]), .init(length: 1), false, false),
        ("on one without a name", footprint(ground(0), [ground(1, isNamed: false)]), .init(length: 1), false, false),
        ("on two", footprint(ground(0), [ground(0.5), ground(0.5, 2)]), .init(length: 1), false, false),
        (
            "on one behind another", footprint(ground(0), [ground(1)]), .init(length: 2, foreign: 1, crossed: 1), false,
            false
        ),
        ("of a cut area, in the sea", footprint(ground(0)), .init(length: 2), true, true),
        ("of a cut area, on a neighbour", footprint(ground(0), [ground(1)]), .init(length: 1), true, false),
    ]

    @Test(arguments: led)
    func `a name at the end of a leader is near its area, and on none or a large one with a name`(
        _ name: String, _ footprint: AreaFootprint, _ lead: AreaFootprint.Lead, _ isCut: Bool, _ isPlaced: Bool
    ) {
        #expect((footprint.cost(lead, isCut: isCut) != nil) == isPlaced)
    }

    @Test func `a leader into the sea is better than one on another area`() throws {
        let sea = try #require(Self.footprint(Self.ground(0)).cost(.init(length: 2), isCut: false))
        let land = try #require(
            Self.footprint(Self.ground(0), [Self.ground(1)]).cost(.init(length: 1), isCut: false))
        #expect(sea < land)
    }
}
