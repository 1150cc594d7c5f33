import PortolanFeatures
package import PortolanPlan
import PortolanRaster
import PortolanWeb
import Synchronization

/// Measures which parts of a picture its layers take, by painting them into coarse cells.
///
/// The result depends on the scene alone, so that all outputs have their furniture in the same positions.
struct ContentMeter {
    /// The largest number of cells along a side, which limits the memory for large prints.
    private static let mostCells = 1024.0

    private let size: ImageSize
    private let side: Double
    private let columns: Int, rows: Int
    private var cells: [PictureContent.Kind]
    private var areas: Canvas
    /// The pass that is painted.
    private var pass = FeaturePainter.Pass.areas

    /// Returns the content of a scene, without images, the background and base maps of vector tiles.
    ///
    /// - Parameter passes: the kinds of drawings that count.
    static func content(
        of scene: Scene, images: [NamedURL: PixelBuffer],
        passes: Set<FeaturePainter.Pass> = Set(FeaturePainter.Pass.allCases), while isWanted: () -> Bool = { true }
    ) -> PictureContent? {
        let viewport = scene.viewport
        guard var meter = ContentMeter(viewport) else { return nil }
        for layer in scene.layers where layer.opacity > 0 {
            for step in layer.nodes.flatMap(\.featureSteps) where step.hasShapes && !step.isOfBaseMap {
                let painter = FeaturePainter(
                    step: step, viewport: viewport, images: images, traced: TracedPicture())
                painter.forEachDrawing(in: passes, threads: 1, while: isWanted) { pass, drawing in
                    meter.pass = pass
                    meter.paint(drawing)
                }
            }
            meter.pass = .marks
            for step in layer.nodes.flatMap(\.pointSteps) {
                PointPainter(step: step.asMarks, viewport: viewport).paint(on: &meter, threads: 1)
            }
        }
        return meter.content
    }

    private init?(_ viewport: Viewport) {
        size = viewport.imageSize
        let longest = Double(max(size.width, size.height))
        side = max(PictureContent.cell * viewport.pixelRatio, longest / Self.mostCells)
        columns = Int((Double(size.width) / side).rounded(.up))
        rows = Int((Double(size.height) / side).rounded(.up))
        guard let cells = ImageSize(width: columns, height: rows) else { return nil }
        self.cells = Array(repeating: .nothing, count: cells.pixelCount)
        areas = Canvas(size: cells)
    }

    private var content: PictureContent {
        var cells = cells
        for (place, pixel) in areas.buffer.pixels.enumerated()
        where cells[place] == .nothing && Pixel(bits: pixel).alpha > 127 {
            cells[place] = .area
        }
        return PictureContent(cells, columns: columns, side: side)
    }

    private mutating func cover(_ box: Rectangle?) {
        guard let box, box.minX.isFinite, box.minY.isFinite, box.maxX.isFinite, box.maxY.isFinite else { return }
        func clamped(_ value: Double, _ limit: Int) -> Int {
            Int(min(max((value / side).rounded(.down), 0), Double(limit)))
        }
        guard box.maxX >= 0, box.maxY >= 0, box.minX < Double(size.width), box.minY < Double(size.height) else {
            return
        }
        let last = (column: clamped(box.maxX, columns - 1), row: clamped(box.maxY, rows - 1))
        for row in clamped(box.minY, rows - 1)...last.row {
            for column in clamped(box.minX, columns - 1)...last.column { cells[row * columns + column] = .mark }
        }
    }

    /// Marks the cells along the segments of a path.
    private mutating func trace(_ path: Path) {
        var start = Point(x: 0, y: 0), last = start
        for element in path.elements {
            switch element {
            case .move(let point): (start, last) = (point, point)
            case .line(let point), .quad(_, let point), .cubic(_, _, let point):
                trace(from: last, to: point)
                last = point
            case .close:
                trace(from: last, to: start)
                last = start
            }
        }
    }

    private mutating func trace(from start: Point, to end: Point) {
        let reach = max(abs(end.x - start.x), abs(end.y - start.y)) / side * 2
        guard reach.isFinite else { return }
        // Lines are clipped to the picture before.
        let count = Int(min(reach.rounded(.up) + 1, Double(4 * (columns + rows))))
        for number in 0...count {
            let share = Double(number) / Double(count)
            let x = ((start.x + share * (end.x - start.x)) / side).rounded(.down)
            let y = ((start.y + share * (end.y - start.y)) / side).rounded(.down)
            guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { continue }
            let place = Int(y) * columns + Int(x)
            cells[place] = max(cells[place], .line)
        }
    }
}

extension ContentMeter: PaintTarget {
    mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor) {
        guard color.alpha > 0 else { return }
        if pass == .areas {
            areas.fill(path.transformed(by: .scale(x: 1 / side, y: 1 / side)), rule: rule, color: .black)
        } else {
            cover(path.boundingRectangle)
        }
    }

    mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor) {
        guard color.alpha > 0 else { return }
        switch pass {
        case .areas, .lines: trace(path)
        case .marks: cover(Mark.Part.stroke(path, style, color).bounds)
        // They lie below the lines.
        case .casings: break
        }
    }

    mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges) {
        guard pass == .marks else { return }
        cover(Rectangle(image.pixels.size).bounds(after: transform))
    }

    mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {}

    mutating func draw(_ mark: Mark, at places: [Point]) {
        let bounds = mark.parts.compactMap(\.bounds)
        guard let first = bounds.first else { return }
        let box = bounds.reduce(first) { $0.union($1) }
        for place in places { cover(box.moved(x: place.x, y: place.y)) }
    }

    mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Self) throws(E) -> Void) throws(E) {
        try body(&self)
    }
}

extension MapPainter {
    /// Returns the parts of a picture without images that its layers take.
    package static func content(of scene: Scene) -> PictureContent? { ContentMeter.content(of: scene, images: [:]) }

    /// Returns the parts of a picture without images that the marks of its layers take.
    package static func marks(of scene: Scene) -> PictureContent? {
        ContentMeter.content(of: scene, images: [:], passes: [.marks])
    }
}

extension Scene.FeatureStep {
    /// Whether it draws vector tiles, which usually fill the whole picture.
    fileprivate var isOfBaseMap: Bool { content.source.tileZoom != nil }
}

/// The content of a picture, measured when it is first needed.
final class MeasuredContent: Sendable {
    private let content = Mutex<PictureContent??>(nil)

    /// Returns the content, which `measure` returns the first time.
    func content(_ measure: () -> PictureContent?) -> PictureContent? {
        content.withLock { known in
            if let known { return known }
            let content = measure()
            known = .some(content)
            return content
        }
    }
}
