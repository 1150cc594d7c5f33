import Portolan
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The parts of the page of all maps: small pictures of maps, `/overview/{map}[@2x].png`, its style and its script.
package struct OverviewEndpoint: Endpoint {
    package let root = "overview"
    /// The size of a picture in view pixels.
    static let size = (width: 320, height: 200)

    package init() {}

    package var operations: [APIOperation] {
        APIOperation.tiles("/overview/{map}", "A small picture of a map.", group: "Viewer")
            + [
                APIOperation("/overview/overview.css", "The style of the page.", group: "Viewer", [.ok("text/css")]),
                APIOperation(
                    "/overview/overview.js", "The script of the page.", group: "Viewer", [.ok("text/javascript")]),
            ]
    }

    private static let parts = [
        "overview.css": ServerResponse(page: PackageResources.overview_css, type: "text/css"),
        "overview.js": ServerResponse(page: PackageResources.overview_js, type: "text/javascript"),
    ]

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard path.count == 1, let name = path.first else {
            throw Problem(.notFound, "the path of a small picture is /overview/{map}.png")
        }
        if let part = Self.parts[name] { return context.answer(part, document: request) }
        let file = try RequestText.file(name)
        guard file.format.hasPixels else {
            throw Problem(.badRequest, "unknown format; pictures are png, jpg and webp", key: "format")
        }
        let map = try context.book.map(file.name)
        var picture = PictureRequest(
            of: map, in: try Self.viewport(of: map, ratio: file.ratio), as: file.format, key: "overview")
        picture.attribution = .none
        return try await context.answer(picture, to: request)
    }

    /// Returns the initial view of a map, or a view of its extent.
    private static func viewport(of map: PublishedMap, ratio: Int) throws(Problem) -> Viewport {
        var view = map.view
        view.setSize(ImageSize(width: size.width, height: size.height), pixelRatio: Double(ratio))
        if view.box == nil, view.center == nil {
            let degrees = map.degrees
            view.isFitting = false
            // A margin for marks at the border, and for a single point.
            let x = map.bounds == nil ? 0 : max((degrees[2] - degrees[0]) * 0.12, 0.0005)
            let y = map.bounds == nil ? 0 : max((degrees[3] - degrees[1]) * 0.12, 0.0005)
            view.box = Extent(
                minX: max(degrees[0] - x, -180), minY: max(degrees[1] - y, -85), maxX: min(degrees[2] + x, 180),
                maxY: min(degrees[3] + y, 85))
            view.boxCRS = .crs84
        }
        // The box may be outside the domain of the CRS.
        if let viewport = try? view.viewport(for: []) { return viewport }
        do { return try map.view.withSize(of: view).viewport(for: map.layers) } catch {
            throw Problem(.nothingToDraw, "the map has no extent to show", key: "map")
        }
    }
}

extension ViewRequest {
    /// Returns the view with the size of another.
    fileprivate func withSize(of other: ViewRequest) -> ViewRequest {
        var view = self
        view.setSize(other.size, pixelRatio: other.pixelRatio)
        return view
    }
}
