/// The clusters of points at all zoom levels, in columns, and the level up to which each point and cluster exists.
///
/// A cluster takes 21 bytes and a point takes 1 byte.
struct ClusterTree: Sendable {
    /// The value for items that are part of a cluster at no zoom level.
    private static let never: Int8 = -1
    /// The value for invalid points, which exist at no zoom level.
    private static let always: Int8 = .max

    private let pointCount: Int
    /// The input order of the points along the curve.
    private let rows: [Int32]
    /// The zoom level at which each point, and after the points each cluster, became part of a cluster.
    private var takenAt: [Int8]
    // The clusters, those of the largest zoom level first: position as fractions of the bounding box, number of points,
    // index among the items of the level above, and row of the first point.
    private var x: [UInt32] = []
    private var y: [UInt32] = []
    private var counts: [Int32] = []
    private var numbers: [UInt32] = []
    private var firstRows: [Int32] = []
    /// The number of clusters at each zoom level and those above it.
    private var ends: [Int]
    /// The members of each cluster, the first one first, and the end index of each cluster; empty if not requested.
    private var parts: [Int32] = []
    private var partEnds: [Int32] = []
    private let box: Box

    /// Clusters points.
    ///
    /// - Parameters:
    ///   - x: in Web Mercator, 0 to 1; NaN for an invalid point.
    ///   - y: from north to south.
    ///   - rows: the input order.
    /// - Complexity: O(points · zoom levels). Isolated points cost nothing at most levels.
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

    /// Releases the unused capacity of the columns.
    private mutating func trim() {
        (x, y, numbers) = (Array(x[...]), Array(y[...]), Array(numbers[...]))
        (counts, firstRows, takenAt) = (Array(counts[...]), Array(firstRows[...]), Array(takenAt[...]))
        (parts, partEnds) = (Array(parts[...]), Array(partEnds[...]))
    }

    /// Records that points or clusters became part of clusters at a zoom level.
    mutating func note(_ nodes: some Sequence<Int32>, takenAt zoom: Int) {
        let level = Self.level(zoom)
        var takenAt = takenAt.mutableSpan
        for node in nodes { takenAt[Int(node)] = level }
    }

    /// Adds a cluster.
    ///
    /// - Parameters:
    ///   - place: the index of its first point.
    ///   - number: the number of items before it at the level above.
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

    /// Records the members of the next cluster.
    mutating func appendParts(_ first: Int32, _ others: ArraySlice<Int32>) {
        parts.append(first)
        parts += others
        partEnds.append(Int32(parts.count))
    }

    /// Calls `body` for each unclustered point at a zoom level, within a range along the curve.
    func points(at zoom: Int, in places: Range<Int>, _ body: (Int) -> Void) {
        let level = Self.level(zoom), takenAt = takenAt.span
        for place in places where takenAt[place] < level { body(place) }
    }

    /// Calls `body` for each cluster of a zoom level, with its number among all points and clusters.
    func clusters(at zoom: Int, _ body: (Int) -> Void) {
        guard zoom < ends.count else { return }
        let level = Self.level(zoom), takenAt = takenAt.span
        for node in pointCount..<pointCount + ends[max(zoom, 0)] where takenAt[node] < level { body(node) }
    }

    private static func level(_ zoom: Int) -> Int8 { Int8(min(max(zoom, 0), 100)) }

    /// Returns the position of a cluster in Web Mercator, 0 to 1, y down.
    func place(_ node: Int) -> (x: Double, y: Double) {
        (box.x.value(x[node - pointCount]), box.y.value(y[node - pointCount]))
    }

    /// Returns the number of points in a cluster.
    func count(_ node: Int) -> Int { Int(counts[node - pointCount]) }

    /// Returns the row of a point, or of the first point of a cluster.
    func row(_ node: Int) -> Int32 { node < pointCount ? rows[node] : firstRows[node - pointCount] }

    /// Returns the identifier of a cluster, computed as in supercluster.
    func id(_ node: Int) -> Int {
        let index = node - pointCount, zoom = ends.lastIndex { $0 > index } ?? 0
        return Int(numbers[index]) << 5 + (zoom + 1) + pointCount
    }

    /// Returns a value aggregated over the points of a node, joined in the order of clustering, or `nil` if cluster
    /// members are not kept.
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
    /// The bounding box of all points.
    ///
    /// Positions in it are stored as fractions of 2³² of its sides.
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
