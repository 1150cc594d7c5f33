public import PortolanGeo
import PortolanPaint
public import PortolanPlan
public import PortolanRaster
import PortolanServices
import PortolanText

/// What a map is to show, as a map document or a command line says it; `nil` where they say nothing.
///
/// The place is a box, a centre with one of the three ways of scaling, or what the layers have.
public struct ViewRequest: Hashable, Sendable {
    /// Width and height in view pixels; 1024 by 768 where nothing is said.
    public var size: ImageSize?
    /// Picture pixels a view pixel; 1 where nothing is said.
    public var pixelRatio: Double?
    /// The system of the map; web mercator where nothing is said.
    public var crs: CRS?
    /// What to show, x east and y north, in units of ``boxCRS``; grown to the aspect of the picture.
    public var box: Extent?
    /// The system of the box; the map's where nothing is said.
    public var boxCRS: CRS?
    /// What to show in the middle, longitude and latitude in degrees.
    public var center: Coordinate?
    /// The level, with a centre; level 0 is the world in one tile of 256 pixels.
    public var zoom: Double?
    /// Units of the map's CRS a view pixel, with a centre.
    public var resolution: Double?
    /// The denominator of the scale on pixels of 0.28 mm, with a centre.
    public var scaleDenominator: Double?
    /// Whether all features are to be shown or, where there are none, the extents that layers state.
    public var isFitting = false
    /// View pixels kept free around what is fitted.
    public var padding: Double?
    /// The closest level that fitting goes to.
    public var maximumZoom: Double?
    /// The bearing that points up, in degrees clockwise from north.
    public var rotation: Double?
    /// View pixels at the foot that a bar covers.
    package var foot = 0.0

    /// View pixels at the left that a panel covers.
    package var left = 0

    /// View pixels at the top and at the right that a title and a legend cover.
    package var top = 0, right = 0

    /// Makes a request that says nothing.
    public init() {}

    /// Makes a request for what a view shows.
    ///
    /// Its centre is kept in degrees, so that the view that comes of it may differ by some billionths of a pixel; of a view in a
    /// CRS that has no degrees the box is kept.
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
    /// This request, with what `document` says where it says nothing.
    ///
    /// A way of placing the view given here replaces the document's whole, so that a box is not joined to its centre.
    public func over(_ document: ViewRequest) -> ViewRequest {
        var merged = self
        merged.size = size ?? document.size
        merged.pixelRatio = pixelRatio ?? document.pixelRatio
        merged.crs = crs ?? document.crs
        merged.padding = padding ?? document.padding
        merged.maximumZoom = maximumZoom ?? document.maximumZoom
        merged.rotation = rotation ?? document.rotation
        // A box, or fitting, says all of the place; a way of scaling goes with a centre, here or in the document.
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
            // A document's box stays where it is when the map gets another CRS.
            merged.boxCRS =
                boxCRS ?? document.boxCRS
                ?? (document.box != nil && crs != nil ? document.crs ?? Self.defaultCRS : nil)
            merged.isFitting = document.isFitting
        }
        return merged
    }

    /// This request about a place in degrees, where it says how large things are and not where.
    package func centered(on place: Coordinate?) -> ViewRequest {
        guard center == nil, box == nil, !isFitting, hasScale else { return self }
        var request = self
        request.center = place
        return request
    }

    /// Whether a way of scaling is given.
    var hasScale: Bool { zoom != nil || resolution != nil || scaleDenominator != nil }

    /// The size of the picture in view pixels.
    package var imageSize: ImageSize { size ?? Self.defaultSize }

    /// The CRS of the map.
    package var mapCRS: CRS { crs ?? Self.defaultCRS }

    private static let defaultCRS = CRS.webMercator
    private static let defaultSize: ImageSize = {
        guard let size = ImageSize(width: 1024, height: 768) else { preconditionFailure("the usual size is one") }
        return size
    }()
}

extension ViewRequest {
    /// What a request says, by its names in documents.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// Those that are texts or lists of numbers.
        case size, crs, center, bbox, scale
        /// The system of the box.
        case boxCRS = "bbox-crs"
        /// Those that are numbers.
        case zoom, resolution, rotation, padding
        /// Picture pixels a view pixel.
        case pixelRatio = "pixel-ratio"
        /// The closest level of fitting.
        case maximumZoom = "max-zoom"
        /// Whether all is to be shown.
        case fit

        /// Whether its value is one number.
        package var isNumber: Bool {
            [.zoom, .resolution, .rotation, .padding, .pixelRatio, .maximumZoom].contains(self)
        }
    }

    /// Takes a value as it is written, lists with commas.
    ///
    /// - Throws: ``ViewRequestError`` when it is not of the key's form.
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
            guard let denominator = Double(digits), denominator > 0, denominator.isFinite else {
                throw .malformed(key, text)
            }
            scaleDenominator = denominator
        case .zoom: zoom = try number()
        case .resolution: resolution = try number()
        case .rotation: rotation = try number()
        case .padding: padding = try number()
        case .pixelRatio: pixelRatio = try number()
        case .maximumZoom: maximumZoom = try number()
        case .fit: isFitting = text == "true"
        }
    }

    private static func crs(_ text: String, _ key: Key) throws(ViewRequestError) -> CRS {
        do { return try CRS(text) } catch { throw .crs(key, error) }
    }

    /// The numbers of a list such as `1,2.5,3`, or `nil` when it is no such list.
    package static func numbers(_ text: String, count: Int) -> [Double]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.trimmingPrefix { $0 == " " }) }
        guard numbers.count == count, numbers.allSatisfy({ $0?.isFinite ?? false }) else { return nil }
        return numbers.compactMap { $0 }
    }

    /// What is said, by its names in documents; texts as ``set(_:to:)`` takes them.
    package var values: [(key: Key, text: String)] {
        func list(_ numbers: [Double]) -> String { numbers.map(NumberText.decimal).joined(separator: ",") }
        var values: [(Key, String)] = []
        func add(_ key: Key, _ text: String?) { if let text { values.append((key, text)) } }
        func add(_ key: Key, _ number: Double?) {
            add(key, number.flatMap { $0.isFinite ? NumberText.decimal($0) : nil })
        }
        add(.size, size.map { "\($0.width)x\($0.height)" })
        add(.pixelRatio, pixelRatio)
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

extension ViewRequest {
    /// The view that is asked for; where it is fitted to features, title and legend do not cover them.
    ///
    /// - Parameter view: the view without regard to them.
    /// - Throws: ``ViewRequestError``.
    package func viewport(
        for layers: [MapLayer], in view: Viewport, clearOf title: String?, showsLegend: Bool,
        configuration: RendererConfiguration
    ) throws(ViewRequestError) -> Viewport {
        guard box == nil, center == nil, title != nil || showsLegend else { return view }
        var clear = self
        let fonts = FontBook(fonts: configuration.fonts, usesSystemFonts: configuration.usesSystemFonts)
        (clear.top, clear.right) = Furniture.insets(
            of: layers, in: view, title: title, hasBar: foot > 0, showsLegend: showsLegend, fonts: fonts)
        return try clear.view(of: layers)
    }
}

extension Furniture {
    /// How many view pixels at the top and at the right title and legend cover; none where text cannot be set.
    ///
    /// At most half of each side, since beside more there is no room.
    static func insets(
        of layers: [MapLayer], in view: Viewport, title: String?, hasBar: Bool, showsLegend: Bool, fonts: FontBook
    ) -> (top: Int, right: Int) {
        let plan = MapPlanner(viewport: view, showsLegend: showsLegend).plan(showsLegend ? layers : [])
        let furniture = Furniture(title: title, infoBar: hasBar ? InfoBar(title: "") : nil)
        let painter = FurniturePainter(furniture: furniture, fonts: fonts, viewport: view, legend: plan.legend)
        guard let insets = try? painter.insets() else { return (0, 0) }
        return (
            min(Int((insets.top / view.pixelRatio).rounded(.up)), view.size.height / 2),
            min(Int((insets.right / view.pixelRatio).rounded(.up)), view.size.width / 2)
        )
    }
}
