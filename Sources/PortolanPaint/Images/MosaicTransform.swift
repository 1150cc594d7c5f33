import PortolanGeo
package import PortolanPlan
package import PortolanRaster

/// The transform from a mosaic's pixels to the picture's.
package enum MosaicTransform {
    /// A shift by whole pixels, without resampling.
    case shift(x: Int, y: Int)
    /// An affine transform of the whole mosaic.
    case affine(AffineTransform)
    /// A mesh of mosaic positions, for different CRSs.
    case mesh(WarpMesh)

    /// Finds the transform with up to `threads` threads, or returns `nil` if no transformation between the two CRSs is
    /// available.
    ///
    /// - Parameter rows: the rows of the picture for which a mesh is needed, or `nil` for all.
    package init?(from mosaic: Mosaic, to viewport: Viewport, threads: Int = 1, rows: Range<Int>? = nil) {
        guard let transform = try? CoordinateTransform(from: viewport.crs, to: mosaic.crs) else { return nil }
        guard transform.isIdentity, mosaic.corners == nil else {
            let search = MosaicMesh(mosaic: mosaic, viewport: viewport, transform: transform, threads: threads)
            guard let mesh = search.mesh(rows) else { return nil }
            self = .mesh(mesh)
            return
        }
        let corner = viewport.imagePixel(of: mosaic.topLeft)
        let x = mosaic.resolutionX / viewport.imageResolution, y = mosaic.resolutionY / viewport.imageResolution
        let (cosine, sine) = viewport.upAxis
        let drift = max(abs(x - 1) * Double(mosaic.size.width), abs(y - 1) * Double(mosaic.size.height))
        if cosine == 1, sine == 0, drift < 0.25, abs(corner.x) < 1e9, abs(corner.y) < 1e9 {
            // At its own resolution, an image is moved by at most half a pixel rather than blurred.
            self = .shift(x: Int(corner.x.rounded()), y: Int(corner.y.rounded()))
        } else {
            self = .affine(
                AffineTransform(
                    a: x * cosine, b: -x * sine, c: y * sine, d: y * cosine, tx: corner.x, ty: corner.y))
        }
    }
}

/// Finds the mesh that warps a mosaic onto a map in another CRS.
struct MosaicMesh {
    /// The largest interpolation error, in mosaic pixels.
    private static let tolerance = 0.1

    let mosaic: Mosaic
    let viewport: Viewport
    let transform: CoordinateTransform
    /// The number of threads.
    let threads: Int
    /// The transform for a mosaic with arbitrary corners, or `nil` for an upright one.
    private let corners: CornerTransform?

    init(mosaic: Mosaic, viewport: Viewport, transform: CoordinateTransform, threads: Int = 1) {
        self.mosaic = mosaic
        self.viewport = viewport
        self.transform = transform
        self.threads = threads
        corners = mosaic.corners.flatMap { CornerTransform($0, size: mosaic.size) }
    }

    /// Returns the mesh with the widest sufficient spacing for some rows of the picture, or `nil` if the mosaic covers
    /// none of them.
    func mesh(_ rows: Range<Int>? = nil) -> WarpMesh? {
        let rows = rows ?? 0..<viewport.imageSize.height
        for spacing in [16, 8, 4, 2] {
            if inexactShare(spacing: spacing) == 0 { return mesh(spacing: spacing, rows) }
        }
        // On a globe no spacing is sufficient at the horizon; all but a few cells can be wide.
        for spacing in [16, 8, 4] where period != nil {
            if inexactShare(spacing: spacing) < 0.2 { return mesh(spacing: spacing, rows, detailsInexactCells: true) }
        }
        return mesh(spacing: 1, rows)
    }

    private func mesh(
        spacing: Int, _ pictureRows: Range<Int>, detailsInexactCells: Bool = false
    ) -> WarpMesh? {
        let columns = (viewport.imageSize.width + spacing - 1) / spacing + 1
        let first = pictureRows.lowerBound / spacing
        let rows = (pictureRows.upperBound + spacing - 1) / spacing + 1 - first
        let parts = max(min(threads, rows), 1)
        let sources = Concurrent.map(parts) { part in
            let own: Range<Int> = rows * part / parts..<rows * (part + 1) / parts
            return own.flatMap { row in
                let y = Double((first + row) * spacing)
                return (0..<columns).map { place(x: Double($0 * spacing), y: y) }
            }
        }.flatMap { $0 }
        let cells = details(
            of: sources, columns, rows, spacing: spacing, originY: first * spacing, ofInexactCells: detailsInexactCells)
        guard !cells.isEmpty || sources.contains(where: { $0 != nil }) else { return nil }
        return WarpMesh(
            originX: 0, originY: first * spacing, spacing: spacing, columns: columns, rows: rows, sources: sources,
            period: period, details: cells)
    }

    /// The width of the world in mosaic pixels if the map does not repeat it, or `nil`.
    private var period: Double? {
        guard viewport.crs.worldWidth == nil, corners == nil else { return nil }
        return mosaic.crs.worldWidth.map { $0 / mosaic.resolutionX }
    }

    /// Returns the details of cells at the edge of the map's domain and around poles, which four nodes do not describe.
    private func details(
        of sources: [Point?], _ columns: Int, _ rows: Int, spacing: Int, originY: Int, ofInexactCells: Bool
    ) -> [Int: [Point?]] {
        guard spacing > 1, let period else { return [:] }
        /// The largest share of the world in one cell.
        let widest = period / 24
        let indices = (0..<rows - 1).flatMap { row in (0..<columns - 1).map { row * columns + $0 } }.filter { index in
            let nodes = [index, index + 1, index + columns, index + columns + 1].map { sources[$0] }
            let known = nodes.compactMap(\.self)
            guard known.count == 4, let first = known.first else { return !known.isEmpty }
            if known.contains(where: { abs(($0.x - first.x).remainder(dividingBy: period)) > widest }) { return true }
            guard ofInexactCells else { return false }
            return !isExact(
                x: Double(index % columns * spacing), y: Double(originY + index / columns * spacing), Double(spacing))
        }
        let parts = max(min(threads, indices.count), 1)
        let found = Concurrent.map(parts) { part in
            indices[indices.count * part / parts..<indices.count * (part + 1) / parts].map { index in
                let x = index % columns * spacing, y = originY + index / columns * spacing
                return (0...spacing).flatMap { down in
                    (0...spacing).map { place(x: Double(x + $0), y: Double(y + down)) }
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: zip(indices, found.lazy.flatMap { $0 }))
    }

    /// Returns the average number of mosaic pixels per picture pixel, from a mesh of the whole picture that is computed
    /// a few rows at a time.
    func meanStep(spacing: Int) -> Point {
        var sum = WarpMesh.StepSum()
        let height = viewport.imageSize.height, rows = 64 * spacing
        for first in stride(from: 0, to: height, by: rows) {
            mesh(spacing: spacing, first..<min(first + rows, height))?.add(to: &sum)
        }
        return sum.mean
    }

    /// Returns the share of cells in which interpolation is not exact, in a sample of the picture.
    private func inexactShare(spacing: Int) -> Double {
        let stride = max(viewport.imageSize.width, viewport.imageSize.height) / 32 / spacing * spacing
        let sampleStep = max(stride, spacing)
        var count = 0, inexact = 0
        for y in Swift.stride(from: 0, to: viewport.imageSize.height, by: sampleStep) {
            for x in Swift.stride(from: 0, to: viewport.imageSize.width, by: sampleStep) {
                count += 1
                if !isExact(x: Double(x), y: Double(y), Double(spacing)) { inexact += 1 }
            }
        }
        return Double(inexact) / Double(max(count, 1))
    }

    /// Whether interpolation is exact in the middles of a cell and of its sides.
    ///
    /// The cell middles alone are insufficient: if both CRSs are conformal, positions are harmonic functions of the
    /// pixels, whose bends in x and y cancel each other there.
    private func isExact(x left: Double, y top: Double, _ step: Double) -> Bool {
        let seam = (mosaic.crs.worldWidth ?? .infinity) / mosaic.resolutionX / 2
        guard let a = place(x: left, y: top), let b = place(x: left + step, y: top),
            let c = place(x: left, y: top + step), let d = place(x: left + step, y: top + step),
            let middle = place(x: left + step / 2, y: top + step / 2),
            let north = place(x: left + step / 2, y: top), let west = place(x: left, y: top + step / 2)
        else { return true }
        // A cell that spans the seam of the world is painted across it.
        guard abs(a.x - d.x) < seam, abs(b.x - c.x) < seam else { return true }
        let center = Point(x: (a.x + b.x + c.x + d.x) / 4, y: (a.y + b.y + c.y + d.y) / 4)
        let northMiddle = Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
        let westMiddle = Point(x: (a.x + c.x) / 2, y: (a.y + c.y) / 2)
        return [(center, middle), (northMiddle, north), (westMiddle, west)].allSatisfy { one, other in
            max(abs(one.x - other.x), abs(one.y - other.y)) <= Self.tolerance
        }
    }

    /// The mosaic position of a picture pixel.
    private func place(x: Double, y: Double) -> Point? {
        guard var place = transform(viewport.coordinate(atImagePixel: Point(x: x, y: y))) else { return nil }
        if viewport.crs.worldWidth == nil, let world = mosaic.crs.worldWidth {
            // In a map without repeating worlds each coordinate is unique; the mosaic may be in another copy of the
            // world.
            let middle = mosaic.topLeft.x + Double(mosaic.size.width) * mosaic.resolutionX / 2
            place.x += ((middle - place.x) / world).rounded() * world
        }
        if let corners { return corners(place) }
        return Point(
            x: (place.x - mosaic.topLeft.x) / mosaic.resolutionX, y: (mosaic.topLeft.y - place.y) / mosaic.resolutionY)
    }
}

/// The transform from coordinates to the pixels of a picture between four corners, drawn as two triangles.
private struct CornerTransform {
    private let upper: AffineTransform
    private let lower: AffineTransform
    private let size: ImageSize

    /// Creates the transform from the corners, from the top left one clockwise, or returns `nil` if they enclose no
    /// area.
    init?(_ corners: [Coordinate], size: ImageSize) {
        guard corners.count == 4 else { return nil }
        let width = Double(size.width), height = Double(size.height)
        /// The transform from pixels to coordinates, by the steps to the right and down.
        func triangle(_ origin: Coordinate, _ right: Coordinate, _ down: Coordinate) -> AffineTransform {
            AffineTransform(
                a: (right.x - origin.x) / width, b: (right.y - origin.y) / width, c: (down.x - origin.x) / height,
                d: (down.y - origin.y) / height, tx: origin.x, ty: origin.y)
        }
        let topLeft = corners[0], topRight = corners[1], bottomRight = corners[2], bottomLeft = corners[3]
        let lowerOrigin = Coordinate(
            x: topRight.x + bottomLeft.x - bottomRight.x, y: topRight.y + bottomLeft.y - bottomRight.y)
        let above = triangle(topLeft, topRight, bottomLeft)
        let below = triangle(lowerOrigin, topRight, bottomLeft)
        guard let upper = above.inverse, let lower = below.inverse else { return nil }
        self.upper = upper
        self.lower = lower
        self.size = size
    }

    /// Returns the pixel at a coordinate; outside the picture if the coordinate is outside the triangles.
    func callAsFunction(_ place: Coordinate) -> Point {
        let point = upper(Point(x: place.x, y: place.y))
        let isAbove = point.x / Double(size.width) + point.y / Double(size.height) <= 1
        return isAbove ? point : lower(Point(x: place.x, y: place.y))
    }
}
