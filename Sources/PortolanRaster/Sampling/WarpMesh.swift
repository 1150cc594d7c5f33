/// The sources of a warped picture's pixels: a regular grid over the canvas with a point of the picture for each node.
///
/// Node (column, row) is at `originX + column · spacing`, `originY + row · spacing` on the canvas, in pixels. Inside a
/// cell the point is interpolated bilinearly from the cell's four nodes, so neighbouring cells have no seams. A cell
/// with a node without a point is not painted, except for its details.
public struct WarpMesh: Hashable, Sendable {
    /// The canvas column of the first node.
    public let originX: Int
    /// The canvas row of the first node.
    public let originY: Int
    /// The distance between neighbouring nodes in canvas pixels, at least 1.
    public let spacing: Int
    /// The number of nodes per row, at least 2.
    public let columns: Int
    /// The number of node rows, at least 2.
    public let rows: Int
    /// For each node, row by row, its point in the picture's pixels, or `nil` without one.
    public let sources: [Point?]
    /// The width in the picture's pixels after which its content repeats, as on a picture of the whole world, or `nil`.
    ///
    /// A cell whose nodes are on both sides of the seam is painted across it.
    public let period: Double?
    /// Cells that four nodes do not describe, such as those at the horizon of a globe: by the index of the first node,
    /// the sources of nodes one pixel apart, `spacing + 1` rows of as many.
    public let details: [Int: [Point?]]

    /// Creates a mesh, or returns `nil` if the spacing is below 1, a side has fewer than 2 nodes, the count of sources
    /// is not `columns · rows`, that of a cell's details is wrong, or a node is more than 2⁴⁰ pixels away.
    public init?(
        originX: Int, originY: Int, spacing: Int, columns: Int, rows: Int, sources: [Point?], period: Double? = nil,
        details: [Int: [Point?]] = [:]
    ) {
        guard spacing >= 1, columns >= 2, rows >= 2,
            columns.multipliedReportingOverflow(by: rows) == (sources.count, false),
            Self.end(originX, columns, spacing) != nil, Self.end(originY, rows, spacing) != nil,
            details.isEmpty
                || spacing < 1 << 16 && details.values.allSatisfy({ $0.count == (spacing + 1) * (spacing + 1) })
        else { return nil }
        self.originX = originX
        self.originY = originY
        self.spacing = spacing
        self.columns = columns
        self.rows = rows
        self.sources = sources
        self.period = period.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        self.details = details
    }

    private static func end(_ origin: Int, _ count: Int, _ spacing: Int) -> Int? {
        let (length, isTooLong) = (count - 1).multipliedReportingOverflow(by: spacing)
        let farthest = 1 << 40
        guard !isTooLong, origin.magnitude <= farthest, length <= farthest - origin else { return nil }
        return origin + length
    }

    /// The position of a cell on the canvas, and the picture points of its corners.
    struct Cell {
        let x: Int
        let y: Int
        /// The sides on the canvas in pixels.
        let size: Int
        var topLeft: Point
        var topRight: Point
        var bottomLeft: Point
        var bottomRight: Point
        /// Whether the cell contains the seam of a picture that repeats.
        var isOnSeam = false

        /// Creates a cell, or returns `nil` if a corner has no finite point.
        init?(x: Int, y: Int, size: Int, corners: (Point?, Point?, Point?, Point?), period: Double?) {
            guard let topLeft = corners.0, let topRight = corners.1, let bottomLeft = corners.2,
                let bottomRight = corners.3, topLeft.isFinite, topRight.isFinite, bottomLeft.isFinite,
                bottomRight.isFinite
            else { return nil }
            (self.x, self.y, self.size) = (x, y, size)
            (self.topLeft, self.topRight, self.bottomLeft, self.bottomRight) =
                (topLeft, topRight, bottomLeft, bottomRight)
            guard let period else { return }
            let half = period / 2, x = topLeft.x
            guard max(abs(topRight.x - x), abs(bottomLeft.x - x), abs(bottomRight.x - x)) > half else { return }
            isOnSeam = true
            func near(_ point: Point) -> Point {
                Point(x: point.x - ((point.x - x) / period).rounded() * period, y: point.y)
            }
            (self.topRight, self.bottomLeft, self.bottomRight) = (near(topRight), near(bottomLeft), near(bottomRight))
        }

        /// Returns the cell with all sources shifted to the right.
        func shifted(by x: Double) -> Cell {
            var cell = self
            cell.topLeft.x += x
            cell.topRight.x += x
            cell.bottomLeft.x += x
            cell.bottomRight.x += x
            return cell
        }
    }

    /// Returns the cell right of and below a node, or `nil` if one of its nodes has no finite point.
    func cell(column: Int, row: Int) -> Cell? {
        let index = row * columns + column
        return Cell(
            x: originX + column * spacing, y: originY + row * spacing, size: spacing,
            corners: (sources[index], sources[index + 1], sources[index + columns], sources[index + columns + 1]),
            period: period)
    }

    /// Calls `body` with what is painted of a cell: itself, or the cells of its details, and each once for every copy of
    /// a picture `width` pixels wide that it meets.
    @inline(__always)
    func forEachCell(column: Int, row: Int, width: Double, _ body: (Cell) -> Void) {
        func paint(_ cell: Cell) {
            guard cell.isOnSeam, let period else { return body(cell) }
            let sides = [cell.topLeft.x, cell.topRight.x, cell.bottomLeft.x, cell.bottomRight.x]
            guard let low = sides.min(), let high = sides.max() else { return }
            if low >= 0, high <= width { return body(cell) }
            for shift in [-period, 0, period] where low + shift < width && high + shift > 0 {
                body(cell.shifted(by: shift))
            }
        }
        guard !details.isEmpty, let fine = details[row * columns + column] else {
            if let cell = cell(column: column, row: row) { paint(cell) }
            return
        }
        let side = spacing + 1, left = originX + column * spacing, top = originY + row * spacing
        for down in 0..<spacing {
            for right in 0..<spacing {
                let index = down * side + right
                let cell = Cell(
                    x: left + right, y: top + down, size: 1,
                    corners: (fine[index], fine[index + 1], fine[index + side], fine[index + side + 1]), period: period)
                if let cell { paint(cell) }
            }
        }
    }
}

/// A picture to draw through a mesh, averaged first if a step on the canvas passes two or more of its pixels.
struct WarpedImage: Sendable {
    /// The original image.
    let image: PaintImage
    /// The picture to sample.
    let source: ImageWindow
    /// The mesh.
    let mesh: WarpMesh
    /// The number of pixels of `source` per pixel of the original picture.
    let scaleX: Double
    let scaleY: Double

    init(_ given: PaintImage, _ mesh: WarpMesh) {
        self.image = given
        let image = given.pixels
        self.mesh = mesh
        let step = mesh.meanStep
        let reduced =
            given.resampling == .nearest
            ? image : image.reduced(to: image.size.forSampling(stepX: step.x, stepY: step.y))
        source = ImageWindow(reduced, given.resampling)
        scaleX = Double(reduced.width) / Double(image.width)
        scaleY = Double(reduced.height) / Double(image.height)
    }

    /// Creates a warped window of a picture that needs no averaging.
    init(_ window: ImageWindow, _ mesh: WarpMesh) {
        image = PaintImage(window.pixels)
        source = window
        self.mesh = mesh
        scaleX = 1
        scaleY = 1
    }
}

extension WarpMesh {
    /// The number of canvas pixels that the cells cover.
    var area: Double { Double(columns - 1) * Double(rows - 1) * Double(spacing) * Double(spacing) }

    /// The bounding box of the visible part of the picture; empty at the origin if nothing is visible.
    package var box: Rectangle {
        var box: Rectangle?
        for points in [sources] + details.values {
            for case let place? in points where place.isFinite {
                if box == nil { box = Rectangle(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y) }
                box?.include(place)
            }
        }
        // Cells on the seam of a picture that repeats may need all of its columns.
        if let period, let found = box, found.maxX - found.minX > period / 2 {
            box?.include(Point(x: found.minX - period, y: found.minY))
            box?.include(Point(x: found.maxX + period, y: found.maxY))
        }
        return box ?? Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0)
    }

    /// The mean number of picture pixels per canvas pixel in x and y, over all cells.
    package var meanStep: Point {
        var sum = StepSum()
        add(to: &sum)
        return sum.mean
    }

    /// An accumulator for the steps of all cells.
    package struct StepSum {
        fileprivate var x = 0.0, y = 0.0, count = 0.0

        /// Creates an empty sum.
        package init() {}

        /// The mean step; 1 for an empty sum.
        package var mean: Point { count > 0 ? Point(x: x / count, y: y / count) : Point(x: 1, y: 1) }
    }

    /// Adds the steps of all cells, row by row: the sums of meshes stacked vertically equal that of the whole.
    package func add(to sum: inout StepSum) {
        for row in 0..<(rows - 1) {
            for column in 0..<(columns - 1) {
                guard let cell = cell(column: column, row: row) else { continue }
                let rightX = cell.topRight.x - cell.topLeft.x, downX = cell.bottomLeft.x - cell.topLeft.x
                let rightY = cell.topRight.y - cell.topLeft.y, downY = cell.bottomLeft.y - cell.topLeft.y
                sum.x += (rightX * rightX + downX * downX).squareRoot()
                sum.y += (rightY * rightY + downY * downY).squareRoot()
                sum.count += Double(spacing)
            }
        }
    }
}
