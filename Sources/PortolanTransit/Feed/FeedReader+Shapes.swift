import PortolanRaster

/// Reading of the shapes of trips.
extension FeedReader {
    /// The memory in bytes for each point while shapes are read, and afterwards.
    private static let pointMemory = 64, keptPointMemory = 16

    mutating func readShapes() throws(TransitFeed.ReadError) {
        guard var table = try table("shapes.txt", rowMemory: Self.pointMemory) else { return }
        let names = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"]
        guard let places = columns(names, of: table) else { return }
        let id = places[0], latitude = places[1], longitude = places[2], sequence = places[3]
        var points: [(shape: Int32, sequence: Int32, x: Double, y: Double)] = []
        var isOrdered = true
        while try table.next() {
            guard isWhole(table) else { continue }
            guard !table.range(id).isEmpty else {
                note(.empty, .error, table, id, "the identifier is empty")
                continue
            }
            guard let y = table.number(latitude), let x = table.number(longitude), abs(y) <= 90, abs(x) <= 180 else {
                note(.malformed, .error, table, latitude, "the point has no valid coordinates in degrees")
                continue
            }
            let place = table.integer(sequence)
            guard place >= 0 else {
                note(.malformed, .error, table, sequence, "\(table.quoted(sequence)) is not a valid sequence number")
                continue
            }
            let shape = shapes.insert(table.bytes, in: table.range(id)).number
            if let last = points.last, (last.shape, last.sequence) >= (shape, place) { isOrdered = false }
            points.append((shape, place, x, y))
        }
        defer { charge?.shrink(by: table.rowCount / 4096 * 4096 * (Self.pointMemory - Self.keptPointMemory)) }
        // The sort is stable: points with equal sequence numbers keep their order.
        if !isOrdered {
            let order = points.indices.sorted {
                (points[$0].shape, points[$0].sequence, $0) < (points[$1].shape, points[$1].sequence, $1)
            }
            points = order.map { points[$0] }
        }
        var made = Timetable.ShapeTable()
        made.ids = shapes.texts
        made.longitudes = points.map(\.x)
        made.latitudes = points.map(\.y)
        made.ends = [Int](repeating: 0, count: shapes.count)
        for point in points { made.ends[Int(point.shape)] += 1 }
        var end = 0
        for shape in made.ends.indices {
            end += made.ends[shape]
            made.ends[shape] = end
        }
        timetable.shapes = made
        rowCounts[table.file] = table.rowCount
    }
}
