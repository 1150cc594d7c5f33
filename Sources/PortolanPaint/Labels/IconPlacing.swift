import PortolanFeatures
import PortolanRaster

/// An icon that stands with a label, or without one: where, and how far it is turned.
struct PlacedIcon {
    let marker: MarkerSymbol
    /// The point that the mark stands on, in picture pixels.
    private(set) var point: Point
    /// Degrees clockwise.
    let turn: Double
    /// What it fills.
    private(set) var box: Rectangle
    /// How parts of the picture are stretched, and how many picture pixels one of its own is wide elsewhere; `nil` if it is
    /// drawn larger or smaller as a whole.
    private let stretch: (PictureStretch, scale: Double)?

    /// Makes one at a place, or gives `nil` where nothing is to be seen.
    ///
    /// - Parameter lineTurn: the direction of the line or of the map there, in degrees clockwise.
    init?(_ icon: LabelSymbol.Icon, at place: Point, turn lineTurn: Double, _ markers: MarkerPainter) {
        let turn = icon.rotation + lineTurn
        guard
            let extent = markers.extent(of: icon.marker.turned(by: turn), image: icon.marker.ownImage)
        else { return nil }
        let offset = AffineTransform.rotation(degrees: turn)(
            Point(x: icon.offsetX * markers.pixelRatio, y: icon.offsetY * markers.pixelRatio))
        marker = icon.marker
        stretch = nil
        point = Point(x: place.x + offset.x, y: place.y + offset.y)
        self.turn = turn
        box = extent.moved(x: point.x, y: point.y)
    }

    /// The same behind a text, as large as that wants it.
    init?(_ icon: LabelSymbol.Icon, behind text: Rectangle, at place: Point, _ markers: MarkerPainter) {
        guard let fit = icon.fit, case .icon(var picture) = icon.marker, let width = picture.width,
            let height = picture.height, height > 0
        else { return nil }
        let ratio = markers.pixelRatio, padding = fit.padding.map { $0 * ratio }
        var box = Rectangle(
            minX: text.minX - padding[3], minY: text.minY - padding[0], maxX: text.maxX + padding[1],
            maxY: text.maxY + padding[2])
        // What keeps its size lies about the middle of the text.
        if !fit.isWide {
            box.minX = text.center.x - width / 2 * ratio
            box.maxX = box.minX + width * ratio
        }
        if !fit.isHigh {
            box.minY = text.center.y - height / 2 * ratio
            box.maxY = box.minY + height * ratio
        }
        // What lies behind the text is the content of the picture, around which the rest stands.
        if let sprite = picture.picture, let stretch = sprite.stretch {
            box = stretch.whole(around: box, scale: height * ratio / Double(sprite.pixels.height), of: sprite.pixels)
            // Its parts stand at whole pixels.
            box = Rectangle(
                minX: box.minX.rounded(), minY: box.minY.rounded(), maxX: box.maxX.rounded(), maxY: box.maxY.rounded())
        }
        guard box.width > 0, box.height > 0, box.width < 1e4, box.height < 1e4 else { return nil }
        picture.width = box.width / ratio
        picture.height = box.height / ratio
        stretch = picture.picture.flatMap { sprite in
            sprite.stretch.map { ($0, height * ratio / Double(sprite.pixels.height)) }
        }
        marker = .icon(picture)
        point = box.center
        turn = 0
        self.box = box
    }

    /// The icon elsewhere.
    func moved(x: Double, y: Double) -> PlacedIcon {
        var icon = self
        icon.point = Point(x: point.x + x, y: point.y + y)
        icon.box = box.moved(x: x, y: y)
        return icon
    }

    /// Draws the icon.
    func paint(on canvas: inout some PaintTarget, _ markers: MarkerPainter) {
        var drawing = Drawing()
        switch marker.turned(by: turn) {
        case .shape(let shape): drawing.draw(markers.mark(shape), at: point)
        case .icon(let icon):
            guard let image = marker.ownImage else { break }
            let stretched = stretch.flatMap { stretch, scale in
                stretch.drawn(
                    image, width: box.width, height: box.height, scale: scale)
            }
            markers.paint(icon, image: stretched ?? image, at: point, into: &drawing)
        }
        canvas.paint(drawing)
    }
}

extension MarkerSymbol {
    /// The pixels of a picture that is there, or `nil` where there is none or it has to come.
    var ownImage: PixelBuffer? { if case .icon(let icon) = self { icon.picture?.pixels } else { nil } }

    /// The marker turned farther, in degrees clockwise.
    fileprivate func turned(by degrees: Double) -> MarkerSymbol {
        switch self {
        case .shape(var shape):
            shape.rotation += degrees
            return .shape(shape)
        case .icon(var icon):
            icon.rotation += degrees
            return .icon(icon)
        }
    }
}
