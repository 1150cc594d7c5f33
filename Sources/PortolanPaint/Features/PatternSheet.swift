import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// A picture that fills areas, repeated: it hangs at the map, so that what moves with it looks the same.
struct PatternSheet: Sendable {
    /// From what size on a picture is not repeated beforehand, in picture pixels.
    private static let side = 256
    /// How often the sheet is drawn for one area at the most; what is beyond is not seen.
    private static let maximumCount = 1 << 16

    /// The picture, repeated so that few sheets fill an area.
    private let sheet: PaintImage
    private let width: Double
    private let height: Double
    /// Leads from the sheet's pixels to the picture's.
    private let hanging: AffineTransform
    private let toSheet: AffineTransform

    /// Repeats a picture for a view; `nil` where nothing is seen of it.
    init?(_ picture: IconMarker.Source.Picture, _ viewport: Viewport) {
        // Whole pixels, so that no seams are seen between the repetitions.
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
        // The corner of the sheet nearest to the picture's middle, counted from the origin of the system.
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

    /// Fills the inside of a path by the even-odd rule, as far as it lies in a part of the picture.
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
