public import PortolanGeo
public import PortolanPaint
public import PortolanPlan
public import PortolanRaster
import PortolanServices
import PortolanWeb

/// A requested view, as written in a map document or on a command line; unset values are `nil`.
///
/// The view is given by a bounding box, by a centre with one of three scale values, or by the extent of the layers.
///
/// ```swift
/// var request = ViewRequest()
/// request.center = Coordinate(x: -0.88, y: 41.65)
/// request.zoom = 15
/// let view = try request.viewport(for: [])
/// ```
public struct ViewRequest: Hashable, Sendable {
    /// Width and height in view pixels.
    ///
    /// Default: 1024 by 768.
    public var size: ImageSize?
    /// Picture pixels per view pixel.
    ///
    /// Default: 1.
    public var pixelRatio: Double?
    /// The CRS of the map.
    ///
    /// Default: Web Mercator.
    public var crs: CRS?
    /// The extent to show, x east and y north, in units of ``boxCRS``; expanded to the aspect ratio of the picture.
    public var box: Extent?
    /// The CRS of the box.
    ///
    /// Default: that of the map.
    public var boxCRS: CRS?
    /// The centre, longitude and latitude in degrees.
    public var center: Coordinate?
    /// The zoom level, with a centre.
    ///
    /// At level 0, the world is one tile of 256 pixels.
    public var zoom: Double?
    /// Units of the map's CRS per view pixel, with a centre.
    public var resolution: Double?
    /// The scale denominator: for pixels of 0.28 mm with a centre, or on paper the scale on the ground at the centre.
    public var scaleDenominator: Double?
    /// The paper of the picture, in place of ``size`` and ``pixelRatio``.
    ///
    /// The map fills the paper except for its margins. A view pixel is 1/96 inch.
    public var paper: PaperSize?
    /// Whether the longer side of the paper is horizontal.
    public var isLandscape = false
    /// Picture pixels per inch of paper.
    ///
    /// Default: 300.
    public var dotsPerInch: Double?
    /// The margin of the paper in millimetres.
    ///
    /// Default: 10. It is larger if a frame or a source line need the space.
    public var margin: Double?
    /// Whether to show all features or, without features, the extents that layers state.
    public var isFitting = false
    /// The padding around the fitted extent in view pixels.
    public var padding: Double?
    /// The maximum zoom level of fitting.
    public var maximumZoom: Double?
    /// The bearing at the top, in degrees clockwise from north.
    public var rotation: Double?
    /// What stands around the map in its margins, or `nil` for nothing; the paper is that of the request.
    package var surroundings: PrintPage?

    /// View pixels at the bottom that a bar covers.
    package var foot = 0.0
    /// Whether the sphere of the map's projection is drawn.
    package var showsSphere = false

    /// View pixels at the left that a panel covers.
    package var left = 0

    /// View pixels at the top and right that title and legend cover.
    package var top = 0, right = 0

    /// Creates an empty request.
    public init() {}

    /// Creates a request for a given view.
    ///
    /// The centre is stored in degrees, so that the resulting view may differ by billionths of a pixel. For a CRS that
    /// cannot be transformed to degrees, the bounding box is stored.
    public init(_ view: Viewport) {
        size = view.size
        pixelRatio = view.pixelRatio == 1 ? nil : view.pixelRatio
        crs = view.crs
        rotation = view.rotation == 0 ? nil : view.rotation
        if let degrees = (try? CoordinateTransform(from: view.crs, to: .crs84))?(view.center) {
            center = degrees
            resolution = view.resolution.unitsPerPixel
        } else {
            box = view.extent
        }
    }
}

extension ViewRequest {
    /// Returns this request with the unset values taken from `document`.
    ///
    /// A box, centre or fitting in this request replaces that of the document completely, so that a box is never
    /// combined with a centre.
    public func over(_ document: ViewRequest) -> ViewRequest {
        var merged = self
        // Paper and size replace each other.
        if paper == nil, size == nil { merged.paper = document.paper }
        if merged.paper == nil {
            merged.size = size ?? document.size
            merged.pixelRatio = pixelRatio ?? document.pixelRatio
        } else {
            merged.isLandscape = isLandscape || document.isLandscape
            merged.dotsPerInch = dotsPerInch ?? document.dotsPerInch
            merged.margin = margin ?? document.margin
        }
        merged.crs = crs ?? document.crs
        merged.padding = padding ?? document.padding
        merged.maximumZoom = maximumZoom ?? document.maximumZoom
        merged.rotation = rotation ?? document.rotation
        // A box or fitting is complete; a scale needs a centre, here or in the document.
        guard box == nil, !isFitting else { return merged }
        if !hasScale {
            merged.zoom = document.zoom
            merged.resolution = document.resolution
            merged.scaleDenominator = document.scaleDenominator
        }
        guard center == nil else { return merged }
        merged.center = document.center
        if !hasScale || document.center == nil {
            merged.box = document.box
            // A box of the document keeps its CRS if the map gets another one.
            merged.boxCRS =
                boxCRS ?? document.boxCRS
                ?? (document.box != nil && crs != nil ? document.crs ?? Self.defaultCRS : nil)
            merged.isFitting = document.isFitting
        }
        return merged
    }

    /// Returns this request with a centre in degrees if it has a scale but no centre.
    package func centered(on place: Coordinate?) -> ViewRequest {
        guard center == nil, box == nil, !isFitting, hasScale else { return self }
        var request = self
        request.center = place
        return request
    }

    /// Whether a scale value is set.
    var hasScale: Bool { zoom != nil || resolution != nil || scaleDenominator != nil }

    /// The size of the map in view pixels.
    package var imageSize: ImageSize { mapSize ?? Self.defaultSize }

    /// The CRS of the map.
    package var mapCRS: CRS { crs ?? Self.defaultCRS }

    private static let defaultCRS = CRS.webMercator
    static let defaultSize: ImageSize = {
        guard let size = ImageSize(width: 1024, height: 768) else { preconditionFailure("the usual size is one") }
        return size
    }()
}

extension ViewRequest {
    /// The keys of a request in documents.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// Keys whose values are texts or lists of numbers.
        case size, crs, center, bbox, scale
        /// The CRS of the box.
        case boxCRS = "bbox-crs"
        /// Keys whose values are numbers.
        case zoom, resolution, rotation, padding
        /// Picture pixels per view pixel.
        case pixelRatio = "pixel-ratio"
        /// The paper and its margin in millimetres.
        case paper, margin
        /// Whether the paper is wider than high.
        case landscape
        /// Picture pixels per inch of paper.
        case dotsPerInch = "dpi"
        /// The maximum zoom level of fitting.
        case maximumZoom = "max-zoom"
        /// Whether everything is shown.
        case fit

        /// Whether the value is a single number.
        package var isNumber: Bool {
            [.zoom, .resolution, .rotation, .padding, .pixelRatio, .maximumZoom, .dotsPerInch, .margin].contains(self)
        }
    }

    /// Sets a value from text, with commas in lists.
    ///
    /// - Throws: ``ViewRequestError`` if the text is invalid for the key.
    package mutating func set(_ key: Key, to text: String) throws(ViewRequestError) {
        func number() throws(ViewRequestError) -> Double {
            guard let number = Double(text) else { throw .malformed(key, text) }
            return number
        }
        switch key {
        case .size:
            let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1],
                let size = ImageSize(width: width, height: height)
            else { throw .malformed(key, text) }
            self.size = size
        case .crs: crs = try Self.crs(text, key)
        case .boxCRS: boxCRS = try Self.crs(text, key)
        case .center:
            guard let numbers = Self.numbers(text, count: 2) else { throw .malformed(key, text) }
            center = Coordinate(longitude: numbers[0], latitude: numbers[1])
        case .bbox:
            guard let numbers = Self.numbers(text, count: 4) else { throw .malformed(key, text) }
            guard let box = Extent(sides: numbers) else {
                throw .emptyBox(text)
            }
            self.box = box
        case .scale:
            let digits = text.hasPrefix("1:") ? text.dropFirst(2) : text[...]
            guard let denominator = Self.denominator(digits), denominator > 0, denominator.isFinite else {
                throw .malformed(key, text)
            }
            scaleDenominator = denominator
        case .zoom: zoom = try number()
        case .resolution: resolution = try number()
        case .rotation: rotation = try number()
        case .padding: padding = try number()
        case .pixelRatio: pixelRatio = try number()
        case .maximumZoom: maximumZoom = try number()
        case .paper:
            guard let paper = PaperSize(text) else { throw .malformed(key, text) }
            self.paper = paper
        case .landscape: isLandscape = text == "true"
        case .dotsPerInch: dotsPerInch = try number()
        case .margin: margin = try number()
        case .fit: isFitting = text == "true"
        }
    }

    private static func crs(_ text: String, _ key: Key) throws(ViewRequestError) -> CRS {
        do { return try CRS(text) } catch { throw .crs(key, error) }
    }

    /// Returns the denominator of a scale, whose thousands may be separated, as in `25.000` and `25,000`.
    ///
    /// Scales have no thousandths, so that a sign before three digits separates thousands.
    private static func denominator(_ text: Substring) -> Double? {
        let groups = text.split(omittingEmptySubsequences: false) { ".,' \u{A0}\u{202F}".contains($0) }
        guard let first = groups.first, groups.count > 1, (1...3).contains(first.utf8.count), first != "0",
            groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
            groups.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return Double(text) }
        return Double(groups.joined())
    }

    /// Returns the numbers in a list such as `1,2.5,3`, or `nil` if the list is invalid.
    package static func numbers(_ text: String, count: Int) -> [Double]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.trimmingPrefix { $0 == " " }) }
        guard numbers.count == count, numbers.allSatisfy({ $0?.isFinite ?? false }) else { return nil }
        return numbers.compactMap { $0 }
    }

    /// The set values, by their keys in documents, as texts for ``set(_:to:)``.
    package var values: [(key: Key, text: String)] {
        func list(_ numbers: [Double]) -> String { numbers.map(NumberText.decimal).joined(separator: ",") }
        var values: [(Key, String)] = []
        func add(_ key: Key, _ text: String?) { if let text { values.append((key, text)) } }
        func add(_ key: Key, _ number: Double?) {
            add(key, number.flatMap { $0.isFinite ? NumberText.decimal($0) : nil })
        }
        add(.size, size.map { "\($0.width)x\($0.height)" })
        add(.pixelRatio, pixelRatio)
        add(.paper, paper?.description)
        add(.landscape, isLandscape ? "true" : nil)
        add(.dotsPerInch, dotsPerInch)
        add(.margin, margin)
        add(.crs, crs?.name)
        add(.bbox, box.map { list([$0.minX, $0.minY, $0.maxX, $0.maxY]) })
        add(.boxCRS, boxCRS?.name)
        add(.center, center.map { list([$0.x, $0.y]) })
        add(.zoom, zoom)
        add(.resolution, resolution)
        add(.scale, scaleDenominator.map { "1:" + NumberText.decimal($0) })
        add(.fit, isFitting ? "true" : nil)
        add(.padding, padding)
        add(.maximumZoom, maximumZoom)
        add(.rotation, rotation)
        return values
    }
}

extension ViewRequest {
    /// Returns the requested view.
    ///
    /// - Parameters:
    ///   - layers: the layers to fit, if fitting is requested or the request has no extent or centre.
    /// - Throws: ``MapError``.
    public func viewport(for layers: [MapLayer]) throws(MapError) -> Viewport {
        do { return try view(of: layers) } catch { throw MapError(error) }
    }

    /// Implements `viewport` with the typed error `ViewRequestError`.
    package func view(of layers: [MapLayer]) throws(ViewRequestError) -> Viewport {
        try checkCombination()
        if let box { return try onGround(viewport(of: box)) }
        if let center { return try viewport(around: center) }
        return try onGround(viewport(fitting: layers))
    }

    /// Validates the request itself, before any service is contacted.
    ///
    /// - Throws: ``MapError``.
    public func check() throws(MapError) {
        do { try checkAll() } catch { throw MapError(error) }
    }

    /// Implements `check` with the typed error `ViewRequestError`.
    package func checkAll() throws(ViewRequestError) {
        try checkCombination()
        if let box {
            _ = try viewport(of: box)
        } else if let center {
            _ = try viewport(around: center)
        } else if let world = Extent(minX: 0, minY: 0, maxX: 1, maxY: 1) {
            // The extent to fit is still unknown; size, rotation and padding can be validated.
            _ = try viewport(fitting: BoundingBox(world))
        }
    }

    /// Validates the values, independent of values that may be added later.
    func checkAlone() throws(ViewRequestError) {
        if box != nil || isFitting || center != nil && hasScale { try checkAll() }
    }

    private func checkCombination() throws(ViewRequestError) {
        guard [box != nil, center != nil, isFitting].filter({ $0 }).count <= 1 else { throw .severalPlaces }
        if boxCRS != nil, box == nil { throw .boxCRSAlone }
        try checkPage()
        if center == nil, hasScale, paper == nil || scaleDenominator == nil { throw .scaleAlone }
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
                extent, rotation: rotation ?? 0, size: imageSize, pixelRatio: ratio, crs: crs)
        } catch { throw .view(error) }
    }

    private func viewport(around position: Coordinate) throws(ViewRequestError) -> Viewport {
        let crs = mapCRS
        guard abs(position.x) <= 360, abs(position.y) <= 90,
            let center = try transform(from: .crs84, to: crs)(position)
        else { throw .centerOutside(position, map: crs) }
        let resolution = try resolution(in: crs)
        let view: Viewport
        do {
            view = try Viewport(
                center: center, resolution: resolution, rotation: rotation ?? 0, size: imageSize,
                pixelRatio: ratio, crs: crs)
        } catch { throw .view(error) }
        return try onGround(view)
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
        let (box, isOfFeatures) = try box(fitting: layers)
        let seen = mapCRS.visiblePart(of: box)
        return try showingWorldOnce(viewport(fitting: seen, isOfFeatures: isOfFeatures), around: seen)
    }

    /// Returns the view of a map of the world, unless one is asked for, without copies of the world at its sides.
    private func showingWorldOnce(
        _ view: Viewport, around box: BoundingBox
    ) throws(ViewRequestError) -> Viewport {
        guard !isFitting, let width = mapCRS.worldWidth, view.rotation == 0, view.extent.width > width,
            box.maxX - box.minX >= width * CRS.worldShare,
            let world = Extent(
                minX: box.center.x - width / 2, minY: view.extent.minY, maxX: box.center.x + width / 2,
                maxY: view.extent.maxY)
        else { return view }
        do { return try view.clamped(to: world) } catch { throw .view(error) }
    }

    /// Returns the extent of features or, without features, the extents that layers state.
    func box(fitting layers: [MapLayer]) throws(ViewRequestError) -> (box: BoundingBox, isOfFeatures: Bool) {
        let crs = mapCRS
        let drawn = layers.filter(\.hasFeatures), hasFeatures = !drawn.isEmpty
        let box: BoundingBox?
        do { box = try MapLayer.boundingBox(of: drawn.filter { !$0.isMisplaced }, in: crs) } catch {
            throw .features(error)
        }
        if let box { return (withSphere(box), true) }
        if let misplaced = drawn.first(where: \.isMisplaced) { throw .notDegrees(layer: misplaced.name) }
        if let bounds = Self.bounds(of: layers, in: crs) { return (bounds, false) }
        // A map of the world needs no layer with bounds.
        if let outline = crs.outlineExtent, crs.coversMostOfTheWorld { return (BoundingBox(outline), false) }
        throw .nothingToFit(hasFeatureLayers: hasFeatures, isAskedFor: isFitting)
    }

    /// The share of the sides of the drawn sphere from which features take the whole of it into the view.
    private static let sphereShare = 0.6

    /// Returns the box with the sphere, if it is drawn and the box takes most of it.
    private func withSphere(_ box: BoundingBox) -> BoundingBox {
        guard showsSphere, let sphere = mapCRS.outlineExtent, mapCRS.coversMostOfTheWorld,
            box.maxX - box.minX >= Self.sphereShare * sphere.width,
            box.maxY - box.minY >= Self.sphereShare * sphere.height
        else { return box }
        return box.union(BoundingBox(sphere))
    }

    /// Returns the extent to show in the CRS of the map, without padding and independent of the picture's shape.
    package func extent(of layers: [MapLayer]) throws(ViewRequestError) -> Extent {
        let crs = mapCRS
        if let box {
            let own = boxCRS ?? crs
            guard let extent: Extent = try transform(from: own, to: crs)(box) else {
                throw .boxOutside(box, own, map: crs)
            }
            return extent
        }
        guard center == nil else { return try view(of: layers).extent }
        let box = crs.visiblePart(of: try box(fitting: layers).box)
        if let extent = Extent(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY) { return extent }
        return try view(of: layers).extent
    }

    /// Returns the extent that layers without features state.
    ///
    /// Layers of the whole world count only if all are.
    private static func bounds(of layers: [MapLayer], in crs: CRS) -> BoundingBox? {
        let boxes = layers.flatMap(\.statedBounds).compactMap { $0.extent(in: crs) }
        let parts = boxes.filter { box in crs.worldWidth.map { box.width < $0 * CRS.worldShare } ?? true }
        let chosen = (parts.isEmpty ? boxes : parts).map { BoundingBox($0) }
        return chosen.first.map { chosen.reduce($0) { $0.union($1) } }
    }

    /// Returns the view that shows a box.
    ///
    /// - Parameter isOfFeatures: whether symbols may extend beyond the box, and a single point is allowed.
    private func viewport(fitting box: BoundingBox, isOfFeatures: Bool = true) throws(ViewRequestError) -> Viewport {
        let crs = mapCRS, size = imageSize
        // Keep some space in a small picture.
        let usual = isOfFeatures ? Double(min(40, min(size.width, size.height) / 4)) : 0
        let finest = isOfFeatures ? maximumZoom ?? 17 : maximumZoom
        do {
            let beside = ImageSize(width: size.width - left - right, height: size.height - top) ?? size
            // Next to a covered area, a smaller margin suffices.
            let padding = padding ?? (top + right > 0 ? min(usual, 16) : usual)
            return try Viewport.fitting(
                box, padding: padding, foot: foot,
                finestResolution: finest.flatMap { Resolution(zoom: $0, in: crs) },
                rotation: rotation ?? 0, size: beside, pixelRatio: ratio, crs: crs
            ).widened(left: left, top: top, right: right)
        } catch { throw .view(error) }
    }

    private func transform(from source: CRS, to target: CRS) throws(ViewRequestError) -> CoordinateTransform {
        do { return try CoordinateTransform(from: source, to: target) } catch { throw .transform(error) }
    }
}
