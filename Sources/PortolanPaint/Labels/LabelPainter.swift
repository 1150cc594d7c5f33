import PortolanFeatures
import PortolanRaster
import PortolanText

/// Draws the text of a label at the place it has got.
struct LabelPainter {
    /// Picture pixels a pixel of the style.
    let pixelRatio: Double

    /// Draws a label: first the box behind it, then all of its halo, then the letters.
    func paint(_ label: PlacedLabel, on canvas: inout Canvas) {
        let symbol = label.symbol
        if let background = symbol.background {
            paintBackground(of: label.text, label.pose, color: background.color, on: &canvas)
        }
        let path = path(of: label.text, label.pose)
        if let outline = symbol.outline {
            canvas.stroke(
                path, style: StrokeStyle(width: 2 * outline.width * pixelRatio, join: .round), color: outline.color)
        }
        canvas.fill(path, color: symbol.color)
    }

    private func paintBackground(
        of text: LabelText, _ pose: LabelPose, color: Color, on canvas: inout Canvas
    ) {
        switch pose {
        case .upright(let origins):
            guard let box = text.plate(at: origins) else { return }
            canvas.fill(.rectangle(x: box.minX, y: box.minY, width: box.width, height: box.height), color: color)
        case .turned(let transform):
            guard let box = text.plate(of: 0) else { return }
            let path = Path.rectangle(x: box.minX, y: box.minY, width: box.width, height: box.height)
            canvas.fill(path.transformed(by: transform), color: color)
        case .bent(let transforms):
            guard let box = text.plate(of: 0), let line = text.lines.first else { return }
            // A band along the letters' middle, as wide as the box is high.
            let middle = (box.minY + box.maxY) / 2
            var band: [Point] = []
            for (cluster, transform) in zip(line.clusters, transforms) {
                if band.isEmpty { band.append(transform(Point(x: box.minX, y: middle))) }
                band.append(transform(Point(x: cluster.x + cluster.advance / 2, y: middle)))
            }
            if let last = transforms.last { band.append(last(Point(x: box.maxX, y: middle))) }
            canvas.stroke(.polyline(band), style: StrokeStyle(width: box.height, join: .round), color: color)
        }
    }

    private func path(of text: LabelText, _ pose: LabelPose) -> Path {
        var path = Path()
        switch pose {
        case .upright(let origins):
            for (line, origin) in zip(text.lines, origins) {
                path.append(line.outline.transformed(by: .translation(x: origin.x, y: origin.y)))
            }
        case .turned(let transform):
            if let line = text.lines.first { path = line.outline.transformed(by: transform) }
        case .bent(let transforms):
            guard let line = text.lines.first else { break }
            let elements = line.outline.elements
            for (cluster, transform) in zip(line.clusters, transforms) {
                path.append(elements[cluster.elements], movedBy: transform)
            }
        }
        return path
    }
}

extension Path {
    /// Adds elements with each of their points moved by `transform`.
    fileprivate mutating func append(_ elements: ArraySlice<Element>, movedBy transform: AffineTransform) {
        for element in elements {
            switch element {
            case .move(let point): move(to: transform(point))
            case .line(let point): line(to: transform(point))
            case .quad(let control, let end): quad(control: transform(control), to: transform(end))
            case .cubic(let first, let second, let end):
                cubic(control1: transform(first), control2: transform(second), to: transform(end))
            case .close: close()
            }
        }
    }
}
