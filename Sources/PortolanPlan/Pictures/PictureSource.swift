public import PortolanGeo
import PortolanRaster
public import PortolanWeb

/// One picture that shows a known ground, such as a scanned map or an image of radar (MapLibre Style Specification 8, sources of
/// type `image`).
///
/// ```swift
/// let corners = try #require(Extent(minX: 2_770_000, minY: 8_430_000, maxX: 2_780_000, maxY: 8_440_000))
/// let source = PictureSource(.user("https://example.org/radar.png"), extent: corners, crs: .webMercator)
/// ```
public struct PictureSource: LayerSource {
    /// Where the picture is had.
    public var address: NamedURL
    /// The ground that it shows, from its left side to its right one and from its foot to its top.
    public var extent: Extent
    /// The system of the extent, in which the picture is evenly spread.
    public var crs: CRS

    /// Makes a source.
    public init(_ address: NamedURL, extent: Extent, crs: CRS) {
        self.address = address
        self.extent = extent
        self.crs = crs
    }

    /// `picture`.
    public var kind: String { "picture" }

    /// The ground that the picture shows.
    public var bounds: LayerBounds? { LayerBounds(extent, crs: crs) }

    /// The picture, once it has come, in each world in view.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanProblem) -> LayerPlan {
        guard let seen = try ViewInSource.fetched(view.viewport, margin: 0, sourceCRS: crs) else { return LayerPlan() }
        let shifts = worldShifts(of: crs, in: seen).filter {
            extent.shifted(x: $0, y: 0)?.intersects(seen) ?? false
        }
        guard !shifts.isEmpty else { return LayerPlan() }
        let picture = Resource(
            id: view.id(.other(address.text)), location: .url(address), name: "picture", bounds: bounds)
        // How large it is decides how it is spread.
        guard let size = arrivals.image(picture.id)?.size else {
            return LayerPlan(resources: [picture], revision: .afterArrivals)
        }
        let mosaics = shifts.map { shift in
            SceneNode.mosaic(
                Mosaic(
                    crs: crs, topLeft: Coordinate(x: extent.minX + shift, y: extent.maxY),
                    resolutionX: extent.width / Double(size.width), resolutionY: extent.height / Double(size.height),
                    size: size, images: [ImagePlacement(resource: picture.id, x: 0, y: 0, size: size)]))
        }
        return LayerPlan(resources: [picture], nodes: mosaics)
    }
}
