import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Finds the features that a picture of a view shows at a place: nothing hidden, each copy of the world, marks as large
/// as they are drawn.
struct FeatureFinder {
    /// What is looked at.
    let viewport: Viewport
    /// The view pixel.
    let pixel: Point
    /// How far beside a feature the place may be, in view pixels.
    let tolerance: Double
    /// The texts and icons of styles that the last picture showed.
    var symbols = ShownSymbols()

    /// A feature that was found, and how hard it is to hit: 0 for marks, 1 for lines, 2 for areas.
    struct Hit {
        let feature: Feature
        let rank: Int
        /// The system of the feature's coordinates.
        let crs: CRS
        /// What tells the feature from others, however many layers of a style draw it.
        fileprivate let place: Place
    }

    /// A feature among those of its source.
    fileprivate struct Place: Hashable {
        let content: UInt64
        let number: Int32
    }

    /// The features of a layer at the place, the topmost first, or `nil` where the layer draws no features.
    ///
    /// Only what lies about the place is planned.
    ///
    /// - Complexity: O(log features + features about the place).
    func hits(in layer: MapLayer, limit: Int, below rank: Int = Int.max) -> [Hit]? {
        guard let around = viewport.around(pixel, reach: tolerance + 1),
            let plan = try? layer.source.plan(
                for: LayerView(around, layer: layer.name), given: Arrivals())
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

    /// The features whose texts and icons the picture shows at the place, the topmost first, each once.
    private func symbolHits(in layer: MapLayer) -> [Hit] {
        let shown = symbols.symbols(of: layer.name, at: pixel, in: viewport, tolerance: tolerance)
        guard !shown.isEmpty else { return [] }
        var found: Set<Place> = []
        return shown.compactMap { symbol in
            let place = Place(content: symbol.content, number: symbol.feature)
            // Where features have changed since the picture was drawn the numbers say nothing.
            guard let source = layer.featureSources.first(where: { $0.contentID == symbol.content }),
                source.features.indices.contains(Int(symbol.feature)), found.insert(place).inserted
            else { return nil }
            return Hit(feature: source.features[Int(symbol.feature)], rank: 0, crs: source.crs, place: place)
        }
    }

    /// The features of a step at the place, the topmost first: marks before lines, lines before areas.
    ///
    /// - Parameters:
    ///   - limit: how many are wanted at the most.
    ///   - rank: what is as hard to hit as this, or less, is not looked for.
    /// - Complexity: O(coordinates of the features in view).
    func hits(in step: FeatureStep, limit: Int, below rank: Int = Int.max) -> [Hit] {
        guard let transform = try? CoordinateTransform(from: step.crs, to: viewport.crs) else { return [] }
        let cutter = ShapeCutter(transform)
        var hits: [Hit] = []
        // How many have been found that are no harder to hit than each rank.
        var counts = [0, 0, 0, 0]
        let isOfSheet = step.source.sheet != nil, moved = step.translation
        for shown in step.shown.reversed() where counts[0] < limit {
            let styled = step.styled(shown)
            guard var geometry = styled.feature.geometry else { continue }
            let own = Self.rank(of: geometry)
            guard own < rank, counts[own] < limit else { continue }
            if styled.style.isGeodesic, step.crs.isLongitudeLatitude {
                var edges = GreatCircleEdges()
                geometry = edges.drawn(geometry)
            }
            // As it is drawn: without what lies beyond the end of the map.
            let drawn = cutter?.cut(geometry) ?? geometry
            let isTouched = step.worldShifts.contains { shift in
                styled.isTouched(drawn, at: pixel, tolerance: tolerance, asDrawn: isOfSheet) { coordinate in
                    transform(coordinate).map {
                        let pixel = viewport.pixel(of: Coordinate(x: $0.x + shift, y: $0.y))
                        return Point(x: pixel.x + moved.x, y: pixel.y + moved.y)
                    }
                }
            }
            guard isTouched else { continue }
            let place = Place(content: step.source.contentID, number: shown.place)
            hits.append(Hit(feature: styled.feature, rank: own, crs: step.crs, place: place))
            for rank in own...3 { counts[rank] += 1 }
        }
        let ordered = (0...3).flatMap { rank in hits.filter { $0.rank == rank } }
        return Array(ordered.prefix(limit))
    }

    /// How hard a geometry is to hit: what is smaller is looked for first.
    private static func rank(of geometry: Geometry) -> Int {
        switch geometry.kind {
        case .point, .multiPoint: 0
        case .lineString, .multiLineString: 1
        case .polygon, .multiPolygon: 2
        case .collection: geometry.children.map(rank(of:)).min() ?? 3
        }
    }
}

extension StyledFeature {
    /// Whether the feature, of whose geometry this is drawn, lies within `tolerance` pixels of a place.
    ///
    /// - Parameter asDrawn: whether of an area without a fill the border alone is touched, and of what has no look nothing; a layer of
    ///   a style draws some of a feature, and others the rest.
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
    /// What of a geometry is seen, or `nil` for nothing.
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
    /// The box of the picture about its point, unturned, in pixels.
    fileprivate var box: Rectangle? {
        marker.box.map {
            Rectangle(
                minX: $0.minX + offsetX, minY: $0.minY + offsetY, maxX: $0.maxX + offsetX, maxY: $0.maxY + offsetY)
        }
    }
}

extension MarkerSymbol {
    /// The box of the mark about its point, unturned, in pixels; `nil` for an icon whose size is that of its picture.
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
