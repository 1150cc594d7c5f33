extension Canvas {
    /// Draws a picture through a mesh that tells for each place on the canvas where in the picture it is.
    ///
    /// Places outside the picture are not painted. Colours are interpolated bilinearly; where on average a step of one
    /// canvas pixel passes two or more of the picture, the picture is averaged first.
    public mutating func draw(_ image: PixelBuffer, through mesh: WarpMesh, opacity: Double = 1) {
        let factor = Self.factor(opacity)
        let columns = cells(mesh.originX, mesh.columns, mesh.spacing, size.width)
        let rows = cells(mesh.originY, mesh.rows, mesh.spacing, size.height)
        guard factor > 0, !columns.isEmpty, !rows.isEmpty else { return }
        let step = mesh.meanStep(columns: columns, rows: rows)
        let source = image.reduced(to: image.sizeForSampling(stepX: step.x, stepY: step.y))
        let scaleX = Double(source.width) / Double(image.width), scaleY = Double(source.height) / Double(image.height)
        let sampler = ImageSampler(size: source.size, edges: .clamped)
        let spacing = Double(mesh.spacing), canvas = size
        let texels = source.pixels.span
        let part = self.rows
        var pixels = buffer.pixels.mutableSpan
        for meshRow in rows {
            for meshColumn in columns {
                guard let cell = mesh.cell(column: meshColumn, row: meshRow) else { continue }
                for row in (max(cell.y, 0)..<min(cell.y + mesh.spacing, canvas.height)).clamped(to: part) {
                    let down = (Double(row - cell.y) + 0.5) / spacing
                    let left = cell.topLeft.toward(cell.bottomLeft, fraction: down)
                    let right = cell.topRight.toward(cell.bottomRight, fraction: down)
                    for column in max(cell.x, 0)..<min(cell.x + mesh.spacing, canvas.width) {
                        let place = left.toward(right, fraction: (Double(column - cell.x) + 0.5) / spacing)
                        guard let pixel = sampler.sample(texels, x: place.x * scaleX, y: place.y * scaleY) else {
                            continue
                        }
                        let index = (row - part.lowerBound) * canvas.width + column
                        pixels[index] = SourceOver.blend(SourceOver.scale(pixel, by: factor), over: pixels[index])
                    }
                }
            }
        }
    }

    /// The cells of one row or column of a mesh that overlap the canvas.
    private func cells(_ origin: Int, _ nodes: Int, _ spacing: Int, _ length: Int) -> Range<Int> {
        let end = origin + (nodes - 1) * spacing
        guard origin < length, end > 0 else { return 0..<0 }
        // The sums stay in range: the mesh was checked, and the differences are within it.
        let first = origin < 0 ? (0 - origin) / spacing : 0
        let last = end <= length ? nodes - 1 : (length - origin - 1) / spacing + 1
        return first..<min(last, nodes - 1)
    }
}

extension WarpMesh {
    /// How many of the picture's pixels one canvas pixel passes in x and y, on average over some cells.
    func meanStep(columns: Range<Int>, rows: Range<Int>) -> Point {
        var x = 0.0, y = 0.0, count = 0.0
        for row in rows {
            for column in columns {
                guard let cell = cell(column: column, row: row) else { continue }
                let rightX = cell.topRight.x - cell.topLeft.x, downX = cell.bottomLeft.x - cell.topLeft.x
                let rightY = cell.topRight.y - cell.topLeft.y, downY = cell.bottomLeft.y - cell.topLeft.y
                x += (rightX * rightX + downX * downX).squareRoot()
                y += (rightY * rightY + downY * downY).squareRoot()
                count += Double(spacing)
            }
        }
        return count > 0 ? Point(x: x / count, y: y / count) : Point(x: 1, y: 1)
    }
}
