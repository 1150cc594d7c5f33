/// How a name that does not fit in its area lies on that and on other areas, and whether it would mislead there.
struct AreaFootprint {
    /// How a name lies on one area.
    struct Ground {
        let feature: Int32
        /// The share of the name that is on the area, from 0 to 1.
        var share = 0.0
        /// The share of the width of the name that has the area near it.
        var near = 0.0
        /// The share of the area's visible shape that the name covers.
        var coverage = 0.0
        /// The visible size of the area, in cells.
        var size = 0.0
        /// Whether the area has its name already, and whether that is beside it.
        var isNamed = false, isNamedBeside = false
    }

    /// A leader line to a name.
    struct Lead {
        /// The length outside of the own area, and that on other areas except the one on which the name stands, in
        /// multiples of the letter size.
        var length = 0.0, foreign = 0.0
        /// The number of these other areas, and of those without a name in the picture.
        var crossed = 0, unnamed = 0
    }

    /// The own area of the name.
    private(set) var own: Ground
    /// The other areas.
    private(set) var others: [Ground] = []

    /// The largest share of a line of the name on another area behind which the line goes on.
    var crossed = 0.0

    init(_ feature: Int32) { own = Ground(feature: feature) }

    init(own: Ground, others: [Ground], crossed: Double = 0) {
        (self.own, self.others, self.crossed) = (own, others, crossed)
    }

    /// Counts a cell of the name on the area of a feature.
    mutating func noteCell(_ feature: Int32) { change(feature) { $0.share += 1 } }

    /// Counts a column of the name with the area of a feature near it.
    mutating func noteColumn(_ feature: Int32) { change(feature) { $0.near += 1 } }

    /// Converts counts to shares.
    mutating func finish(cells: Int, columns: Int, named: Set<Int32>, beside: Set<Int32> = [], size: (Int32) -> Int) {
        func finished(_ ground: Ground) -> Ground {
            var ground = ground
            ground.size = Double(size(ground.feature))
            ground.coverage = min(ground.share / Double(max(size(ground.feature), 1)), 1)
            ground.share /= Double(max(cells, 1))
            ground.near /= Double(max(columns, 1))
            ground.isNamed = named.contains(ground.feature)
            ground.isNamedBeside = beside.contains(ground.feature)
            return ground
        }
        own = finished(own)
        others = others.map(finished)
    }

    private mutating func change(_ feature: Int32, _ body: (inout Ground) -> Void) {
        if feature == own.feature { return body(&own) }
        if let index = others.firstIndex(where: { $0.feature == feature }) { return body(&others[index]) }
        others.append(Ground(feature: feature))
        body(&others[others.count - 1])
    }

    /// The share of the name that is on other areas.
    private var foreign: Double { others.reduce(0) { $0 + $1.share } }

    /// Whether most of the name is on its area.
    var isDistinct: Bool { own.share >= 0.75 }

    /// The smallest share of a name across a border that is on its own area, of which the picture shows all or a part, and
    /// the largest share on others.
    private static let ownShare = (whole: 0.3, cut: 0.5), foreignShare = (whole: 0.36, cut: 0.05)
    /// The largest share of a name across a border on another area behind which it goes on.
    private static let crossedShare = 0.1
    /// The share of its own area above which a name hides it, and that above which it is on it although it is much larger.
    private static let hidingCoverage = 0.5, fullCoverage = 0.6
    /// The largest share of another area that a name covers, and that of one on which it stands at the end of a leader.
    private static let coverageLimit = 0.3, ledCoverageLimit = 0.18
    /// The size of another area that a name may cover, relative to its own area.
    private static let smallShare = 0.25
    /// The largest share of a name beside its area that is on it.
    private static let besideShare = 0.1
    /// The largest lengths of a leader outside of its area and on other areas, in multiples of the letter size, and the
    /// largest number of these.
    private static let leadLimits = (length: 3.2, foreign: 1.5, crossed: 1)

    /// Returns the cost of a name across the border of its area, or `nil` if it would be taken for that of another area.
    ///
    /// - Parameter isCut: whether the border of the picture cuts the area, so that its name stands on it or on none.
    func costAcross(isCut: Bool) -> Double? {
        let isOn = own.share > 0 && own.coverage >= Self.fullCoverage
        guard own.share >= (isCut ? Self.ownShare.cut : Self.ownShare.whole) || (!isCut && isOn),
            foreign <= (isCut ? Self.foreignShare.cut : Self.foreignShare.whole), crossed <= Self.crossedShare
        else { return nil }
        for other in others {
            let most = own.share * (other.isNamed ? 1 : 0.5)
            // Much smaller ones, which hardly can have names, do not hinder it.
            let isSmall = other.size < Self.smallShare * own.size
            guard isSmall || other.coverage <= Self.coverageLimit, other.share <= most else { return nil }
            // A name that is mostly beside its area is near no other one.
            guard own.share >= 0.5 || other.near <= own.near else { return nil }
        }
        let unnamed = others.reduce(0) { $0 + ($1.isNamed ? 0 : $1.share) }
        return 6 * (foreign + unnamed) + 4 * max(0, own.coverage - Self.hidingCoverage)
    }

    /// Returns the cost of a name beside its area without a leader, or `nil` if it would be taken for that of another
    /// area or is not beside its own.
    ///
    /// - Parameter room: the size of the area, in multiples of that of the name: large ones have their names on them.
    func costBeside(room: Double) -> Double? {
        guard own.near > 0, own.share <= Self.besideShare, foreign == 0 else { return nil }
        let nearest = others.lazy.map(\.near).max() ?? 0
        return nearest <= own.near / 2 ? 0.6 + 2 * nearest + min(max(0, room - 1), 2) : nil
    }

    /// Returns the cost of a name at the end of a leader, or `nil` if it would mislead.
    ///
    /// - Parameter isCut: whether the border of the picture cuts the area, so that its name stands on no other one.
    func cost(_ lead: Lead, isCut: Bool) -> Double? {
        let limits = Self.leadLimits
        let under = others.filter { $0.share > 0 }
        guard own.share <= Self.besideShare, lead.length <= limits.length,
            lead.foreign <= limits.foreign, lead.crossed <= limits.crossed, lead.unnamed == 0
        else { return nil }
        // A name on the border of two areas belongs to neither.
        guard under.count <= 1 else { return nil }
        // On another area, it must be clear from where the leader comes.
        guard under.isEmpty || (!isCut && lead.crossed == 0) else { return nil }
        for other in others where other.share > 0 || !other.isNamed {
            // The only name on an area is taken for that of the area.
            guard other.isNamed, !other.isNamedBeside || other.share == 0, other.coverage <= Self.ledCoverageLimit
            else { return nil }
        }
        let nearness = others.reduce(0) { $0 + $1.near }
        return 1.2 + 0.3 * lead.length + lead.foreign + (under.isEmpty ? 0.3 * nearness : 1.5)
    }
}
