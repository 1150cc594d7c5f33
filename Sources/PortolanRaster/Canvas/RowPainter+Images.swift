extension RowPainter {
    /// Draws a picture with its top-left pixel at column `x` and row `y`.
    func draw(_ image: PixelBuffer, _ x: Int, _ y: Int, _ opacity: Opacity, on rows: PixelRows) {
        guard !opacity.isClear else { return }
        unsafe place(image, x, y, on: rows) { source, pixels, count in
            unsafe PixelRow.draw(source, over: pixels, count, opacity: opacity.factor)
        }
    }

    /// Replaces pixels by a picture with its top-left pixel at column `x` and row `y`.
    func copy(_ image: PixelBuffer, _ x: Int, _ y: Int, on rows: PixelRows) {
        unsafe place(image, x, y, on: rows) { source, pixels, count in
            unsafe pixels.update(from: source, count: count)
        }
    }

    /// Draws a scaled or rotated picture.
    mutating func draw(_ image: TransformedImage, _ opacity: Opacity, on rows: PixelRows) {
        guard !opacity.isClear else { return }
        let columns = image.columns(rows.size.width), range = image.rows(rows.size.height).clamped(to: rows.range)
        let sampler = ImageSampler(image.source, edges: image.edges), inverse = image.inverse
        if inverse.b == 0, inverse.c == 0, image.source.resampling == .bilinear {
            imageRows.columns.locate(columns, scale: inverse.a, offset: inverse.tx, isOnPicture: sampler.isOnColumns)
            imageRows.rows.locate(range, scale: inverse.d, offset: inverse.ty, isOnPicture: sampler.isOnRows)
            let columns = imageRows.columns.range
            unsafe imageRows.forEach(of: image.source, edges: image.edges) { row, result in
                unsafe PixelRow.draw(
                    result, over: rows.row(row) + columns.lowerBound, columns.count, opacity: opacity.factor)
            }
            return
        }
        for row in range {
            sample(image.source, sampler, columns, row, opacity, on: rows) { column in
                inverse(Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
            }
        }
    }

    /// Draws a picture through a mesh.
    mutating func draw(_ image: WarpedImage, _ opacity: Opacity, on rows: PixelRows) {
        let mesh = image.mesh, size = rows.size
        let meshColumns = mesh.cells(mesh.originX, mesh.columns, 0..<size.width)
        let meshRows = mesh.cells(mesh.originY, mesh.rows, rows.range)
        guard !opacity.isClear, !meshColumns.isEmpty, !meshRows.isEmpty else { return }
        let sampler = ImageSampler(image.source, edges: .clamped)
        // Separate constants: a closure that captures the image would change its reference count for each row.
        let scaleX = image.scaleX, scaleY = image.scaleY, source = image.source
        let width = Double(source.size.width) / scaleX
        for meshRow in meshRows {
            for meshColumn in meshColumns {
                mesh.forEachCell(column: meshColumn, row: meshRow, width: width) { cell in
                    let unit = 1 / Double(cell.size)
                    let columns = max(cell.x, 0)..<max(min(cell.x + cell.size, size.width), max(cell.x, 0))
                    for row in (cell.y..<cell.y + cell.size).clamped(to: rows.range) {
                        let down = (Double(row - cell.y) + 0.5) * unit
                        let left = cell.topLeft.toward(cell.bottomLeft, fraction: down)
                        let right = cell.topRight.toward(cell.bottomRight, fraction: down)
                        sample(source, sampler, columns, row, opacity, on: rows) { column in
                            let place = left.toward(right, fraction: (Double(column &- cell.x) + 0.5) * unit)
                            return Point(x: place.x * scaleX, y: place.y * scaleY)
                        }
                    }
                }
            }
        }
    }

    /// Draws the colours of a picture at the points that `place` returns for columns of a row; x and y of these points
    /// are each monotonic.
    @inline(__always)
    private mutating func sample(
        _ source: ImageWindow, _ sampler: ImageSampler, _ columns: Range<Int>, _ row: Int, _ opacity: Opacity,
        on rows: PixelRows, _ place: (Int) -> Point
    ) {
        if samples.count < columns.count { samples = [UInt32](repeating: 0, count: rows.size.width) }
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            unsafe source.withTexels { texels in
                guard let samples = samples.baseAddress else { return }
                unsafe sampler.sample(texels, columns.count, into: samples) { place(columns.lowerBound &+ $0) }
                unsafe PixelRow.draw(
                    samples, over: rows.row(row) + columns.lowerBound, columns.count, opacity: opacity.factor)
            }
        }
    }

    /// Calls `body` for each row where a picture at (`x`, `y`) and the rows overlap, with the first pixels of both and
    /// their count.
    private func place(
        _ image: PixelBuffer, _ x: Int, _ y: Int, on rows: PixelRows,
        _ body: (UnsafePointer<UInt32>, UnsafeMutablePointer<UInt32>, Int) -> Void
    ) {
        // The comparisons also bound x and y, so that no sum below can overflow.
        guard x < rows.size.width, y < rows.size.height, x > -image.width, y > -image.height else { return }
        let columns = max(x, 0)..<min(x + image.width, rows.size.width)
        unsafe image.pixels.withUnsafeBufferPointer { source in
            guard let source = source.baseAddress else { return }
            for row in (y..<y + image.height).clamped(to: rows.range) {
                unsafe body(
                    source + ((row - y) * image.width + columns.lowerBound - x), rows.row(row) + columns.lowerBound,
                    columns.count)
            }
        }
    }
}

extension WarpMesh {
    /// Returns the cells of a row or column of the mesh that overlap a range of the canvas.
    fileprivate func cells(_ origin: Int, _ nodes: Int, _ range: Range<Int>) -> Range<Int> {
        let end = origin + (nodes - 1) * spacing
        guard origin < range.upperBound, end > range.lowerBound else { return 0..<0 }
        // The sums stay in range: the mesh was checked, and the differences are within it.
        let first = origin < range.lowerBound ? (range.lowerBound - origin) / spacing : 0
        let last = end <= range.upperBound ? nodes - 1 : (range.upperBound - origin - 1) / spacing + 1
        return first..<min(last, nodes - 1)
    }
}
