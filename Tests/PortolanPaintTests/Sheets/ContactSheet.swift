import PortolanRaster

/// Several small pictures of the same size on one canvas, in rows.
struct ContactSheet {
    let cellWidth: Int
    let cellHeight: Int
    var canvas: Canvas

    init(columns: Int, rows: Int, cellWidth: Int, cellHeight: Int) throws {
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
        canvas = Canvas(size: try SampleScene.size(columns * cellWidth, rows * cellHeight), background: .white)
    }

    /// The way from a cell's own pixels to the sheet's.
    func place(_ column: Int, _ row: Int) -> AffineTransform {
        .translation(x: Double(column * cellWidth), y: Double(row * cellHeight))
    }

    mutating func stroke(_ path: Path, _ style: StrokeStyle, _ color: MapColor, column: Int, row: Int) {
        canvas.stroke(path.transformed(by: place(column, row)), style: style, color: color)
    }

    mutating func fill(_ path: Path, _ rule: Path.FillRule, _ color: MapColor, column: Int, row: Int) {
        canvas.fill(path.transformed(by: place(column, row)), rule: rule, color: color)
    }

    mutating func draw(
        _ image: PixelBuffer, _ transform: AffineTransform, opacity: Double = 1, edges: PaintImage.Edges = .smooth,
        column: Int, row: Int
    ) {
        canvas.draw(image, transform: transform.then(place(column, row)), opacity: opacity, edges: edges)
    }
}
