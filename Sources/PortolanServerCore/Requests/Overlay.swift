package import PortolanFeatures
package import PortolanGeo
import PortolanPlan
package import PortolanRaster

/// A shape in degrees with a style that a client adds to a picture.
package struct Overlay: Hashable, Sendable {
    /// The shape, without properties that could refer to other resources.
    package let feature: Feature
    /// The style, or `nil` if the simplestyle properties of the feature define it.
    package private(set) var style: Style?
    /// The image of the pin, or `nil` if the style has all that is drawn.
    package private(set) var icon: OverlayIcon?
    /// The distance of a pin from its coordinate in view pixels, to the right and down.
    package var shift = Shift(x: 0, y: 0)

    /// A distance in view pixels, to the right and down.
    package struct Shift: Hashable, Sendable {
        package var x: Double
        package var y: Double
    }

    /// Creates an overlay from a shape and its style.
    package init(_ geometry: Geometry, style: Style) {
        feature = Feature(geometry: geometry)
        self.style = style
    }

    /// Creates an overlay from a feature of a client's document.
    ///
    /// Only the properties of simplestyle-spec 1.1 are kept, so that no property can cause a fetch.
    package init(_ feature: Feature) {
        var properties = Properties()
        for key in SimpleStyleReader.keys { properties[key] = feature.properties[key] }
        self.feature = Feature(geometry: feature.geometry, properties: properties)
        style = nil
    }

    /// Creates a pin with an image.
    package init(icon: OverlayIcon, at place: Coordinate) {
        self.init(.point(place), style: Style())
        self.icon = icon
    }

    /// Sets the image of the pin.
    mutating func fill(_ marker: IconMarker) {
        style = Style(marker: .icon(marker))
        icon = nil
    }

    /// The number of vertices.
    package var vertexCount: Int { feature.geometry?.coordinateCount ?? 0 }

    /// Returns the overlays of a line and the area that it encloses, the area at the bottom.
    ///
    /// - Parameters:
    ///   - stroke: the line style, or `nil` for none.
    ///   - fill: the fill colour, or `nil` for none.
    package static func path(_ places: [Coordinate], stroke: LineSymbol?, fill: MapColor?) -> [Overlay] {
        var overlays: [Overlay] = []
        if let fill, places.count > 2 {
            let ring = places.first == places.last ? places : places + places.prefix(1)
            overlays.append(Overlay(.polygon([ring]), style: Style(fill: FillSymbol(color: fill))))
        }
        if let stroke, stroke.width > 0, places.count > 1 {
            overlays.append(Overlay(.lineString(places), style: Style(stroke: stroke)))
        }
        return overlays
    }

    /// Returns the overlay with its point moved by ``shift`` in a Web Mercator view.
    func shifted(in viewport: Viewport) -> Overlay {
        guard shift != Shift(x: 0, y: 0), let style, let place = feature.geometry?.coordinates.first,
            let toMap = try? CoordinateTransform(from: .crs84, to: viewport.crs), let center = toMap(place),
            let toDegrees = try? CoordinateTransform(from: viewport.crs, to: .crs84)
        else { return self }
        var pixel = viewport.pixel(of: center)
        pixel.x += shift.x
        pixel.y += shift.y
        guard let moved = toDegrees(viewport.coordinate(at: pixel)) else { return self }
        return Overlay(.point(moved), style: style)
    }

    /// Returns a pin whose tip is at a coordinate.
    package static func pin(
        at place: Coordinate, color: MapColor, radius: Double = 9, symbol: PinSymbol? = nil
    ) -> Overlay {
        let marker = ShapeMarker(
            shape: .pin, radius: radius, fill: FillSymbol(color: color),
            stroke: LineSymbol(color: MapColor(red: 0, green: 0, blue: 0).withOpacity(0.35), width: 1), symbol: symbol)
        return Overlay(.point(place), style: Style(marker: .shape(marker)))
    }

    /// Returns the features of a client's GeoJSON.
    ///
    /// - Throws: ``Problem`` with the position of the error if the document is invalid.
    package static func features(
        _ document: [UInt8], key: String, limits: ServingLimits
    ) throws(Problem) -> [Overlay] {
        let read = FeatureLimits(
            maximumByteCount: limits.bodyBytes, maximumFeatureCount: limits.overlays,
            maximumCoordinateCount: limits.vertices)
        do { return try GeoJSONReader.read(document, limits: read).features.map { Overlay($0) } } catch {
            throw Problem(.badRequest, "\(error)", key: key)
        }
    }
}

extension MapColor {
    /// Returns the colour with another opacity.
    func withOpacity(_ opacity: Double) -> MapColor {
        var color = self
        color.alpha = UInt8((min(max(opacity, 0), 1) * 255).rounded())
        return color
    }
}
