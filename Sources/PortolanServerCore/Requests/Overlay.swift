package import PortolanFeatures
package import PortolanGeo
package import PortolanRaster

/// What a client puts on a picture: a shape in degrees, and how it looks.
package struct Overlay: Hashable, Sendable {
    /// The shape, with no property that leads anywhere.
    package let feature: Feature
    /// The look, or `nil` where the feature says it itself, in simplestyle.
    package let style: Style?

    /// Makes an overlay of a shape and its look.
    package init(_ geometry: Geometry, style: Style) {
        feature = Feature(geometry: geometry)
        self.style = style
    }

    /// Makes an overlay of a feature of a client's document: of its properties those of simplestyle-spec 1.1 alone are kept,
    /// so that none names a picture to be fetched.
    package init(_ feature: Feature) {
        var properties = Properties()
        for key in SimpleStyleReader.keys { properties[key] = feature.properties[key] }
        self.feature = Feature(geometry: feature.geometry, properties: properties)
        style = nil
    }

    /// How many vertices it has.
    package var vertexCount: Int { feature.geometry?.coordinateCount ?? 0 }

    /// The overlays of a line or an area, the area beneath.
    ///
    /// - Parameters:
    ///   - stroke: the look of the line, or `nil` for none.
    ///   - fill: the colour of the area between the line's ends, or `nil` for none.
    package static func path(_ places: [Coordinate], stroke: LineSymbol?, fill: Color?) -> [Overlay] {
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

    /// A pin whose tip is at a place.
    package static func pin(
        at place: Coordinate, color: Color, radius: Double = 9, symbol: PinSymbol? = nil
    ) -> Overlay {
        let marker = ShapeMarker(
            shape: .pin, radius: radius, fill: FillSymbol(color: color),
            stroke: LineSymbol(color: Color(red: 0, green: 0, blue: 0).withOpacity(0.35), width: 1), symbol: symbol)
        return Overlay(.point(place), style: Style(marker: .shape(marker)))
    }

    /// The features of a client's GeoJSON.
    ///
    /// - Throws: ``Problem`` where it is none, with the place of the fault.
    package static func features(
        _ document: [UInt8], key: String, limits: ServingLimits
    ) throws(Problem) -> [Overlay] {
        let read = FeatureLimits(
            maximumByteCount: limits.bodyBytes, maximumFeatureCount: limits.overlays,
            maximumCoordinateCount: limits.vertices)
        do { return try GeoJSONReader.read(bytes: document, limits: read).features.map { Overlay($0) } } catch {
            throw Problem(.badRequest, "\(error)", key: key)
        }
    }
}

extension Color {
    /// The colour, as opaque as this says.
    func withOpacity(_ opacity: Double) -> Color {
        var color = self
        color.alpha = UInt8((min(max(opacity, 0), 1) * 255).rounded())
        return color
    }
}
