import PortolanFeatures
import PortolanRaster

/// A placed icon, with or without a label.
struct PlacedIcon {
    let marker: MarkerSymbol
    /// The marked point, in picture pixels.
    private(set) var point: Point
    /// The rotation in degrees clockwise.
    let turn: Double
    /// The box.
    private(set) var box: Rectangle
    /// The stretchable parts of the picture, and the scale elsewhere, or `nil` if it is scaled as a whole.
    private let stretch: (PictureStretch, scale: Double)?

    /// Places an icon, or returns `nil` if nothing is visible.
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

    /// Places an icon behind a text, fitted to it.
    init?(_ icon: LabelSymbol.Icon, behind text: Rectangle, at place: Point, _ markers: MarkerPainter) {
        guard let fit = icon.fit, case .icon(var picture) = icon.marker, let width = picture.width,
            let height = picture.height, height > 0
        else { return nil }
        let ratio = markers.pixelRatio, padding = fit.padding.map { $0 * ratio }
        var box = Rectangle(
            minX: text.minX - padding[3], minY: text.minY - padding[0], maxX: text.maxX + padding[1],
            maxY: text.maxY + padding[2])
        // A direction without fitting is centred on the text.
        if !fit.isWide {
            box.minX = text.center.x - width / 2 * ratio
            box.maxX = box.minX + width * ratio
        }
        if !fit.isHigh {
            box.minY = text.center.y - height / 2 * ratio
            box.maxY = box.minY + height * ratio
        }
        // The text box is the content box of the picture.
        if let sprite = picture.picture, let stretch = sprite.stretch {
            box = stretch.whole(around: box, scale: height * ratio / Double(sprite.pixels.height), of: sprite.pixels)
            // Its parts are aligned to whole pixels.
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

    /// Returns the icon moved by a vector.
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
    /// The pixels of a built-in picture, or `nil` for other markers and pictures that must be fetched.
    var ownImage: PixelBuffer? { if case .icon(let icon) = self { icon.picture?.pixels } else { nil } }

    /// Returns the marker rotated further, in degrees clockwise.
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
