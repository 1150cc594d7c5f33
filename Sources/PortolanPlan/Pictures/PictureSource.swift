public import PortolanGeo
import PortolanRaster
public import PortolanWeb

/// A picture of a known ground extent, such as a scanned map or a radar image (MapLibre Style Specification 8, sources
/// of type `image`).
///
/// ```swift
/// if let extent = Extent(minX: 2_770_000, minY: 8_430_000, maxX: 2_780_000, maxY: 8_440_000) {
///     let radar = PictureSource("https://example.org/radar.png", extent: extent, crs: .webMercator)
///     layers.append(MapLayer(name: "radar", source: radar))
/// }
/// ```
public struct PictureSource: LayerSource {
    /// The address of the picture.
    public var address: NamedURL
    /// The ground extent, from the left to the right side and from the bottom to the top of the picture.
    public var extent: Extent
    /// The CRS of the extent, in which the picture is evenly spaced.
    public var crs: CRS
    /// The resource name of the picture in the layer; its address unless set.
    var name: String?
    /// The ground box of a picture between four corners, or `nil` if the extent defines it.
    private var ground: BoundingBox?
    /// The four corners from the top left one clockwise, or `nil` for those of the extent.
    ///
    /// The extent must be the box around them. The picture is drawn as two triangles, which share the edge from the top
    /// right corner to the bottom left one.
    public var corners: [Coordinate]?

    /// Creates a source.
    public init(_ address: NamedURL, extent: Extent, crs: CRS) {
        self.address = address
        self.extent = extent
        self.crs = crs
    }

    /// Creates a source of a picture between four corners in longitude and latitude: lower left, lower right, upper
    /// right, upper left; `nil` if they enclose no area.
    public init?(_ address: NamedURL, corners: [Coordinate]) {
        guard corners.count == 4, let ground = BoundingBox(corners[...]) else { return nil }
        let isUpright =
            corners[0].y == corners[1].y && corners[2].y == corners[3].y && corners[0].x == corners[3].x
            && corners[1].x == corners[2].x && corners[0].x < corners[1].x && corners[0].y < corners[3].y
        if isUpright, let extent = ground.extent {
            self.init(address, extent: extent, crs: .crs84)
            return
        }
        guard let plane = QuadPlane(corners), let whole = Extent(minX: 0, minY: 0, maxX: 1, maxY: 1) else { return nil }
        let name = corners.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        self.init(
            address, extent: whole,
            crs: CRS(name: "quadrilateral \(name)", axisOrder: .eastNorth, unit: .meter, projection: plane))
        self.ground = ground
    }

    /// `picture`.
    public var kind: String { "picture" }

    /// The ground extent of the picture.
    public var bounds: LayerBounds? { ground.map { LayerBounds(geographic: $0) } ?? LayerBounds(extent, crs: crs) }

    /// Plans the picture in each visible copy of the world, once it has arrived.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        let shifts = try shifts(for: view)
        guard !shifts.isEmpty else { return LayerPlan() }
        let picture = Resource(
            id: view.id(.other(name ?? address.text)), location: .url(address), name: "picture", bounds: bounds)
        // The georeferencing depends on the picture size.
        guard let size = arrivals.image(picture.id)?.size else {
            return LayerPlan(resources: [picture], revision: .afterArrivals)
        }
        let mosaics = shifts.map { shift in
            var mosaic = Mosaic(
                crs: crs, topLeft: Coordinate(x: extent.minX + shift, y: extent.maxY),
                resolutionX: extent.width / Double(size.width), resolutionY: extent.height / Double(size.height),
                size: size, images: [Mosaic.Placement(resource: picture.id, x: 0, y: 0, size: size)])
            if corners?.count == 4 { mosaic.corners = corners?.map { Coordinate(x: $0.x + shift, y: $0.y) } }
            return Scene.Node.mosaic(mosaic)
        }
        return LayerPlan(resources: [picture], nodes: mosaics)
    }

    /// The offsets of the copies of the world that show the picture.
    private func shifts(for view: LayerView) throws(PlanError) -> [Double] {
        // The projection between four corners is only defined near them.
        guard ground == nil else { return [0] }
        guard let seen = try ViewInSource.fetched(view.viewport, margin: 0, sourceCRS: crs) else { return [] }
        return worldShifts(of: crs, in: seen).filter { extent.shifted(x: $0, y: 0)?.intersects(seen) ?? false }
    }
}
