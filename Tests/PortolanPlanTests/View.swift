import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

/// Short ways to make what the tests of this room look at.
enum View {
    /// A view in web mercator given as slippy maps give it: longitude, latitude and zoom.
    static func slippy(
        _ longitude: Double, _ latitude: Double, zoom: Double, width: Int = 256, height: Int = 256,
        rotation: Double = 0, pixelRatio: Double = 1
    ) throws -> Viewport {
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        return try Viewport(
            center: #require(transform(Coordinate(longitude: longitude, latitude: latitude))),
            resolution: #require(Resolution(zoom: zoom, in: .webMercator)), rotation: rotation,
            size: #require(ImageSize(width: width, height: height)), pixelRatio: pixelRatio)
    }

    static func resolution(_ unitsPerPixel: Double) throws -> Resolution {
        try #require(Resolution(unitsPerPixel: unitsPerPixel))
    }

    static func make(
        x: Double = 0, y: Double = 0, resolution: Double = 1, width: Int = 256, height: Int = 256,
        rotation: Double = 0, pixelRatio: Double = 1, crs: CRS = .webMercator
    ) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: x, y: y), resolution: #require(Resolution(unitsPerPixel: resolution)),
            rotation: rotation, size: #require(ImageSize(width: width, height: height)), pixelRatio: pixelRatio,
            crs: crs)
    }
}

/// An image of a mosaic together with the resource that it is.
struct SeenImage: Equatable {
    let resource: Resource
    let placement: Mosaic.Placement
    var url: String { resource.location.description }
    var name: String { resource.name }
    var x: Int { placement.x }
    var y: Int { placement.y }
    var size: ImageSize { placement.size }
    var crop: Mosaic.Crop? { placement.crop }

    /// Ranks differ by the noise of fractions.
    static func == (left: SeenImage, right: SeenImage) -> Bool {
        left.placement == right.placement && left.resource.location == right.resource.location
    }
}

/// A planned mosaic with the resources of its images and of the margin around it.
@dynamicMemberLookup struct SeenMosaic {
    let mosaic: Mosaic
    let images: [SeenImage]
    let margin: [Resource]

    subscript<Value>(dynamicMember path: KeyPath<Mosaic, Value>) -> Value { mosaic[keyPath: path] }
}

extension LayerPlan {
    /// The mosaics with their resources; the margin is given with the first.
    var seen: [SeenMosaic] {
        let byID = Dictionary(resources.map { ($0.id, $0) }) { first, _ in first }
        return nodes.flatMap(\.mosaics).enumerated().map { number, mosaic in
            SeenMosaic(
                mosaic: mosaic,
                images: mosaic.images.compactMap { placement in
                    byID[placement.resource].map { SeenImage(resource: $0, placement: placement) }
                }, margin: number == 0 ? resources.filter { $0.use == .margin } : [])
        }
    }
}

extension LayerSource {
    func planned(
        _ view: Viewport, margin: Int = 0, traits: ServiceTraits = ServiceTraits(),
        given arrivals: Arrivals = Arrivals()
    ) throws(PlanError) -> LayerPlan {
        try plan(for: LayerView(view, layer: "a", margin: margin, traits: traits), given: arrivals)
    }

    func seen(_ view: Viewport, margin: Int = 0) throws(PlanError) -> [SeenMosaic] {
        try planned(view, margin: margin).seen
    }
}

extension MapPlan {
    /// The addresses of all that is shown, in drawing order, the images of the legend last.
    var shownURLs: [String] { resources.filter { $0.use == .shown }.map(\.location.description) }
}
