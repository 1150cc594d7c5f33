/// The clusters that points become zoom by zoom, in columns, and until when each point and each cluster is there.
///
/// A cluster takes 21 bytes, a point one.
struct ClusterTree: Sendable {
    /// What is there at every zoom.
    private static let never: Int8 = -1
    /// What is there at none.
    private static let always: Int8 = .max

    private let pointCount: Int
    /// In which order the points were read that stand along the curve.
    private let rows: [Int32]
    /// At which zoom each point was taken into a cluster, and behind the points each cluster into another.
    private var takenAt: [Int8]
    // Clusters, those of the largest zoom first: parts of the box around all points, how many points, the number of each among
    // what there was at the zoom above, and the row of the point that it began with.
    private var x: [UInt32] = []
    private var y: [UInt32] = []
    private var counts: [Int32] = []
    private var numbers: [UInt32] = []
    private var firstRows: [Int32] = []
    /// How many clusters there are of each zoom and those above it.
    private var ends: [Int]
    /// What each cluster was made of, the first of them first, and where it ends; empty where nobody asks.
    private var parts: [Int32] = []
    private var partEnds: [Int32] = []
    private let box: Box

    /// Gathers points.
    ///
    /// - Parameters:
    ///   - x: in Web Mercator, 0 to 1; not a number where a point has no place.
    ///   - y: from north to south.
    ///   - rows: in which order they were read.
    /// - Complexity: O(points · zooms); those that are far from others cost nothing at most of them.
    init(_ x: [Double], _ y: [Double], rows: [Int32], _ options: PointClusters.Options) {
        pointCount = x.count
        self.rows = rows
        takenAt = x.map { $0.isNaN ? Self.always : Self.never }
        ends = [Int](repeating: 0, count: options.maximumZoom + 1)
        box = Box(x, y)
        guard options.gathers else { return }
        var gathering = ClusterGathering(x, y, rows: rows, options)
        for zoom in (0...options.maximumZoom).reversed() {
            gathering.gather(at: zoom, into: &self)
            ends[zoom] = counts.count
        }
        trim()
    }

    /// Gives back what the columns have room for and do not need.
    private mutating func trim() {
        (x, y, numbers) = (Array(x[...]), Array(y[...]), Array(numbers[...]))
        (counts, firstRows, takenAt) = (Array(counts[...]), Array(firstRows[...]), Array(takenAt[...]))
        (parts, partEnds) = (Array(parts[...]), Array(partEnds[...]))
    }

    /// Notes that points or clusters were taken into clusters of a zoom.
    mutating func note(_ nodes: some Sequence<Int32>, takenAt zoom: Int) {
        let level = Self.level(zoom)
        var takenAt = takenAt.mutableSpan
        for node in nodes { takenAt[Int(node)] = level }
    }

    /// Adds a cluster.
    ///
    /// - Parameters:
    ///   - place: that of the point that it began with.
    ///   - number: how many there were before it at the zoom above.
    /// - Returns: its number among all points and clusters.
    mutating func append(_ x: Double, _ y: Double, count: Int32, place: Int32, number: Int) -> Int32 {
        self.x.append(box.x.part(x))
        self.y.append(box.y.part(y))
        counts.append(count)
        numbers.append(UInt32(number))
        firstRows.append(rows[Int(place)])
        takenAt.append(Self.never)
        return Int32(takenAt.count - 1)
    }

    /// Says what the next cluster is made of.
    mutating func appendParts(_ first: Int32, _ others: ArraySlice<Int32>) {
        parts.append(first)
        parts += others
        partEnds.append(Int32(parts.count))
    }

    /// Those of some points along the curve that are there at a zoom by themselves.
    func points(at zoom: Int, in places: Range<Int>, _ body: (Int) -> Void) {
        let level = Self.level(zoom), takenAt = takenAt.span
        for place in places where takenAt[place] < level { body(place) }
    }

    /// The clusters of a zoom, by their numbers among all points and clusters.
    func clusters(at zoom: Int, _ body: (Int) -> Void) {
        guard zoom < ends.count else { return }
        let level = Self.level(zoom), takenAt = takenAt.span
        for node in pointCount..<pointCount + ends[max(zoom, 0)] where takenAt[node] < level { body(node) }
    }

    private static func level(_ zoom: Int) -> Int8 { Int8(min(max(zoom, 0), 100)) }

    /// Where a cluster lies in Web Mercator, 0 to 1, y down.
    func place(_ node: Int) -> (x: Double, y: Double) {
        (box.x.value(x[node - pointCount]), box.y.value(y[node - pointCount]))
    }

    /// How many points a cluster stands for.
    func count(_ node: Int) -> Int { Int(counts[node - pointCount]) }

    /// The row of the point that a cluster began with, or of a point.
    func row(_ node: Int) -> Int32 { node < pointCount ? rows[node] : firstRows[node - pointCount] }

    /// The identifier of a cluster, as supercluster makes it.
    func id(_ node: Int) -> Int {
        let index = node - pointCount, zoom = ends.lastIndex { $0 > index } ?? 0
        return Int(numbers[index]) << 5 + (zoom + 1) + pointCount
    }

    /// What is gathered of the points of a node, joined in the order of the scheme; `nil` where nobody asked for it.
    func gathered<Value>(_ node: Int, of point: (Int) -> Value, _ join: (Value, Value) -> Value) -> Value? {
        guard node >= pointCount else { return point(node) }
        let index = node - pointCount
        guard partEnds.indices.contains(index) else { return nil }
        var all: Value?
        for part in parts[(index == 0 ? 0 : Int(partEnds[index - 1]))..<Int(partEnds[index])] {
            guard let own = gathered(Int(part), of: point, join) else { continue }
            all = all.map { join($0, own) } ?? own
        }
        return all
    }
}

extension ClusterTree {
    /// The box around all points; places in it are kept in parts of 2³² of its sides.
    private struct Box: Sendable {
        var x: Side
        var y: Side

        init(_ x: [Double], _ y: [Double]) { (self.x, self.y) = (Side(x), Side(y)) }
    }

    private struct Side: Sendable {
        var least = Double.infinity
        var step = 0.0

        init(_ values: [Double]) {
            var most = -Double.infinity
            for value in values where !value.isNaN { (least, most) = (min(least, value), max(most, value)) }
            step = most > least ? (most - least) / 0x1p32 : 0
        }

        func part(_ value: Double) -> UInt32 {
            step > 0 ? UInt32(min(max(((value - least) / step).rounded(), 0), 0xFFFF_FFFF)) : 0
        }

        func value(_ part: UInt32) -> Double { least + Double(part) * step }
    }
}
