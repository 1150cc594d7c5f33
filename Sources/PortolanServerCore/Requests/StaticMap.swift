import Portolan
import PortolanFeatures
package import PortolanGeo
import PortolanPlan
import PortolanRaster

/// A map picture with the client's own paths and markers, independent of the request syntax.
///
/// Coordinates are in degrees, zoom levels refer to tiles of 256 pixels, and the picture is in Web Mercator.
package struct StaticMap: Hashable, Sendable {
    /// The location of the view.
    package enum Place: Hashable, Sendable {
        /// A centre, a zoom level, and the bearing that points up.
        case center(Coordinate, zoom: Double, bearing: Double = 0)
        /// A centre, with the highest zoom level that shows all overlays and visible coordinates.
        case around(Coordinate)
        /// A bounding box.
        case box(BoundingBox)
        /// The extent of all overlays and visible coordinates.
        case overlays
    }

    /// The free margin around fitted content.
    package enum Padding: Hashable, Sendable {
        /// A fraction of the fitted size, on each side.
        case share(Double)
        /// Pixels at the top, right, bottom and left.
        case pixels(top: Double, right: Double, bottom: Double, left: Double)
    }

    /// The name of the map.
    package var map: String
    /// The location of the view.
    package var place: Place
    /// The width in view pixels.
    package var width: Int
    /// The height in view pixels.
    package var height: Int
    /// The number of picture pixels per view pixel, 1 to 4.
    package var ratio: Int
    /// The image format.
    package var format: ServedFormat
    /// The margin around fitted content.
    package var padding = Padding.share(0.1)
    /// The highest zoom level for fitting.
    package var maximumZoom: Double?
    /// The overlays, bottom first.
    package var overlays: [Overlay] = []
    /// Further coordinates that must be visible.
    package var visible: [Coordinate] = []
    /// The changes of the map's style.
    package var changes = StyleChanges()
    /// The parameters of the request that have no effect.
    package var ignored: [String] = []

    /// Creates a static map without overlays.
    package init(map: String, place: Place, width: Int, height: Int, ratio: Int = 1, format: ServedFormat = .png) {
        self.map = map
        self.place = place
        self.width = width
        self.height = height
        self.ratio = ratio
        self.format = format
    }

    /// The zoom level of a single coordinate without a requested level.
    private static let usualZoom = 17.0

    /// Returns the picture request for a map.
    ///
    /// - Parameter key: identifies the whole request.
    /// - Throws: ``Problem`` if the picture exceeds the limits, or there is nothing to show.
    package func picture(
        of map: PublishedMap, limits: ServingLimits, key: String
    ) throws(Problem) -> PictureRequest {
        try check(limits)
        let viewport = try viewport()
        var picture = PictureRequest(of: map, in: viewport, as: format, key: "static " + key)
        picture.attribution = .automatic
        let parts = try changes.applied(to: map.layers)
        picture.layers = parts.below + parts.above
        guard !overlays.isEmpty else { return picture }
        var source = FeatureSource(features: [])
        for overlay in overlays.map({ $0.shifted(in: viewport) }) {
            if let style = overlay.style {
                source.append(overlay.feature, style: style)
            } else {
                source.append(overlay.feature)
            }
        }
        picture.layers.insert(MapLayer(name: "(overlays)", source: source), at: parts.below.count)
        return picture
    }

    /// Checks the size and the overlays.
    ///
    /// - Throws: ``Problem`` with the key.
    func check(_ limits: ServingLimits) throws(Problem) {
        try limits.check(width: width, height: height, ratio: Double(ratio), key: "size")
        guard overlays.count <= limits.overlays else {
            throw Problem(.badRequest, "an image can have at most \(limits.overlays) paths, markers and features")
        }
        let vertexCount = overlays.reduce(0) { $0 + $1.vertexCount }
        guard vertexCount <= limits.vertices else {
            throw Problem(.badRequest, "the overlays can have at most \(limits.vertices) vertices")
        }
    }

    private func viewport() throws(Problem) -> Viewport {
        guard let size = ImageSize(width: width, height: height) else {
            throw Problem(.badRequest, "\(width)x\(height) is not a valid image size", key: "size")
        }
        switch place {
        case .center(let center, let zoom, let bearing): return try viewport(center, zoom, bearing, size)
        case .box(let box): return try fitting(box, size)
        case .overlays:
            guard let box = BoundingBox(allPlaces) else {
                throw Problem(.nothingToDraw, "no path, marker or feature to fit", key: "auto")
            }
            return try fitting(box, size)
        case .around(let center):
            guard var box = BoundingBox(allPlaces) else {
                return try viewport(center, maximumZoom ?? Self.usualZoom, 0, size)
            }
            for place in allPlaces {
                box.add(Coordinate(x: 2 * center.x - place.x, y: 2 * center.y - place.y))
            }
            box.add(center)
            let fitted = try fitting(box, size)
            return try viewport(center, fitted.resolution.zoom(in: .webMercator), 0, size)
        }
    }

    private var allPlaces: [Coordinate] {
        overlays.flatMap { overlay -> [Coordinate] in
            guard let box = overlay.feature.geometry?.boundingBox else { return [] }
            return [Coordinate(x: box.minX, y: box.minY), Coordinate(x: box.maxX, y: box.maxY)]
        } + visible
    }

    private func viewport(
        _ center: Coordinate, _ zoom: Double, _ bearing: Double, _ size: ImageSize
    ) throws(Problem) -> Viewport {
        guard (0...24).contains(zoom), let resolution = Resolution(zoom: zoom, in: .webMercator) else {
            throw Problem(.badRequest, "level \(zoom) must be between 0 and 24", key: "zoom")
        }
        do {
            return try Viewport(
                center: try mercator(center), resolution: resolution, rotation: bearing, size: size,
                pixelRatio: Double(ratio))
        } catch let problem as Problem { throw problem } catch { throw Problem(.badRequest, "\(error)") }
    }

    private func mercator(_ place: Coordinate) throws(Problem) -> Coordinate {
        guard abs(place.x) <= 540, abs(place.y) < 90,
            let transform = try? CoordinateTransform(from: .crs84, to: .webMercator),
            let moved = transform(place)
        else {
            throw Problem(
                .badRequest, "\(place.x), \(place.y) is outside the area of the map (longitude, latitude)", key: "place"
            )
        }
        return moved
    }

    /// Returns the view that fits a bounding box in degrees.
    private func fitting(_ box: BoundingBox, _ size: ImageSize) throws(Problem) -> Viewport {
        let low = try mercator(Coordinate(x: box.minX, y: box.minY))
        let high = try mercator(Coordinate(x: box.maxX, y: box.maxY))
        var spanX = high.x - low.x, spanY = high.y - low.y
        var left = 0.0, right = 0.0, top = 0.0, bottom = 0.0
        switch padding {
        case .share(let share):
            spanX *= 1 + 2 * share
            spanY *= 1 + 2 * share
        case .pixels(let above, let beside, let below, let before):
            (top, right, bottom, left) = (above, beside, below, before)
        }
        let width = Double(size.width) - left - right, height = Double(size.height) - top - bottom
        guard width >= 1, height >= 1 else {
            throw Problem(.badRequest, "the padding leaves no room in the image", key: "padding")
        }
        // A single point has no extent. The world is not shown smaller than a tile.
        let finest = Resolution(
            zoom: min(maximumZoom ?? (spanX > 0 || spanY > 0 ? 24 : Self.usualZoom), 24), in: .webMercator)
        let coarsest = Resolution(zoom: 0, in: .webMercator)
        let needed = min(
            max(spanX / width, spanY / height, finest?.unitsPerPixel ?? 0), coarsest?.unitsPerPixel ?? .infinity)
        guard let resolution = Resolution(unitsPerPixel: needed) else {
            throw Problem(.badRequest, "the box is too small or too large", key: "place")
        }
        let center = Coordinate(
            x: (low.x + high.x) / 2 + (right - left) / 2 * needed, y: (low.y + high.y) / 2 + (top - bottom) / 2 * needed
        )
        do {
            return try Viewport(center: center, resolution: resolution, size: size, pixelRatio: Double(ratio))
        } catch { throw Problem(.badRequest, "\(error)", key: "place") }
    }
}
