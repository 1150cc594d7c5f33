import Portolan
import PortolanFeatures
package import PortolanGeo
import PortolanPlan
import PortolanRaster

/// A picture of a map with a client's own paths and marks, whatever the grammar it was asked for in.
///
/// Places are in degrees, levels those of tiles of 256 pixels, and the picture is in web mercator.
package struct StaticMap: Hashable, Sendable {
    /// What is shown.
    package enum Place: Hashable, Sendable {
        /// A place in the middle, at a level, with a bearing up.
        case center(Coordinate, zoom: Double, bearing: Double = 0)
        /// A place in the middle, and as near as all overlays and further places are seen.
        case around(Coordinate)
        /// All of a box.
        case box(BoundingBox)
        /// All overlays and further places.
        case overlays
    }

    /// Room that is kept free around what is fitted.
    package enum Padding: Hashable, Sendable {
        /// A share of what is fitted, at each side.
        case share(Double)
        /// Pixels at the top, the right, the bottom and the left.
        case pixels(top: Double, right: Double, bottom: Double, left: Double)
    }

    /// The name of the map.
    package var map: String
    /// What is shown.
    package var place: Place
    /// Pixels across, but for the ratio.
    package var width: Int
    /// Pixels down, but for the ratio.
    package var height: Int
    /// Pixels of the picture for each of these, 1 to 4.
    package var ratio: Int
    /// The format.
    package var format: ServedFormat
    /// Room around what is fitted.
    package var padding = Padding.share(0.1)
    /// The finest level that fitting goes to.
    package var maximumZoom: Double?
    /// What is on top, the lowest first.
    package var overlays: [Overlay] = []
    /// Further places that are to be seen.
    package var visible: [Coordinate] = []

    /// Makes one without overlays.
    package init(map: String, place: Place, width: Int, height: Int, ratio: Int = 1, format: ServedFormat = .png) {
        self.map = map
        self.place = place
        self.width = width
        self.height = height
        self.ratio = ratio
        self.format = format
    }

    /// The level of a single place that nobody asked to be seen closer.
    private static let usualZoom = 17.0

    /// The picture of a map.
    ///
    /// - Parameter key: what stands for all of the request.
    /// - Throws: ``Problem`` where it is larger than the limits, or shows nothing that there is.
    package func picture(
        of map: PublishedMap, limits: ServingLimits, key: String
    ) throws(Problem) -> PictureRequest {
        try limits.check(width: width, height: height, ratio: Double(ratio), key: "size")
        guard overlays.count <= limits.overlays else {
            throw Problem(.badRequest, "a picture has at most \(limits.overlays) paths, markers and features")
        }
        let vertexCount = overlays.reduce(0) { $0 + $1.vertexCount }
        guard vertexCount <= limits.vertices else {
            throw Problem(.badRequest, "what is on a picture has at most \(limits.vertices) vertices")
        }
        var picture = PictureRequest(of: map, in: try viewport(), as: format, key: "static " + key)
        picture.attribution = .automatic
        guard !overlays.isEmpty else { return picture }
        var source = FeatureSource(features: [])
        for overlay in overlays {
            if let style = overlay.style {
                source.append(overlay.feature, style: style)
            } else {
                source.append(overlay.feature)
            }
        }
        picture.layers.append(MapLayer(name: "(overlays)", source: source))
        return picture
    }

    private func viewport() throws(Problem) -> Viewport {
        guard let size = ImageSize(width: width, height: height) else {
            throw Problem(.badRequest, "\(width)x\(height) is no size of a picture", key: "size")
        }
        switch place {
        case .center(let center, let zoom, let bearing): return try viewport(center, zoom, bearing, size)
        case .box(let box): return try fitting(box, size)
        case .overlays:
            guard let box = BoundingBox(allPlaces) else {
                throw Problem(.nothingToDraw, "there is no path, marker or feature to fit", key: "auto")
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
            throw Problem(.badRequest, "level \(zoom) is not between 0 and 24", key: "zoom")
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
                .badRequest, "\(place.x), \(place.y) is no longitude and latitude of the map", key: "place")
        }
        return moved
    }

    /// The view of all of a box in degrees.
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
            throw Problem(.badRequest, "the padding leaves nothing of the picture", key: "padding")
        }
        // A single place has no span; the world is not shown smaller than a tile.
        let finest = Resolution(
            zoom: min(maximumZoom ?? (spanX > 0 || spanY > 0 ? 24 : Self.usualZoom), 24), in: .webMercator)
        let coarsest = Resolution(zoom: 0, in: .webMercator)
        let needed = min(
            max(spanX / width, spanY / height, finest?.unitsPerPixel ?? 0), coarsest?.unitsPerPixel ?? .infinity)
        guard let resolution = Resolution(unitsPerPixel: needed) else {
            throw Problem(.badRequest, "the box is too small or too large to be shown", key: "place")
        }
        let center = Coordinate(
            x: (low.x + high.x) / 2 + (right - left) / 2 * needed, y: (low.y + high.y) / 2 + (top - bottom) / 2 * needed
        )
        do {
            return try Viewport(center: center, resolution: resolution, size: size, pixelRatio: Double(ratio))
        } catch { throw Problem(.badRequest, "\(error)", key: "place") }
    }
}
