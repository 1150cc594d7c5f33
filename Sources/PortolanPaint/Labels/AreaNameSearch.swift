import PortolanRaster

/// The search for positions of a name that does not fit in its area and would not mislead.
struct AreaNameSearch {
    /// A variant of a name.
    struct Way {
        let label: SharedLabel
        let setting: LabelText
        /// Whether its letters are of the smallest size.
        let isSmall: Bool
        /// How much worse it is than the first one.
        let cost: Double
    }

    /// A position.
    struct Candidate {
        let way: Way
        let place: LabelPosition
        /// How much worse it is than one inside.
        let cost: Double
        /// Whether most of the name is on its area.
        var isDistinct = false
    }

    /// A point inside an area, and where a line from there leaves it.
    struct Exit {
        let number: Int
        let point: Point
        let direction: Point
        let distance: Double
    }

    let areas: LabelledAreas
    let feature: Int32
    let beyond: LabelSite.Beyond
    let halo: Double
    /// The request without positions.
    let request: LabelRequest
    /// Whether a box is inside the edge of the map's world.
    let isOnMap: (Rectangle) -> Bool

    /// The smallest visible part of an area that the border cuts, in multiples of the size of its name: for one near it and
    /// one with a leader.
    private static let leastCutSize = 1.0, leastLedSize = 2.0
    /// How much of a name may seem to be on other areas at a few points, if it is across the border of its own one or
    /// elsewhere.
    private static let sampledAcross = 0.54, sampledElsewhere = 0.14

    /// Returns the positions across the borders of the area and beside it.
    func near(_ ways: [Way], in placer: LabelPlacer) -> [Candidate] {
        var found: [Candidate] = []
        let size = areas.size(of: feature)
        let sides = beyond.points.map { point in
            [1.0, -1].map { side in
                areas.exit(
                    from: point, in: Point(x: side, y: 0), of: feature, limit: max(beyond.box.width, beyond.box.height))
            }
        }
        for way in ways {
            let setting = way.setting, room = size / (setting.paddedWidth * setting.paddedHeight)
            guard !beyond.isCut || room >= Self.leastCutSize else { continue }
            for middle in AreaNames.middles(of: setting, about: beyond.points) {
                let sample = areas.sample(setting.box(about: middle), of: feature)
                guard sample.own > 0, sample.foreign <= Self.sampledAcross,
                    let (place, footprint) = place(setting, at: middle, in: placer, isApart: false),
                    var own = footprint.costAcross(isCut: beyond.isCut)
                else { continue }
                if !place.candidate.boxes.allSatisfy(isOnMap) {
                    guard footprint.own.share >= AreaNames.edgeShare else { continue }
                    own += AreaNames.edgeCost
                }
                let distance = MeasuredLine.distance(middle, beyond.points[0]) / setting.size
                found.append(
                    Candidate(
                        way: way, place: place, cost: own + way.cost + AreaNames.distanceCost * distance,
                        isDistinct: footprint.isDistinct))
            }
            let beside = AreaNames.middles(of: setting, beside: beyond.box, at: beyond.points, exits: sides)
            for (number, middle) in beside.enumerated() {
                guard areas.sample(setting.box(about: middle), of: feature).foreign <= Self.sampledElsewhere,
                    let (place, footprint) = place(setting, at: middle, in: placer),
                    let own = footprint.costBeside(room: room)
                else { continue }
                let later = AreaNames.laterCost * Double(number) / Double(beside.count)
                found.append(Candidate(way: way, place: place, cost: own + way.cost + later))
            }
        }
        return found
    }

    private func place(
        _ setting: LabelText, at middle: Point, in placer: LabelPlacer, isApart: Bool = true
    ) -> (LabelPosition, AreaFootprint)? {
        let place = AreaPositions(text: setting, halo: halo).place(at: middle)
        var request = request
        // One above the other, names beside their areas would be confused.
        if isApart { request.padding = max(request.padding ?? 0, AreaNames.apart * setting.size) }
        guard placer.hasRoom(for: place.candidate, of: request) else { return nil }
        guard !isApart || place.candidate.boxes.allSatisfy(isOnMap) else { return nil }
        return (place, footprint(of: place, setting))
    }

    private func footprint(of place: LabelPosition, _ setting: LabelText) -> AreaFootprint {
        areas.footprint(of: place.candidate.boxes, of: feature, reach: AreaNames.reach * setting.size)
    }

    /// Returns where leaders may leave the area, except those that begin near others.
    func exits(among ways: [Way], besides starts: [Point]) -> [Exit] {
        let size = ways.lazy.map(\.setting.size).max() ?? 0, distance = AreaNames.leaderDistance * size
        var exits: [Exit] = []
        for (number, point) in beyond.points.enumerated()
        where areas.isVisible(point) && !starts.contains(where: { MeasuredLine.distance($0, point) < distance }) {
            for direction in AreaNames.directions {
                let limit = AreaNames.leaderLimit * size
                guard let exit = areas.exit(from: point, in: direction, of: feature, limit: limit) else { continue }
                exits.append(Exit(number: number, point: point, direction: direction, distance: exit))
            }
        }
        return exits
    }

    /// The box that stays free of texts around the dot of a leader.
    private func dot(at point: Point, _ setting: LabelText) -> Rectangle {
        let (across, down) = (AreaNames.dotSpace.across * setting.size, AreaNames.dotSpace.down * setting.size)
        return Rectangle(
            minX: point.x - across, minY: point.y - down, maxX: point.x + across, maxY: point.y + down)
    }

    /// Returns the positions at the ends of leaders.
    func led(_ ways: [Way], _ exits: [Exit], in placer: LabelPlacer) -> [Candidate] {
        var found: [Candidate] = []
        for way in ways {
            let setting = way.setting
            let least = Self.leastLedSize * setting.paddedWidth * setting.paddedHeight
            guard !beyond.isCut || areas.size(of: feature) >= least else { continue }
            for exit in exits {
                for distance in AreaNames.distances {
                    let length = exit.distance + distance * setting.size
                    guard length <= AreaNames.leaderLimit * setting.size else { break }
                    let middle = AreaNames.middle(of: setting, from: exit.point, in: exit.direction, at: length)
                    let sample = areas.sample(setting.box(about: middle), of: feature)
                    guard sample.unnamed + sample.own <= Self.sampledElsewhere, !sample.isMixed,
                        let (place, footprint) = place(setting, at: middle, in: placer)
                    else { continue }
                    for var led in place.led(from: exit.point) {
                        // A dot before or after the name of another area would be taken for the mark of that.
                        led.candidate.leader.append(dot(at: exit.point, setting))
                        guard let own = led.leader.flatMap({ cost(of: $0, to: footprint, setting) }) else { continue }
                        let other = exit.number == 0 ? 0 : AreaNames.otherPointCost
                        found.append(Candidate(way: way, place: led, cost: own + way.cost + other))
                    }
                }
            }
        }
        return found
    }

    private func cost(of leader: LabelLeader, to footprint: AreaFootprint, _ setting: LabelText) -> Double? {
        var crossed = areas.lengths(from: leader.start, to: leader.end)
        let own = crossed.removeValue(forKey: feature) ?? 0
        for other in footprint.others where other.share > 0 { crossed[other.feature] = nil }
        let length = MeasuredLine.distance(leader.start, leader.end) - own
        let foreign = crossed.values.sorted().reduce(0, +)
        let unnamed = crossed.keys.count { !areas.named.contains($0) }
        return footprint.cost(
            AreaFootprint.Lead(
                length: length / setting.size, foreign: foreign / setting.size, crossed: crossed.count, unnamed: unnamed
            ),
            isCut: beyond.isCut)
    }
}

extension LabelText {
    /// Returns the box of the text with its middle at a point.
    fileprivate func box(about middle: Point) -> Rectangle {
        Rectangle(
            minX: middle.x - paddedWidth / 2, minY: middle.y - paddedHeight / 2, maxX: middle.x + paddedWidth / 2,
            maxY: middle.y + paddedHeight / 2)
    }
}
