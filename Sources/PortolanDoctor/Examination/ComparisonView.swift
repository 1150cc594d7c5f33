import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices

/// The view of a layer for comparing maps of several versions and coordinate systems.
struct ComparisonView: Hashable, Sendable {
    let viewport: Viewport

    /// The width and height of the images, in pixels.
    static let side = 128

    /// The whole layer, or the part around its centre within its scale limits.
    init?(of layer: WMSCapabilities.Layer) {
        let box = layer.geographicBox
        let west = max(box?.minX ?? -180, -180), east = min(box?.maxX ?? 180, 180)
        let south = max(box?.minY ?? -80, -80), north = min(box?.maxY ?? 80, 80)
        self.init(
            west: west, south: south, east: east, north: north,
            scales: WMSScaleRange(minimum: layer.minScaleDenominator, maximum: layer.maxScaleDenominator))
    }

    /// The part of a layer in a transverse Mercator system, or `nil`.
    init?(of layer: WMSCapabilities.Layer, in crs: CRS) {
        guard let projection = crs.projection as? TransverseMercator else { return nil }
        let meridian = projection.centralMeridian
        let box = layer.geographicBox
        let west = max(box?.minX ?? -180, meridian - 2), east = min(box?.maxX ?? 180, meridian + 2)
        var south = max(box?.minY ?? -80, -80), north = min(box?.maxY ?? 80, 80)
        if north - south > 30 {
            // The centre of a large layer may be sea; most land is in the middle latitudes.
            let latitude = min(max(41, south + 2), north - 2)
            (south, north) = (latitude - 2, latitude + 2)
        }
        self.init(
            west: west, south: south, east: east, north: north,
            scales: WMSScaleRange(minimum: layer.minScaleDenominator, maximum: layer.maxScaleDenominator))
    }

    private init?(west: Double, south: Double, east: Double, north: Double, scales: WMSScaleRange) {
        // A layer with a single point is viewed from a few kilometres.
        let margin = 0.02
        guard west <= east, south <= north, let size = ImageSize(width: Self.side, height: Self.side),
            let transform = try? CoordinateTransform(from: .crs84, to: .webMercator),
            let low = transform(Coordinate(longitude: max(west - margin, -180), latitude: max(south - margin, -85))),
            let high = transform(Coordinate(longitude: min(east + margin, 180), latitude: min(north + margin, 85))),
            let extent = Extent(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
        else { return nil }
        var units = max(extent.width, extent.height) * 0.96 / Double(Self.side)
        if let denominator = Resolution(unitsPerPixel: units)?.scaleDenominator(in: .webMercator) {
            if let most = scales.maximum, denominator >= most / 2 { units *= most / 2 / denominator }
            if let least = scales.minimum, denominator < least * 2 { units *= least * 2 / denominator }
        }
        guard let resolution = Resolution(unitsPerPixel: units),
            let viewport = try? Viewport(center: extent.center, resolution: resolution, size: size)
        else { return nil }
        self.viewport = viewport
    }

    /// The view's extent in another system, or `nil` if that does not cover it.
    func extent(in crs: CRS) -> Extent? {
        guard let transform = try? CoordinateTransform(from: .webMercator, to: crs) else { return nil }
        return transform(viewport.extent)
    }
}
