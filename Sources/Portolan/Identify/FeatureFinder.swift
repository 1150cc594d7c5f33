import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Finds the features at a position in a picture: no hidden features, all copies of the world, and markers in their
/// drawn size.
struct FeatureFinder {
    /// The view to search.
    let viewport: Viewport
    /// The view pixel.
    let pixel: Point
    /// The maximum distance from a feature in view pixels.
    let tolerance: Double
    /// The style labels and icons in the last picture.
    var symbols = ShownSymbols()
    /// The vector tiles around the position.
    var arrivals = Arrivals()

    /// A found feature, and its rank: 0 for markers, 1 for lines, 2 for areas at the position, 3 for areas near it.
    ///
    /// Lower ranks are harder to hit.
    struct Hit {
        let feature: Feature
        let rank: Int
        /// The CRS of the feature's coordinates.
        let crs: CRS
        /// The identity of the feature, independent of the style layers that draw it.
        fileprivate let place: Place
    }

    /// The index of a feature in its source.
    fileprivate struct Place: Hashable {
        let content: UInt64
        let number: Int32
    }

    /// Returns the features of a layer at the position, the topmost first, or `nil` if the layer has no features.
    ///
    /// Only the surroundings of the position are planned.
    ///
    /// - Complexity: O(log features + features near the position).
    func hits(in layer: MapLayer, limit: Int, below rank: Int = Int.max) -> [Hit]? {
        guard let around = viewport.around(pixel, reach: tolerance + 1),
            let plan = try? layer.source.plan(
                for: LayerView(around, layer: layer.name), given: arrivals)
        else { return nil }
        let steps = plan.nodes.flatMap(\.featureSteps)
        var hits = rank > 0 ? symbolHits(in: layer) : []
        guard !steps.isEmpty || !hits.isEmpty else { return nil }
        var found = Set(hits.map(\.place))
        for step in steps.reversed() where !step.isGround {
            hits += self.hits(in: step, limit: limit, below: rank).filter { found.insert($0.place).inserted }
        }
        return Array((0...3).flatMap { rank in hits.filter { $0.rank == rank } }.prefix(limit))
    }

    /// Returns the features whose labels and icons are at the position, the topmost first, without duplicates.
    private func symbolHits(in layer: MapLayer) -> [Hit] {
        let shown = symbols.symbols(of: layer.name, at: pixel, in: viewport, tolerance: tolerance)
        guard !shown.isEmpty else { return [] }
        var found: Set<Place> = []
        return shown.compactMap { symbol in
            let place = Place(content: symbol.content, number: symbol.feature)
            // The indices are invalid if the features have changed since the picture was drawn.
            guard let source = layer.featureSource(ofContent: symbol.content),
                source.features.indices.contains(Int(symbol.feature)), found.insert(place).inserted
            else { return nil }
            return Hit(feature: source.whole(Int(symbol.feature)), rank: 0, crs: source.crs, place: place)
        }
    }

    /// Returns the features of a step at the position, the topmost first: markers before lines, lines before areas.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of features.
    ///   - rank: features of this rank or above are ignored.
    /// - Complexity: O(coordinates of the features in view).
    func hits(in step: Scene.FeatureStep, limit: Int, below rank: Int = Int.max) -> [Hit] {
        guard let transform = try? CoordinateTransform(from: step.crs, to: viewport.crs) else { return [] }
        let cutter = ShapeCutter(transform)
        var hits: [Hit] = []
        // The number of features found for each rank and the ranks below it.
        var counts = [0, 0, 0, 0]
        let isOfSheet = step.content.source.sheet != nil, moved = step.translation
        for shown in step.shown.reversed() where counts[0] < limit {
            let styled = step.styled(shown)
            guard var geometry = styled.feature.geometry else { continue }
            let rankOfKind = Self.rank(of: geometry)
            guard rankOfKind < rank, counts[rankOfKind] < limit else { continue }
            if styled.style.isGeodesic, step.crs.isLongitudeLatitude {
                var edges = GreatCircleEdges()
                geometry = edges.drawn(geometry)
            }
            // The geometry is cut at the limits of the map, as in the picture.
            let drawn = cutter?.cut(geometry) ?? geometry
            func position(of coordinate: Coordinate, _ shift: Double) -> Point? {
                transform(coordinate).map {
                    let pixel = viewport.pixel(of: Coordinate(x: $0.x + shift, y: $0.y))
                    return Point(x: pixel.x + moved.x, y: pixel.y + moved.y)
                }
            }
            let touched = step.worldShifts.first { shift in
                styled.isTouched(drawn, at: pixel, tolerance: tolerance, asDrawn: isOfSheet) { position(of: $0, shift) }
            }
            guard let touched else { continue }
            let distance = HitTest.distance(from: pixel, to: drawn) { position(of: $0, touched) }
            let isBeside = rankOfKind == 2 && distance != 0
            let place = Place(content: step.content.source.contentID, number: shown.place)
            let own = isBeside ? 3 : rankOfKind
            hits.append(Hit(feature: styled.feature, rank: own, crs: step.crs, place: place))
            for rank in own...3 { counts[rank] += 1 }
        }
        let ordered = (0...3).flatMap { rank in hits.filter { $0.rank == rank } }
        return Array(ordered.prefix(limit))
    }

    /// Returns the rank of a geometry; smaller geometries are preferred.
    private static func rank(of geometry: Geometry) -> Int {
        switch geometry.kind {
        case .point, .multiPoint: 0
        case .lineString, .multiLineString: 1
        case .polygon, .multiPolygon: 2
        case .collection: geometry.children.map(rank(of:)).min() ?? 3
        }
    }
}

extension Scene.StyledFeature {
    /// Returns whether the feature with this drawn geometry is within `tolerance` pixels of a position.
    ///
    /// - Parameter asDrawn: whether only drawn parts count: the border of an area without fill, and nothing of a
    ///   feature without symbols. Each layer of a style draws a part of a feature.
    func isTouched(
        _ geometry: Geometry, at place: Point, tolerance: Double, asDrawn: Bool, pixel: (Coordinate) -> Point?
    ) -> Bool {
        var geometry = geometry
        if asDrawn {
            guard let drawn = style.drawn(geometry) else { return false }
            geometry = drawn
        }
        let stroke = style.stroke.map {
            $0.width / 2 + ($0.gapWidth > 0 ? $0.gapWidth / 2 + $0.width / 2 : 0) + abs($0.offset)
        }
        let reach = tolerance + (stroke ?? 0)
        if HitTest.touches(place, geometry, tolerance: reach, pixel: pixel) { return true }
        guard geometry.kind == .point || geometry.kind == .multiPoint,
            let mark = style.marker?.box ?? style.label?.icon?.box
        else { return false }
        return geometry.coordinates.contains { coordinate in
            guard let point = pixel(coordinate) else { return false }
            let x = place.x - point.x, y = place.y - point.y
            return x >= mark.minX - tolerance && x <= mark.maxX + tolerance && y >= mark.minY - tolerance
                && y <= mark.maxY + tolerance
        }
    }
}

extension Style {
    /// Returns the visible part of a geometry, or `nil` if nothing is visible.
    fileprivate func drawn(_ geometry: Geometry) -> Geometry? {
        switch geometry.kind {
        case .point, .multiPoint: return marker != nil || label != nil ? geometry : nil
        case .lineString, .multiLineString: return stroke != nil ? geometry : nil
        case .polygon, .multiPolygon:
            if fill != nil { return geometry }
            return stroke != nil ? .multiLineString(geometry.parts.map { Array($0) }) : nil
        case .collection: return .collection(geometry.children.compactMap(drawn))
        }
    }
}

extension LabelSymbol.Icon {
    /// The bounding box of the marker around its point without rotation, in pixels.
    fileprivate var box: Rectangle? {
        marker.box.map {
            Rectangle(
                minX: $0.minX + offsetX, minY: $0.minY + offsetY, maxX: $0.maxX + offsetX, maxY: $0.maxY + offsetY)
        }
    }
}

extension MarkerSymbol {
    /// The bounding box of the marker around its point without rotation, in pixels; `nil` for an icon with the size of
    /// its image.
    fileprivate var box: Rectangle? {
        switch self {
        case .shape(let shape):
            let r = shape.radius
            return shape.shape == .pin
                ? Rectangle(minX: -r, minY: -3 * r, maxX: r, maxY: 0) : Rectangle(minX: -r, minY: -r, maxX: r, maxY: r)
        case .icon(let icon):
            guard let width = icon.width, let height = icon.height,
                let picture = ImageSize(width: max(Int(width), 1), height: max(Int(height), 1))
            else { return nil }
            let corner = icon.topLeftOffset(of: picture), size = icon.drawnSize(of: picture)
            return Rectangle(
                minX: corner.x, minY: corner.y, maxX: corner.x + size.width, maxY: corner.y + size.height)
        }
    }
}
