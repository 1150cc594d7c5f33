import PortolanFeatures
import PortolanGeo
import PortolanRaster

extension ShapeTracer {
    /// From how many coordinates on a line comes to the picture piece by piece, so that it takes memory for a piece alone.
    static let longCount = 1 << 14

    /// Adds the visible part of a long line to a path: the same as of a short one.
    mutating func addLongLine(_ part: Int, in box: Rectangle, to path: inout Path) {
        guard let projected else { return }
        let isStraight =
            projection.transform.isIdentity || projection.isStraight(bend: Double(projected.bends[part]))
        var line = StreamedLine(tolerance: Self.tolerance), last: Int?
        runs.removeAll()
        func add(_ index: Int) {
            self.add(index, after: &last, projected, isStraight: isStraight)
            if runs.points.count >= Self.longCount { addPiece(of: &line, in: box, to: &path) }
        }
        let range = columns.range(ofPart: part)
        if let extent = projection.extent(of: box) {
            EssentialCoordinates.forEach(of: columns.x, columns.y, in: range, within: extent, add)
        } else {
            range.forEach(add)
        }
        addPiece(of: &line, in: box, to: &path)
        line.end(to: &path)
    }

    /// Adds what of the points that have come lies in a box, and keeps the last, from which the line may go on.
    private mutating func addPiece(of line: inout StreamedLine, in box: Rectangle, to path: inout Path) {
        for run in 0...runs.count {
            let range = run < runs.count ? runs.range(run) : runs.openStart..<runs.points.count
            pieces.removeAll()
            LineClipper.clip(runs.points, range, to: box, into: &pieces)
            for piece in 0..<pieces.count {
                let points = pieces.points[pieces.range(piece)]
                if points.first != line.last { line.end(to: &path) }
                for point in line.last == nil ? points : points.dropFirst() { line.add(point, to: &path) }
            }
            if run < runs.count { line.end(to: &path) }
        }
        let open = runs.points.count > runs.openStart ? runs.points.last : nil
        runs.removeAll()
        if let open { runs.points.append(open) }
    }
}
