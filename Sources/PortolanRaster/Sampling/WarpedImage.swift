/// A picture to be drawn through a mesh, averaged first where a step on the canvas passes two or more of its pixels.
struct WarpedImage: Sendable {
    /// The image as it was given.
    let image: PaintImage
    /// The picture that is sampled.
    let source: PixelBuffer
    /// Where its pixels go.
    let mesh: WarpMesh
    /// Pixels of `source` for one pixel of the picture that the mesh speaks of.
    let scaleX: Double
    let scaleY: Double

    init(_ given: PaintImage, _ mesh: WarpMesh) {
        self.image = given
        let image = given.pixels
        self.mesh = mesh
        let step = mesh.meanStep
        source = image.reduced(to: image.sizeForSampling(stepX: step.x, stepY: step.y))
        scaleX = Double(source.width) / Double(image.width)
        scaleY = Double(source.height) / Double(image.height)
    }
}

extension WarpMesh {
    /// How many of the picture's pixels one canvas pixel passes in x and y, on average over all cells.
    var meanStep: Point {
        var x = 0.0, y = 0.0, count = 0.0
        for row in 0..<(rows - 1) {
            for column in 0..<(columns - 1) {
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
