public import PortolanGeo
public import PortolanPlan
public import PortolanRaster
import PortolanServices

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
