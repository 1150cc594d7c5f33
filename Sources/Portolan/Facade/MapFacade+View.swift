import PortolanFeatures
public import PortolanGeo
import PortolanPaint
import PortolanPlan
public import PortolanRaster

extension MapFacade {
    /// Shows an extent, expanded to the aspect ratio of the picture.
    ///
    /// - Parameters:
    ///   - crs: the CRS of the extent; that of the map if `nil`. See ``MapFacade/show(west:south:east:north:)`` for
    ///     degrees.
    /// - Throws: ``MapError``, with the code ``MapError/Code/outsideMap``, or ``MapError/Code/invalidArgument`` for an
    ///   extent that looks like degrees on a map in metres.
    public func setExtent(_ extent: Extent, in crs: CRS? = nil) throws(MapError) {
        if crs == nil, !viewport.crs.isGeographic, extent.looksLikeDegrees {
            throw .degrees(viewport.crs.name)
        }
        let shown = try mapExtent(of: extent, in: crs ?? viewport.crs)
        try open(
            changed { (view) throws(Viewport.InvalidError) in
                try .showing(
                    shown, rotation: view.rotation, size: view.size, pixelRatio: view.pixelRatio, crs: view.crs)
            })
    }

    /// Shows an area given in degrees, expanded to the aspect ratio of the picture.
    ///
    /// ```swift
    /// try map.show(west: -9.5, south: 36, east: 3.5, north: 44)
    /// ```
    ///
    /// - Parameters:
    ///   - west: the western longitude.
    ///   - east: the eastern longitude. If it is less than `west`, the area crosses the 180th meridian.
    /// - Throws: ``MapError``, for example with the code ``MapError/Code/outsideMap``.
    public func show(west: Double, south: Double, east: Double, north: Double) throws(MapError) {
        try setExtent(Self.area(west, south, east, north, of: viewport.crs), in: .crs84)
    }

    /// Limits the map to an area given in degrees.
    ///
    /// ``MapFacade/limitingExtent`` does the same in units of the map's CRS.
    ///
    /// - Parameters:
    ///   - west: the western longitude.
    ///   - east: the eastern longitude. If it is less than `west`, the area crosses the 180th meridian.
    /// - Throws: ``MapError``, for example with the code ``MapError/Code/outsideMap``.
    public func limit(west: Double, south: Double, east: Double, north: Double) throws(MapError) {
        limitingExtent = try mapExtent(of: Self.area(west, south, east, north, of: viewport.crs), in: .crs84)
    }

    private static func area(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double, of crs: CRS
    ) throws(MapError) -> Extent {
        let beyond = east < west ? east + 360 : east
        guard let area = Extent(minX: west, minY: south, maxX: beyond, maxY: north),
            abs(west) <= 360, abs(east) <= 360, abs(south) <= 90, abs(north) <= 90
        else { throw .outsideMap(crs.name) }
        return area
    }

    private func mapExtent(of extent: Extent, in crs: CRS) throws(MapError) -> Extent {
        let transform = try transform(from: crs)
        guard let moved: Extent = transform(extent) else { throw .outsideMap(viewport.crs.name) }
        return moved
    }

    /// Centres the map on a longitude and latitude in degrees, at a zoom level or the current one.
    ///
    /// ```swift
    /// try map.center(on: Coordinate(x: -0.88, y: 41.65), zoom: 14)
    /// ```
    ///
    /// - Throws: ``MapError``, for example with the code ``MapError/Code/outsideMap``.
    public func center(on place: Coordinate, zoom: Double? = nil) throws(MapError) {
        open(try view(centeredOn: place, zoom: zoom))
    }

    /// Shows a requested view; the first one becomes the home view.
    func open(_ view: Viewport) {
        let isFirst = opening == .made && controls.history.home == viewport
        viewport = view
        if isFirst { controls.history.home = view }
        opening = .done
    }

    /// Shows a view of all features.
    ///
    /// Until the map is drawn, the last such view becomes the home view.
    private func openFitted(_ view: Viewport) {
        let isFirst = opening != .done && controls.history.home == viewport
        viewport = view
        if isFirst { (controls.history.home, opening) = (view, .fitted) }
    }

    /// Returns the transformation from a CRS to that of the map.
    private func transform(from crs: CRS) throws(MapError) -> CoordinateTransform {
        do { return try CoordinateTransform(from: crs, to: viewport.crs) } catch { throw MapError(error) }
    }

    func view(centeredOn place: Coordinate, zoom: Double?) throws(MapError) -> Viewport {
        let transform = try transform(from: .crs84)
        guard let center = transform(place) else { throw .outsideMap(viewport.crs.name) }
        var resolution: Resolution?
        if let zoom {
            guard let wanted = Resolution(zoom: zoom, in: viewport.crs) else {
                throw MapError(Viewport.InvalidError.resolutionOutOfRange)
            }
            resolution = wanted
        }
        return try changed { (view) throws(Viewport.InvalidError) in
            try view.with(center: center, resolution: resolution)
        }
    }

    /// Changes the picture pixels per view pixel; the visible area is unchanged.
    ///
    /// - Throws: ``MapError`` if the picture would be too large.
    package func setPixelRatio(_ ratio: Double) throws(MapError) {
        viewport = try changed { (view) throws(Viewport.InvalidError) in try view.with(pixelRatio: ratio) }
    }

    /// Zooms by a factor about a view pixel or the centre; a factor of 2 halves the visible width and height.
    public func zoom(by factor: Double, about pixel: Point? = nil) throws(MapError) {
        opening = .done
        viewport = try changed { (view) throws(Viewport.InvalidError) in try view.zoomed(by: factor, about: pixel) }
    }

    /// Moves the picture by view pixels, rightward and downward.
    public func pan(x: Double, y: Double) throws(MapError) {
        opening = .done
        viewport = try changed { (view) throws(Viewport.InvalidError) in try view.panned(x: x, y: y) }
    }

    /// Rotates the map so that a bearing, in degrees clockwise from north, points up.
    public func rotate(to bearing: Double) throws(MapError) {
        viewport = try changed { (view) throws(Viewport.InvalidError) in try view.with(rotation: bearing) }
    }

    /// Changes the size of the picture in view pixels; the centre is unchanged.
    public func resize(to size: ImageSize) throws(MapError) {
        viewport = try changed { (view) throws(Viewport.InvalidError) in try view.with(size: size) }
    }

    /// Shows all features of all layers, with `padding` view pixels around them; less on a small map.
    ///
    /// ```swift
    /// try await map.addFeatures(from: "route.geojson")
    /// try map.fitFeatures()
    /// ```
    ///
    /// The title, the info bar, the panel and the legend do not cover the features. Markers are completely visible, and
    /// so are labels with a fixed position.
    ///
    /// - Throws: ``MapError``, with the code ``MapError/Code/nothingFound`` if there are no features.
    public func fitFeatures(padding: Double = 40, maximumZoom: Double = 18) throws(MapError) {
        try fit(layers.filter { $0.isVisible && $0.hasFeatures }, padding: padding, maximumZoom: maximumZoom)
    }

    /// Shows all features of a layer; see ``MapFacade/fitFeatures(padding:maximumZoom:)``.
    package func fitFeatures(ofLayer name: String) throws(MapError) {
        try fit(layers.filter { $0.name == name && $0.hasFeatures }, padding: 40, maximumZoom: 18)
    }

    private func fit(_ shown: [MapLayer], padding: Double, maximumZoom: Double) throws(MapError) {
        let misplaced = shown.first(where: \.isMisplaced), found: BoundingBox?
        do { found = try MapLayer.boundingBox(of: shown, in: viewport.crs) } catch { throw MapError(error) }
        guard let box = found else { throw misplaced.map { .notDegrees(layer: $0.name) } ?? .noFeatures }
        let seen = viewport.crs.visiblePart(of: box), foot = options.footHeight
        let left = Furniture.FactsPanel.room(on: options.panel == nil ? nil : viewport.size)
        var (top, right) = (0, 0)
        if options.title != nil || options.subtitle != nil || options.showsLegend {
            (top, right) = Furniture.insets(
                of: layers.filter(\.isVisible), in: viewport, title: options.title, subtitle: options.subtitle,
                foot: foot,
                showsLegend: options.showsLegend, fonts: renderer.fonts)
        }
        let size =
            ImageSize(width: viewport.size.width - left - right, height: viewport.size.height - top) ?? viewport.size
        let padding = min(padding, Double(min(size.width, size.height)) / 4)
        let finest = Resolution(zoom: maximumZoom, in: viewport.crs)
        var reaches: [PointReach] = []
        do throws(CRSError) {
            for source in shown.compactMap(\.features) {
                reaches += try source.reaches(in: viewport.crs, fonts: renderer.fonts)
            }
        } catch { throw MapError(error) }
        openFitted(
            try changed { (view) throws(Viewport.InvalidError) in
                let fitted = try Viewport.fitting(
                    seen, padding: padding, foot: foot, finestResolution: finest, rotation: view.rotation, size: size,
                    pixelRatio: view.pixelRatio, crs: view.crs)
                let whole =
                    fitted.showing(reaches, around: seen, padding: padding, foot: foot, margin: 4) ?? fitted
                return try whole.widened(left: left, top: top, right: right)
            })
    }

    /// Changes to the nearest level of a tile layer, aligned to its pixels, so that tiles are copied and not resampled.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/unknownName`` if there is no tile layer with this name.
    public func snapToTiles(ofLayer name: String) throws(MapError) {
        guard let source = layer(named: name)?.tiles else { throw .noSuchLayer(name, among: layers.map(\.name)) }
        viewport = try changed { (view) throws(Viewport.InvalidError) in try view.snapped(to: source.grid) }
    }

    /// The name of the layer for ``MapFacade/limitingMask``.
    public static let maskLayerName = "mask"

    /// The mask as a layer, or `nil` if none exists.
    var maskLayer: MapLayer? {
        guard let color = limitingMask, let limit = limitingExtent,
            let grown = limit.grown(by: max(limit.width, limit.height)),
            let outer = viewport.crs.worldExtent.map({ $0.intersection(grown) }) ?? grown
        else { return nil }
        let source =
            drawnMask.flatMap { $0.extent == limit ? $0.source : nil } ?? Self.mask(color, outer, viewport.crs, limit)
        drawnMask = (limit, source)
        return MapLayer(name: Self.maskLayerName, source: source)
    }

    private static func mask(_ color: MapColor, _ outer: Extent, _ crs: CRS, _ limit: Extent) -> FeatureSource {
        var source = FeatureSource(features: [], crs: crs)
        let rings = [outer.corners, limit.corners.reversed()].map { $0 + $0.prefix(1) }
        source.append(Feature(geometry: .polygon(rings)), style: Style(fill: FillSymbol(color: color)))
        return source
    }

    func limited(_ viewport: Viewport) throws(Viewport.InvalidError) -> Viewport {
        try controls.limits.within(viewport)
    }

    /// Returns the current view with a change, within the limits.
    private func changed(
        _ change: (Viewport) throws(Viewport.InvalidError) -> Viewport
    ) throws(MapError) -> Viewport {
        do throws(Viewport.InvalidError) { return try limited(change(viewport)) } catch { throw MapError(error) }
    }
}

extension Extent {
    /// Whether all sides are valid degrees.
    fileprivate var looksLikeDegrees: Bool {
        max(abs(minX), abs(maxX)) <= 360 && max(abs(minY), abs(maxY)) <= 90
    }
}
