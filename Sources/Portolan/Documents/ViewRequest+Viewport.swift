import PortolanGeo
public import PortolanPlan
import PortolanRaster

extension ViewRequest {
    /// The view that is asked for.
    ///
    /// - Parameters:
    ///   - layers: those to fit, where that is asked for or nothing is.
    /// - Throws: ``MapError``.
    public func viewport(for layers: [MapLayer]) throws(MapError) -> Viewport {
        do { return try view(of: layers) } catch { throw MapError(error) }
    }

    /// The same, with the closed error of requests.
    package func view(of layers: [MapLayer]) throws(ViewRequestError) -> Viewport {
        try checkCombination()
        if let box { return try viewport(of: box) }
        if let center { return try viewport(around: center) }
        return try viewport(fitting: layers)
    }

    /// Finds what is wrong with the request itself, before any service is asked.
    ///
    /// - Throws: ``MapError``.
    public func check() throws(MapError) {
        do { try checkAll() } catch { throw MapError(error) }
    }

    /// The same, with the closed error of requests.
    package func checkAll() throws(ViewRequestError) {
        try checkCombination()
        if let box {
            _ = try viewport(of: box)
        } else if let center {
            _ = try viewport(around: center)
        } else if let world = Extent(minX: 0, minY: 0, maxX: 1, maxY: 1) {
            // What is to be fitted is not known yet; size, rotation and padding are.
            _ = try viewport(fitting: BoundingBox(world))
        }
    }

    /// Finds what is wrong with the values, whatever other ones may be joined to them.
    func checkAlone() throws(ViewRequestError) {
        if box != nil || isFitting || center != nil && hasScale { try checkAll() }
    }

    private func checkCombination() throws(ViewRequestError) {
        guard [box != nil, center != nil, isFitting].filter({ $0 }).count <= 1 else { throw .severalPlaces }
        if boxCRS != nil, box == nil { throw .boxCRSAlone }
        if center == nil, hasScale { throw .scaleAlone }
        if let padding, !(padding >= 0 && padding.isFinite) { throw .outOfRange(.padding, padding) }
        if let maximumZoom, Resolution(zoom: maximumZoom, in: mapCRS) == nil {
            throw .outOfRange(.maximumZoom, maximumZoom)
        }
    }

    private func viewport(of box: Extent) throws(ViewRequestError) -> Viewport {
        let crs = mapCRS, boxCRS = boxCRS ?? crs
        guard let extent: Extent = try transform(from: boxCRS, to: crs)(box) else {
            throw .boxOutside(box, boxCRS, map: crs)
        }
        do {
            return try .showing(
                extent, rotation: rotation ?? 0, size: imageSize, pixelRatio: pixelRatio ?? 1, crs: crs)
        } catch { throw .view(error) }
    }

    private func viewport(around position: Coordinate) throws(ViewRequestError) -> Viewport {
        let crs = mapCRS
        guard abs(position.x) <= 360, abs(position.y) <= 90,
            let center = try transform(from: .crs84, to: crs)(position)
        else { throw .centerOutside(position, map: crs) }
        let resolution = try resolution(in: crs)
        do {
            return try Viewport(
                center: center, resolution: resolution, rotation: rotation ?? 0, size: imageSize,
                pixelRatio: pixelRatio ?? 1, crs: crs)
        } catch { throw .view(error) }
    }

    private func resolution(in crs: CRS) throws(ViewRequestError) -> Resolution {
        guard [zoom != nil, resolution != nil, scaleDenominator != nil].filter({ $0 }).count == 1 else {
            throw .notOneScale
        }
        if let zoom {
            guard let found = Resolution(zoom: zoom, in: crs) else { throw .outOfRange(.zoom, zoom) }
            return found
        }
        if let resolution {
            guard let found = Resolution(unitsPerPixel: resolution) else { throw .outOfRange(.resolution, resolution) }
            return found
        }
        let denominator = scaleDenominator ?? 0
        guard let found = Resolution(scaleDenominator: denominator, in: crs) else {
            throw .outOfRange(.scale, denominator)
        }
        return found
    }

    private func viewport(fitting layers: [MapLayer]) throws(ViewRequestError) -> Viewport {
        let crs = mapCRS
        let drawn = layers.filter(\.hasFeatures), hasFeatures = !drawn.isEmpty
        let box: BoundingBox?
        do { box = try MapLayer.boundingBox(of: drawn.filter { !$0.isMisplaced }, in: crs) } catch {
            throw .features(error)
        }
        if let box { return try viewport(fitting: crs.visiblePart(of: box)) }
        if let misplaced = drawn.first(where: \.isMisplaced) { throw .notDegrees(layer: misplaced.name) }
        if let bounds = Self.bounds(of: layers, in: crs) {
            return try viewport(fitting: crs.visiblePart(of: bounds), isOfFeatures: false)
        }
        throw .nothingToFit(hasFeatureLayers: hasFeatures, isAskedFor: isFitting)
    }

    /// Where layers without features have something to show; those of the whole world count only where all are.
    private static func bounds(of layers: [MapLayer], in crs: CRS) -> BoundingBox? {
        let boxes = layers.compactMap { $0.bounds?.extent(in: crs) }
        let parts = boxes.filter { box in crs.worldWidth.map { box.width < $0 * 0.95 } ?? true }
        let chosen = (parts.isEmpty ? boxes : parts).map { BoundingBox($0) }
        return chosen.first.map { chosen.reduce($0) { $0.union($1) } }
    }

    /// - Parameter isOfFeatures: whether symbols may reach beyond the box, and one point may be all of it.
    private func viewport(fitting box: BoundingBox, isOfFeatures: Bool = true) throws(ViewRequestError) -> Viewport {
        let crs = mapCRS, size = imageSize
        // Of a small picture something must remain.
        let usual = isOfFeatures ? Double(min(40, min(size.width, size.height) / 4)) : 0
        let finest = isOfFeatures ? maximumZoom ?? 17 : maximumZoom
        do {
            // What is covered more than half has no room beside it.
            let top = min(top, size.height / 2), right = min(right, size.width / 2)
            let beside = ImageSize(width: size.width - left - right, height: size.height - top) ?? size
            // A margin is enough beside what is covered.
            let padding = padding ?? (top + right > 0 ? min(usual, 16) : usual)
            return try Viewport.fitting(
                box, padding: padding, foot: foot,
                finestResolution: finest.flatMap { Resolution(zoom: $0, in: crs) },
                rotation: rotation ?? 0, size: beside, pixelRatio: pixelRatio ?? 1, crs: crs
            ).widened(left: left, top: top, right: right)
        } catch { throw .view(error) }
    }

    private func transform(from source: CRS, to target: CRS) throws(ViewRequestError) -> CoordinateTransform {
        do { return try CoordinateTransform(from: source, to: target) } catch { throw .transform(error) }
    }
}
