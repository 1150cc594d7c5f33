import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// A repeated picture that fills areas.
///
/// It is anchored to the map, so that it moves with the ground.
struct PatternSheet: Sendable {
    /// The size from which a picture is not repeated in advance, in picture pixels.
    private static let side = 256
    /// The largest number of sheets drawn for one area; further ones are not visible.
    private static let maximumCount = 1 << 16

    /// The picture, repeated so that few sheets fill an area.
    private let sheet: PaintImage
    private let width: Double
    private let height: Double
    /// The transform from the sheet's pixels to the picture's.
    private let hanging: AffineTransform
    private let toSheet: AffineTransform

    /// Repeats a picture for a view, or returns `nil` if it is invisible.
    init?(_ picture: IconMarker.Source.Picture, _ viewport: Viewport) {
        // Whole pixels, so that no seams are visible between the repetitions.
        let scale = viewport.pixelRatio
        let width = Int((picture.width * scale).rounded()), height = Int((picture.height * scale).rounded())
        guard width > 0, height > 0, width <= ImageSize.maximumSide, height <= ImageSize.maximumSide else { return nil }
        let columns = max(Self.side / width, 1), rows = max(Self.side / height, 1)
        guard let size = ImageSize(width: columns * width, height: rows * height) else { return nil }
        var canvas = Canvas(size: size)
        let fitted = AffineTransform.scale(
            x: Double(width) / Double(picture.pixels.width), y: Double(height) / Double(picture.pixels.height))
        let image = PaintImage(picture.pixels)
        for row in 0..<rows {
            for column in 0..<columns {
                let place = AffineTransform.translation(x: Double(column * width), y: Double(row * height))
                canvas.draw(image, transform: fitted.then(place), opacity: 1, edges: .clamped)
            }
        }
        sheet = PaintImage(canvas.buffer)
        self.width = Double(size.width)
        self.height = Double(size.height)
        let pixel = viewport.resolution.unitsPerPixel / scale, extent = viewport.center
        // The sheet corner nearest to the middle of the picture, counted from the origin of the CRS.
        let x = (extent.x / pixel).remainder(dividingBy: self.width)
        let y = (-extent.y / pixel).remainder(dividingBy: self.height)
        let middle = viewport.imageSize, (cosine, sine) = viewport.upAxis
        let turned = AffineTransform(a: cosine, b: -sine, c: sine, d: cosine, tx: 0, ty: 0)
        let start = AffineTransform.translation(x: -x.rounded(), y: -y.rounded())
        let center = AffineTransform.translation(
            x: (Double(middle.width) / 2).rounded(.down), y: (Double(middle.height) / 2).rounded(.down))
        hanging = start.then(turned).then(center)
        guard let inverse = hanging.inverse else { return nil }
        toSheet = inverse
    }

    /// Fills the inside of a path by the even-odd rule, within a part of the picture.
    func fill(_ path: Path, within area: Rectangle, opacity: Double, into drawing: inout Drawing) {
        guard let box = path.boundingRectangle else { return }
        let left = max(box.minX, area.minX), right = min(box.maxX, area.maxX)
        let top = max(box.minY, area.minY), bottom = min(box.maxY, area.maxY)
        guard left < right, top < bottom else { return }
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)].map {
            toSheet(Point(x: $0.0, y: $0.1))
        }
        func range(_ values: [Double], _ step: Double) -> ClosedRange<Int> {
            let first = ((values.min() ?? 0) / step).rounded(.down), last = ((values.max() ?? 0) / step).rounded(.down)
            return Int(first)...Int(max(first, last))
        }
        let columns = range(corners.map(\.x), width), rows = range(corners.map(\.y), height)
        guard columns.count * rows.count <= Self.maximumCount else { return }
        drawing.group(PaintGroup(opacity: opacity, clip: path, clipRule: .evenOdd)) { group in
            for row in rows {
                for column in columns {
                    let place = AffineTransform.translation(x: Double(column) * width, y: Double(row) * height)
                    group.draw(sheet, transform: place.then(hanging), opacity: 1, edges: .clamped)
                }
            }
        }
    }
}
