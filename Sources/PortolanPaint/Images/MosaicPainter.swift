import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Draws the images of a mosaic: first stitched without scaling, then resampled together.
struct MosaicPainter {
    let mosaic: Mosaic
    let viewport: Viewport
    let images: [Resource.ID: PixelBuffer]
    /// The images that are decoded each time they are painted.
    var stored: [Resource.ID: StoredImage] = [:]
    var transparent: MapColor.Key?
    /// The number of threads that prepare images.
    ///
    /// The picture does not depend on it.
    var threads = 1
    /// The addresses for targets that link images, each of which is then drawn separately even if it is scaled; `nil`
    /// for other targets.
    var addresses: [Resource.ID: String]?
    /// The rows of the picture that are painted, or `nil` for all.
    var rows: Range<Int>?

    /// Draws the received images of the mosaic.
    ///
    /// Missing images leave holes.
    func paint(into drawing: inout Drawing, opacity: Double) {
        guard let transform = MosaicTransform(from: mosaic, to: viewport, threads: threads, rows: rows) else { return }
        switch transform {
        case .shift(let x, let y):
            // Without resampling, each image is drawn directly at its position.
            guard addresses != nil else {
                let own = rows.map { $0.lowerBound - y..<$0.upperBound - y }
                for piece in pieces(in: own) {
                    drawing.draw(piece.image, atX: x + piece.x, y: y + piece.y, opacity: opacity)
                }
                return
            }
            for placement in mosaic.images {
                guard let image = fitted(placement) else { continue }
                drawing.draw(
                    painted(image, placement), atX: x + placement.x, y: y + placement.y,
                    opacity: opacity)
            }
        case .affine(let affine) where addresses != nil:
            for placement in mosaic.images {
                guard let image = fitted(placement) else { continue }
                let place = AffineTransform.translation(x: Double(placement.x), y: Double(placement.y))
                drawing.draw(
                    painted(image, placement), transform: place.then(affine),
                    opacity: opacity, edges: .clamped)
            }
        case .affine(let affine):
            if let box = window(by: affine) {
                guard let window = stitched(box) else { return }
                drawing.draw(window, transform: affine, opacity: opacity)
            } else if let whole = stitched() {
                drawing.draw(painted(whole), transform: affine, opacity: opacity, edges: .clamped)
            }
        case .mesh(let mesh):
            if let box = window(by: mesh) {
                guard let window = stitched(box) else { return }
                drawing.draw(window, through: mesh, opacity: opacity)
            } else if case .mesh(let mesh) = MosaicTransform(from: mosaic, to: viewport, threads: threads),
                let whole = stitched()
            {
                drawing.draw(painted(whole), through: mesh, opacity: opacity)
            }
        }
    }

    /// The box of the mosaic that is visible in the painted rows through a transform, or `nil` if all of it is needed:
    /// because all rows are painted, or the mosaic is averaged first.
    private func window(by transform: AffineTransform) -> Rectangle? {
        guard let rows, let inverse = transform.inverse, mosaic.size.forSampling(by: inverse) == mosaic.size else {
            return nil
        }
        let right = Double(viewport.imageSize.width), top = Double(rows.lowerBound), bottom = Double(rows.upperBound)
        return Rectangle(minX: 0, minY: top, maxX: right, maxY: bottom).bounds(after: inverse)
    }

    /// The same for a mesh.
    private func window(by mesh: WarpMesh) -> Rectangle? {
        guard rows != nil, let transform = try? CoordinateTransform(from: viewport.crs, to: mosaic.crs) else {
            return nil
        }
        // The averaging of the mosaic is determined by the whole picture.
        let search = MosaicMesh(mosaic: mosaic, viewport: viewport, transform: transform, threads: threads)
        let step = search.meanStep(spacing: mesh.spacing)
        return mosaic.size.forSampling(stepX: step.x, stepY: step.y) == mosaic.size ? mesh.box : nil
    }

    /// A window of the mosaic that contains a box and the adjacent samples, or `nil` if it is invisible.
    private func stitched(_ box: Rectangle) -> ImageWindow? {
        /// One pixel for the neighbour, and two for rounding.
        func range(_ low: Double, _ high: Double, _ end: Int) -> Range<Int> {
            let first = Int(min(max(low.rounded(.down) - 3, 0), Double(end)))
            return first..<max(Int(min(max(high.rounded(.up) + 3, 0), Double(end))), first)
        }
        let columns = range(box.minX, box.maxX, mosaic.size.width), rows = range(box.minY, box.maxY, mosaic.size.height)
        guard let size = ImageSize(width: columns.count, height: rows.count) else { return nil }
        let pieces = pieces(in: rows, columns).map { piece in
            PixelBuffer.Piece(image: piece.image, x: piece.x - columns.lowerBound, y: piece.y - rows.lowerBound)
        }
        guard !pieces.isEmpty else { return nil }
        var window = ImageWindow(
            PixelBuffer(size: size, stitching: pieces, threads: threads), x: columns.lowerBound, y: rows.lowerBound,
            of: mosaic.size)
        window?.resampling = mosaic.resampling
        return window
    }

    /// The address of an image that is drawn unchanged.
    private func address(of placement: Mosaic.Placement) -> String? {
        transparent == nil && placement.crop == nil && mosaic.adjustment.isNone ? addresses?[placement.resource] : nil
    }

    /// An image in the mosaic's way of resampling.
    private func painted(_ image: PixelBuffer, _ placement: Mosaic.Placement? = nil) -> PaintImage {
        var image = PaintImage(image, address: placement.flatMap(address))
        image.resampling = mosaic.resampling
        return image
    }

    private func stitched() -> PixelBuffer? {
        if mosaic.images.count == 1, let only = mosaic.images.first, only.x == 0, only.y == 0, only.size == mosaic.size
        {
            return fitted(only)
        }
        let pieces = pieces()
        return pieces.isEmpty ? nil : PixelBuffer(size: mosaic.size, stitching: pieces, threads: threads)
    }

    /// The received images in order, with their positions on the mosaic.
    ///
    /// - Parameters:
    ///   - rows: the rows of the mosaic that are needed, or `nil` for all.
    ///   - columns: the columns of the mosaic that are needed, or `nil` for all.
    private func pieces(in rows: Range<Int>? = nil, _ columns: Range<Int>? = nil) -> [PixelBuffer.Piece] {
        let placements = mosaic.images.filter { placement in
            (rows?.overlaps(placement.y..<placement.y + placement.size.height) ?? true)
                && (columns?.overlaps(placement.x..<placement.x + placement.size.width) ?? true)
        }
        let parts = max(min(threads, placements.count), 1)
        return Concurrent.map(parts) { part in
            placements[placements.count * part / parts..<placements.count * (part + 1) / parts].compactMap {
                placement in
                fitted(placement).map { PixelBuffer.Piece(image: $0, x: placement.x, y: placement.y) }
            }
        }.flatMap { $0 }
    }

    /// The image of a placement at its size on the mosaic; servers may send another size.
    private func fitted(_ placement: Mosaic.Placement) -> PixelBuffer? {
        guard
            var image = mosaic.made?.pixels ?? images[placement.resource] ?? stored[placement.resource]?.pixels
        else { return nil }
        // Before any resampling, which would mix the colour into adjacent pixels.
        if let transparent { image = transparent.clearing(image) }
        image = mosaic.adjustment.applied(to: image)
        guard let crop = placement.crop else { return Self.scaled(image, to: placement.size) }
        // The gutter is cut off before the images are stitched.
        var canvas = Canvas(size: placement.size)
        if image.size == crop.imageSize {
            canvas.copy(image, atX: -crop.x, y: -crop.y)
        } else {
            // Only the visible part is scaled, which is a small part of a coarser tile.
            let scale = AffineTransform.scale(
                x: Double(crop.imageSize.width) / Double(image.width),
                y: Double(crop.imageSize.height) / Double(image.height))
            canvas.draw(image, transform: scale.then(.translation(x: Double(-crop.x), y: Double(-crop.y))))
        }
        return canvas.buffer
    }

    private static func scaled(_ image: PixelBuffer, to size: ImageSize) -> PixelBuffer {
        guard image.size != size else { return image }
        var canvas = Canvas(size: size)
        canvas.draw(
            image,
            transform: .scale(
                x: Double(size.width) / Double(image.width), y: Double(size.height) / Double(image.height)))
        return canvas.buffer
    }
}
