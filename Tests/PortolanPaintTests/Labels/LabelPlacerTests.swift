import PortolanPaint
import PortolanRaster
import TestHelpers
import Testing

@Suite struct LabelPlacerTests {
    /// A label with its rank.
    private struct Ranked {
        let rank: LabelRank
        var request: LabelRequest
    }

    /// Which of the labels got a place, and which of its candidates.
    private struct Placed: Equatable {
        let request: Int
        let candidate: Int
    }

    /// The labels that get places, taken in the order of their ranks.
    private static func place(
        _ labels: [Ranked], _ spacing: Double = 2, around obstacles: [LabelObstacle] = []
    ) throws -> [Placed] {
        var placer = LabelPlacer(
            picture: try SampleScene.size(200, 100), spacing: spacing, duplicateDistance: 100, around: obstacles)
        let order = labels.indices.sorted { (labels[$0].rank, $0) < (labels[$1].rank, $1) }
        return order.compactMap { number in
            placer.place(labels[number].request).map { Placed(request: number, candidate: $0) }
        }
    }

    private static func box(_ x: Double, _ y: Double, _ width: Double = 20, _ height: Double = 10) -> Rectangle {
        Rectangle(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    private static func request(
        _ boxes: [Rectangle], rank: LabelRank = LabelRank(), text: String? = nil
    ) -> Ranked {
        Ranked(
            rank: rank, request: LabelRequest(text: text, candidates: boxes.map { LabelCandidate(boxes: [$0]) }))
    }

    @Test(arguments: [
        (box(32, 50), true), (box(31.9, 50), false), (box(10, 62), true), (box(10, 61.9), false), (box(10, 38), true),
        (box(10, 38.1), false), (box(-1, 20), false), (box(0, 0), true), (box(180, 90), true), (box(180.1, 90), false),
        (box(.nan, 0), false), (box(0, 0, .infinity, 5), false),
    ])
    func `a label is placed inside the picture, two pixels from the next`(box: Rectangle, isPlaced: Bool) throws {
        let first = Self.request([Self.box(10, 50)], rank: LabelRank(priority: 1))
        let placed = try Self.place([first, Self.request([box])])
        #expect(placed.map(\.request) == (isPlaced ? [0, 1] : [0]))
    }

    @Test func `a label that may be cut may leave the picture, and still avoids others`() throws {
        var cut = Self.request([Self.box(-10, 50)])
        #expect(try Self.place([cut]).isEmpty)
        cut.request.mayBeCut = true
        #expect(try Self.place([cut]).count == 1)
        let other = Self.request([Self.box(5, 50)], rank: LabelRank(priority: 1))
        #expect(try Self.place([cut, other]).map(\.request) == [1])
    }

    @Test func `the keys of a layer and then its tiles precede the order of features`() {
        func rank(layer: Int = 0, key: Double = 0, tile: Int = 0, order: Int = 0) -> LabelRank {
            var rank = LabelRank(layer: layer, order: order)
            (rank.key, rank.tile) = (key, tile)
            return rank
        }
        let ranks = [
            rank(layer: 1, key: 9), rank(key: -1, tile: 4), rank(tile: 1, order: 7), rank(tile: 2, order: 1),
            rank(tile: 2, order: 2),
        ]
        #expect(ranks.shuffled().sorted() == ranks)
    }

    /// A mark at a point that belongs to another label.
    private static func mark(_ x: Double, _ y: Double) -> LabelObstacle {
        LabelObstacle(
            box: Rectangle(minX: x - 4, minY: y - 4, maxX: x + 4, maxY: y + 4), place: Point(x: x, y: y), priority: 1)
    }

    @Test func `a text on the line of another one keeps more space than one above or below`() throws {
        let first = Self.request([Self.box(10, 50)], rank: LabelRank(priority: 1))
        var second = Self.request([Self.box(40, 50), Self.box(40, 58), Self.box(46, 50)])
        // Ten pixels between them read as a space, on another line they do not.
        second.request.markClearance = 5
        #expect(try Self.place([first, second])[1].candidate == 1)
        second.request.candidates.remove(at: 1)
        #expect(try Self.place([first, second])[1].candidate == 1)
        second.request.candidates.removeLast()
        // What has no other place takes it without a required space, and not with one.
        #expect(try Self.place([first, second]).count == 2)
        second.request.leastClearance = 4
        #expect(try Self.place([first, second]).count == 1)
    }

    /// The distance from the name before it on the line, whether another line is free, whether the gap is needed, and the
    /// candidate.
    private static let gaps: [(Double, Bool, Bool, Int?)] = [
        (12, true, false, 0), (12, false, false, 0), (8, true, false, 1), (8, false, false, 0), (8, true, true, 1),
        (8, false, true, nil),
    ]

    @Test(arguments: gaps)
    func `a name keeps a gap to another one on the same line, if it can or needs it`(
        _ distance: Double, _ hasOther: Bool, _ isNeeded: Bool, _ candidate: Int?
    ) throws {
        let first = Self.request([Self.box(10, 50)], rank: LabelRank(priority: 1))
        var second = Self.request(
            [Self.box(30 + distance, 50)] + (hasOther ? [Self.box(30 + distance, 58)] : []))
        (second.request.lineGap, second.request.needsLineGap) = (10, isNeeded)
        #expect(try Self.place([first, second]).dropFirst().first?.candidate == candidate)
    }

    @Test func `a leader crosses the fewest marks of its cluster`() throws {
        let own = Point(x: 40, y: 50)
        let marks = [Self.mark(40, 50), Self.mark(50, 50), Self.mark(60, 50), Self.mark(40, 60)]
        func candidate(_ box: Rectangle, leader: Rectangle) -> LabelCandidate {
            var candidate = LabelCandidate(boxes: [box], ownPlace: own)
            candidate.leader = [leader]
            return candidate
        }
        var label = Self.request([])
        label.request.candidates = [
            candidate(Self.box(80, 45), leader: Rectangle(minX: 44, minY: 49, maxX: 80, maxY: 51)),
            candidate(Self.box(30, 80), leader: Rectangle(minX: 39, minY: 54, maxX: 41, maxY: 80)),
        ]
        #expect(try Self.place([label], around: marks).isEmpty)
        label.request.cluster = Rectangle(minX: 30, minY: 40, maxX: 70, maxY: 70)
        #expect(try Self.place([label], around: marks).map(\.candidate) == [1])
        #expect(try Self.place([label], around: marks.dropLast(1) + [Self.mark(150, 20)]).map(\.candidate) == [1])
    }

    @Test func `a text with a leader keeps twice the space from other marks if it can`() throws {
        func candidate(_ y: Double) -> LabelCandidate {
            var candidate = LabelCandidate(boxes: [Self.box(30, y)], ownPlace: Point(x: 40, y: 90))
            candidate.leader = [Rectangle(minX: 39, minY: y + 10, maxX: 41, maxY: 84)]
            return candidate
        }
        var label = Self.request([])
        label.request.markClearance = 5
        label.request.candidates = [candidate(40), candidate(30)]
        // The other mark is 11 pixels beside the first candidate, on its line.
        let other = LabelObstacle(
            box: Rectangle(minX: 61, minY: 40, maxX: 69, maxY: 48), place: Point(x: 65, y: 44), priority: 1)
        #expect(try Self.place([label], around: [other]).map(\.candidate) == [0])
        let near = LabelObstacle(
            box: Rectangle(minX: 56, minY: 55, maxX: 64, maxY: 63), place: Point(x: 60, y: 59), priority: 1)
        #expect(try Self.place([label], around: [near]).map(\.candidate) == [1])
    }

    @Test func `the first free candidate is chosen`() throws {
        let taken = Self.request([Self.box(50, 50)], rank: LabelRank(priority: 1))
        let request = Self.request([Self.box(55, 55), Self.box(190, 0), Self.box(80, 50), Self.box(120, 50)])
        let placed = try Self.place([request, taken])
        #expect(placed == [Placed(request: 1, candidate: 0), Placed(request: 0, candidate: 2)])
    }

    @Test(arguments: [(0.0, 1.0, true), (1, 1, false), (2, 1, false), (-.infinity, 0, true), (.infinity, 1e300, false)])
    func `a label without a free position may cover only marks of a lower priority`(
        mark: Double, label: Double, isPlaced: Bool
    ) throws {
        var request = Self.request([Self.box(50, 50), Self.box(52, 50)])
        request.request.coveredPriority = label
        let obstacle = LabelObstacle(box: Self.box(48, 50, 8), priority: mark)
        #expect(try Self.place([request], around: [obstacle]).map(\.candidate) == (isPlaced ? [0] : []))
        // A free place comes first, however far down the list.
        request.request.candidates.append(LabelCandidate(boxes: [Self.box(120, 50)]))
        #expect(try Self.place([request], around: [obstacle]).map(\.candidate) == [2])
    }

    /// From the first to the last.
    static let ranks = [
        LabelRank(priority: .infinity, layer: 0, repetition: 9, order: 9),
        LabelRank(priority: 2, layer: 0, repetition: 5, order: 9),
        LabelRank(priority: 1, layer: 3, repetition: 0, order: 7),
        LabelRank(priority: 1, layer: 2, repetition: 0, order: 8),
        LabelRank(priority: 1, layer: 2, repetition: 1, order: 0),
        LabelRank(priority: .nan, layer: 1, repetition: 0, order: 0),
        LabelRank(priority: 0, layer: 1, repetition: 0, order: 1),
        LabelRank(priority: -1, layer: 9, repetition: 0, order: 0),
    ]

    @Test func `labels are ranked by priority, layer, repetition and order`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20 {
            let requests = Self.ranks.shuffled(using: &generator).map { rank in
                Self.request([Self.box(10, 10), Self.box(100, 10)], rank: rank)
            }
            let placed = try Self.place(requests)
            #expect(placed.map { requests[$0.request].rank } == Array(Self.ranks.prefix(2)))
        }
        #expect(Self.ranks.shuffled(using: &generator).sorted() == Self.ranks)
    }

    @Test func `a mark keeps all labels away except its own`() throws {
        let place = Point(x: 20, y: 15)
        let mark = LabelObstacle(box: Self.box(15, 10, 10, 10), place: place)
        let candidate = LabelCandidate(boxes: [Self.box(10, 10)], ownPlace: place)
        let own = Ranked(rank: LabelRank(), request: LabelRequest(candidates: [candidate]))
        #expect(try Self.place([own], around: [mark]).count == 1)
        #expect(try Self.place([Self.request([Self.box(10, 10)])], around: [mark]).isEmpty)
        // A label does not become an obstacle that others may touch.
        #expect(try Self.place([own, own], around: [mark]).count == 1)
    }

    @Test(arguments: [(1.0, 0), (3, 1)])
    func `a label is left out if its mark is covered by another label`(mark: Double, placed: Int) throws {
        let place = Point(x: 58, y: 54)
        let obstacle = LabelObstacle(box: Self.box(54, 51, 8, 8), place: place, priority: mark)
        var high = Self.request([Self.box(50, 50)], rank: LabelRank(priority: 2))
        high.request.coveredPriority = 2
        var low = Self.request([Self.box(70, 70)], rank: LabelRank(priority: 1))
        low.request.mark = Self.box(56, 53, 4, 4)
        #expect(try Self.place([high, low], around: [obstacle]).map(\.request) == [placed])
    }

    @Test(arguments: [(50.0, false), (80, false), (120, true)])
    func `a leader line crosses neither texts, marks nor other leader lines`(x: Double, isFree: Bool) throws {
        let mark = LabelObstacle(box: Self.box(78, 40, 8, 8), priority: 9)
        let text = Self.request([Self.box(45, 35)], rank: LabelRank(priority: 2))
        var led = Self.request([Self.box(x, 70)], rank: LabelRank(priority: 1))
        led.request.coveredPriority = 10
        led.request.candidates[0].leader = [Self.box(x + 2, 20, 1, 50)]
        #expect(try Self.place([text, led], around: [mark]).count == (isFree ? 2 : 1))
        var crossing = Self.request([Self.box(150, 50)])
        crossing.request.candidates[0].leader = [Self.box(60, 60, 90, 1)]
        let all = try Self.place([text, led, crossing], around: [mark])
        #expect(all.contains { $0.request == 2 } != isFree)
    }

    @Test func `a candidate with free space to the marks of others comes first, and one with a leader needs it`() throws
    {
        let mark = LabelObstacle(box: Self.box(50, 50, 8, 8), place: Point(x: 54, y: 54))
        var label = Self.request([Self.box(61, 50), Self.box(120, 50)])
        #expect(try Self.place([label], around: [mark]).map(\.candidate) == [0])
        label.request.markClearance = 5
        #expect(try Self.place([label], around: [mark]).map(\.candidate) == [1])
        label.request.candidates.removeLast()
        #expect(try Self.place([label], around: [mark]).map(\.candidate) == [0])
        label.request.candidates[0].leader = [Self.box(85, 50, 10, 1)]
        #expect(try Self.place([label], around: [mark]).isEmpty)
        // Marks that look like one with its own do not count.
        label.request.heap = Self.box(48, 48, 12, 12)
        #expect(try Self.place([label], around: [mark]).count == 1)
    }

    @Test func `of the candidates over marks, the one over the fewest is chosen`() throws {
        let marks = [(50.0, 50.0), (60, 50), (120, 50)].map { x, y in
            LabelObstacle(box: Self.box(x, y, 8, 8), place: Point(x: x, y: y), priority: 1)
        }
        var label = Self.request([Self.box(50, 50), Self.box(115, 50)])
        label.request.coveredPriority = 2
        #expect(try Self.place([label], around: marks).map(\.candidate) == [1])
    }

    @Test func `a leader line crosses the marks of its cluster only`() throws {
        let marks = [(70.0, 50.0), (90, 50)].map { x, y in
            LabelObstacle(box: Self.box(x, y, 8, 8), place: Point(x: x, y: y), priority: 1)
        }
        var label = Self.request([Self.box(120, 50)])
        label.request.candidates[0].leader = [Self.box(60, 52, 55, 2)]
        #expect(try Self.place([label], around: marks).isEmpty)
        label.request.cluster = Self.box(60, 40, 25, 30)
        #expect(try Self.place([label], around: marks).isEmpty)
        label.request.cluster = Self.box(60, 40, 50, 30)
        #expect(try Self.place([label], around: marks).map(\.candidate) == [0])
    }

    @Test(arguments: [(99.0, "A", 1), (101, "A", 2), (99, "B", 2)])
    func `a text is placed once within a hundred pixels`(way: Double, text: String, count: Int) throws {
        let requests = [
            Self.request([Self.box(10, 10)], rank: LabelRank(order: 0), text: "A"),
            Self.request([Self.box(10 + way, 10)], rank: LabelRank(order: 1), text: text),
        ]
        #expect(try Self.place(requests).count == count)
        let silent = requests.map { Ranked(rank: $0.rank, request: LabelRequest(candidates: $0.request.candidates)) }
        #expect(try Self.place(silent).count == 2)
    }

    @Test func `labels never overlap labels or marks, and none that fits is left out`() throws {
        var generator = SeededGenerator(seed: 11)
        func box() -> Rectangle {
            Self.box(
                .random(in: -20...200, using: &generator), .random(in: -10...100, using: &generator),
                .random(in: 0.5...40, using: &generator), .random(in: 0.5...15, using: &generator))
        }
        for round in 0..<40 {
            let spacing = Double(round % 4)
            let marks = (0..<5).map { _ in LabelObstacle(box: box(), place: Point(x: 0, y: 0)) }
            let requests = (0..<60).map { order in
                Ranked(
                    rank: LabelRank(priority: .random(in: 0...3, using: &generator).rounded(), order: order),
                    request: LabelRequest(
                        candidates: (0..<3).map { _ in
                            LabelCandidate(boxes: (0..<(round % 3 + 1)).map { _ in box() })
                        }))
            }
            let placed = try Self.place(requests, spacing, around: marks)
            // The same answer by comparing all with all.
            var taken = marks.map(\.box), expected: [Placed] = []
            let ranked = requests.indices.sorted { requests[$0].rank < requests[$1].rank }
            for index in ranked {
                let number = requests[index].request.candidates.firstIndex { candidate in
                    candidate.boxes.allSatisfy { box in
                        box.minX >= 0 && box.minY >= 0 && box.maxX <= 200 && box.maxY <= 100
                            && taken.allSatisfy { other in
                                box.maxX + spacing <= other.minX || other.maxX <= box.minX - spacing
                                    || box.maxY + spacing <= other.minY || other.maxY <= box.minY - spacing
                            }
                    }
                }
                guard let number else { continue }
                taken += requests[index].request.candidates[number].boxes
                expected.append(Placed(request: index, candidate: number))
            }
            #expect(placed == expected)
            #expect(!placed.isEmpty)
            let order = requests.indices.shuffled(using: &generator)
            let again = try Self.place(order.map { requests[$0] }, spacing, around: marks)
            #expect(again.map { Placed(request: order[$0.request], candidate: $0.candidate) } == placed)
        }
    }

    @Test(arguments: [(0, true), (1, true), (2, false), (3, false)])
    func `only labels of layers below a line avoid it`(layer: Int, avoidsIt: Bool) throws {
        let line = LabelObstacle(box: Self.box(0, 20, 200, 2), layer: 2)
        var label = Self.request([Self.box(50, 15), Self.box(50, 60)])
        label.request.layer = layer
        #expect(try Self.place([label], around: [line]).map(\.candidate) == [avoidsIt ? 1 : 0])
    }
}
