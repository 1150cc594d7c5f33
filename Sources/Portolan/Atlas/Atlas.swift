public import PortolanGeo
public import PortolanPaint
public import PortolanPlan
import PortolanRaster

/// The pages of a map that is printed in parts: over a grid, or along a route.
///
/// ```swift
/// let atlas = try Atlas(along: [route], on: page, overlap: 0.1)
/// let pdf = try await renderer.pdf(of: atlas, layers: map.layers, options: options)
/// try pdf.write(to: "atlas.pdf")
/// ```
///
/// All pages have the size, the pixel ratio and the CRS of one view, and the same resolution.
public struct Atlas: Hashable, Sendable {
    /// A page.
    public struct Page: Hashable, Sendable {
        /// The view of the map on it.
        public let viewport: Viewport
        /// The number, from 1, or `nil` for the overview.
        public let number: Int?
        /// The marks that lead to neighbouring pages.
        public internal(set) var neighbors: [PrintPage.Neighbor] = []
        /// The outlines of the other pages on the overview.
        var outlines: [PrintPage.Outline] = []
    }

    /// The pages in order, the overview first if there is one.
    public private(set) var pages: [Page]

    /// The number of pages without the overview.
    public var count: Int { pages.count { $0.number != nil } }

    /// The largest number of pages.
    public static let maximumPageCount = 2000

    /// Creates an atlas of a grid of pages that covers an extent.
    ///
    /// The resolution is such that the columns and rows fill the extent.
    ///
    /// - Parameters:
    ///   - extent: the extent in units of the view's CRS.
    ///   - view: the view whose size, pixel ratio and CRS the pages have.
    ///   - overlap: the share of a page that neighbours share, 0 to 0.5.
    /// - Throws: ``MapError`` with the code `invalidArgument`.
    public init(
        columns: Int, rows: Int, of extent: Extent, on view: Viewport, overlap: Double = 0.05, hasOverview: Bool = true
    ) throws(MapError) {
        guard columns > 0, rows > 0, columns <= Self.maximumPageCount, rows <= Self.maximumPageCount else {
            throw MapError(.invalidArgument, "an atlas needs at least one column and row")
        }
        let share = try Self.checked(overlap)
        // The first and the last page end at the extent.
        let wide = extent.width / (Double(columns) - share * Double(columns - 1))
        let high = extent.height / (Double(rows) - share * Double(rows - 1))
        let resolution = max(wide / Double(view.size.width), high / Double(view.size.height))
        try self.init(
            columns, rows, centers: (wide * (1 - share), high * (1 - share)), of: extent, on: view, resolution,
            hasOverview: hasOverview)
    }

    /// Creates an atlas that covers an extent at the resolution of a view.
    ///
    /// - Parameters:
    ///   - extent: the extent in units of the view's CRS.
    ///   - view: the view whose size, pixel ratio, CRS and resolution the pages have.
    ///   - overlap: the share of a page that neighbours share, 0 to 0.5.
    /// - Throws: ``MapError`` with the code `invalidArgument`.
    public init(
        covering extent: Extent, on view: Viewport, overlap: Double = 0.05, hasOverview: Bool = true
    ) throws(MapError) {
        let share = try Self.checked(overlap), resolution = view.resolution.unitsPerPixel
        func count(_ length: Double, _ page: Double) throws(MapError) -> Int {
            let count = ((length - share * page) / (page * (1 - share))).rounded(.up)
            guard count <= Double(Self.maximumPageCount) else { throw Self.tooMany }
            return max(Int(count), 1)
        }
        let wide = Double(view.size.width) * resolution, high = Double(view.size.height) * resolution
        let columns = try count(extent.width, wide), rows = try count(extent.height, high)
        try self.init(
            columns, rows, centers: (wide * (1 - share), high * (1 - share)), of: extent, on: view, resolution,
            hasOverview: hasOverview)
    }

    /// Creates a grid whose pages have centres at a distance, around the middle of the extent.
    private init(
        _ columns: Int, _ rows: Int, centers step: (x: Double, y: Double), of extent: Extent, on view: Viewport,
        _ resolution: Double, hasOverview: Bool
    ) throws(MapError) {
        guard columns * rows <= Self.maximumPageCount else { throw Self.tooMany }
        var pages: [Page] = []
        let middle = extent.center, first = hasOverview ? 1 : 0
        for row in 0..<rows {
            for column in 0..<columns {
                let center = Coordinate(
                    x: middle.x + (Double(column) - Double(columns - 1) / 2) * step.x,
                    y: middle.y - (Double(row) - Double(rows - 1) / 2) * step.y)
                var page = Page(
                    viewport: try Self.viewport(view, center: center, resolution: resolution, rotation: 0),
                    number: pages.count + 1)
                let number = pages.count
                func lead(_ side: PrintPage.Neighbor.Side, to other: Int, if exists: Bool) {
                    guard exists else { return }
                    page.neighbors.append(
                        PrintPage.Neighbor(side: side, text: "\(other + 1)", page: other + first))
                }
                lead(.left, to: number - 1, if: column > 0)
                lead(.right, to: number + 1, if: column < columns - 1)
                lead(.top, to: number - columns, if: row > 0)
                lead(.bottom, to: number + columns, if: row < rows - 1)
                pages.append(page)
            }
        }
        self.pages = pages
        if hasOverview { try addOverview() }
    }

    /// Creates an atlas along a route: pages at the resolution of a view that cover the route in order.
    ///
    /// - Parameters:
    ///   - route: the coordinates of one line, or of several in order, in units of the view's CRS.
    ///   - view: the view whose size, pixel ratio, CRS and resolution the pages have.
    ///   - overlap: the share of a page that the next one repeats, 0 to 0.5.
    ///   - isRotated: whether pages are rotated so that the route runs along their longer side.
    /// - Throws: ``MapError`` with the code `invalidArgument` if the route is empty or too long.
    public init(
        along route: [[Coordinate]], on view: Viewport, overlap: Double = 0.1, isRotated: Bool = false,
        hasOverview: Bool = true
    ) throws(MapError) {
        let strip = StripPages(
            route, width: Double(view.size.width) * view.resolution.unitsPerPixel,
            height: Double(view.size.height) * view.resolution.unitsPerPixel, overlap: try Self.checked(overlap),
            isRotated: isRotated, limit: Self.maximumPageCount)
        guard let strip else { throw Self.tooMany }
        guard !strip.pages.isEmpty else { throw MapError(.invalidArgument, "the route has no line with two positions") }
        var pages: [Page] = []
        let first = hasOverview ? 1 : 0
        for (index, part) in strip.pages.enumerated() {
            let viewport = try Self.viewport(
                view, center: part.center, resolution: view.resolution.unitsPerPixel, rotation: part.rotation)
            var page = Page(viewport: viewport, number: index + 1)
            if index > 0 {
                page.neighbors.append(Self.mark(at: part.entry, on: viewport, text: index, page: index - 1 + first))
            }
            if index + 1 < strip.pages.count {
                page.neighbors.append(Self.mark(at: part.exit, on: viewport, text: index + 2, page: index + 1 + first))
            }
            pages.append(page)
        }
        for index in pages.indices {
            pages[index].neighbors += Self.crossings(of: route, on: index, pages, first: first)
        }
        self.pages = pages
        if hasOverview { try addOverview() }
    }

    /// The least distance between marks of a page, and between those that lead to the same one, in view pixels.
    private static let markDistance = 40.0, sameMarkDistance = 120.0

    /// Returns the marks where a route that returns leaves a page for another than the one before or after it.
    ///
    /// - Complexity: O(coordinates of the route + pages).
    private static func crossings(
        of route: [[Coordinate]], on index: Int, _ pages: [Page], first: Int
    ) -> [PrintPage.Neighbor] {
        let view = pages[index].viewport, width = Double(view.size.width), height = Double(view.size.height)
        let picture = Rectangle(view.size)
        func place(_ mark: PrintPage.Neighbor) -> Point {
            switch mark.side {
            case .left: Point(x: 0, y: mark.position * height)
            case .right: Point(x: width, y: mark.position * height)
            case .top: Point(x: mark.position * width, y: 0)
            case .bottom: Point(x: mark.position * width, y: height)
            }
        }
        var marks: [PrintPage.Neighbor] = []
        for line in route {
            var last: (coordinate: Coordinate, isInside: Bool)?
            for coordinate in line {
                let isIn = picture.contains(view.pixel(of: coordinate))
                defer { last = (coordinate, isIn) }
                guard let before = last, before.isInside != isIn else { continue }
                // The crossing, by halving.
                var (inner, outer) = isIn ? (coordinate, before.coordinate) : (before.coordinate, coordinate)
                for _ in 0..<24 {
                    let middle = Coordinate(x: (inner.x + outer.x) / 2, y: (inner.y + outer.y) / 2)
                    if picture.contains(view.pixel(of: middle)) { inner = middle } else { outer = middle }
                }
                let pixel = view.pixel(of: inner)
                guard let other = page(around: inner, of: pages, except: index) else { continue }
                let isKnown = (pages[index].neighbors + marks).contains { mark in
                    let known = place(mark), limit = mark.page == other + first ? sameMarkDistance : markDistance
                    return abs(known.x - pixel.x) < limit && abs(known.y - pixel.y) < limit
                }
                guard !isKnown else { continue }
                marks.append(mark(at: inner, on: view, text: other + 1, page: other + first))
            }
        }
        return marks
    }

    /// Returns the page that shows a place farthest from its border, or `nil` if no other page shows it.
    private static func page(around place: Coordinate, of pages: [Page], except index: Int) -> Int? {
        var best: (index: Int, depth: Double)?
        for (other, page) in pages.enumerated() where other != index {
            let pixel = page.viewport.pixel(of: place), size = page.viewport.size
            let depth = min(pixel.x, pixel.y, Double(size.width) - pixel.x, Double(size.height) - pixel.y)
            if depth > best?.depth ?? 0 { best = (other, depth) }
        }
        return best?.index
    }

    private static func checked(_ overlap: Double) throws(MapError) -> Double {
        guard overlap >= 0, overlap <= 0.5 else {
            throw MapError(.invalidArgument, "the overlap of pages must be between 0 and 50%")
        }
        return overlap
    }

    private static let tooMany = MapError(
        .invalidArgument, "the atlas needs more than \(maximumPageCount) pages",
        remedy: "use a smaller scale or larger paper")

    private static func viewport(
        _ view: Viewport, center: Coordinate, resolution: Double, rotation: Double
    ) throws(MapError) -> Viewport {
        guard let resolution = Resolution(unitsPerPixel: resolution) else {
            throw MapError(.invalidArgument, "the pages have no extent")
        }
        do {
            return try Viewport(
                center: center, resolution: resolution, rotation: rotation, size: view.size,
                pixelRatio: view.pixelRatio, crs: view.crs)
        } catch { throw MapError(.invalidArgument, error.description) }
    }

    /// Returns the mark at the side nearest to where a route enters or leaves a page.
    private static func mark(
        at place: Coordinate, on viewport: Viewport, text: Int, page: Int
    ) -> PrintPage.Neighbor {
        let pixel = viewport.pixel(of: place)
        let x = pixel.x / Double(viewport.size.width), y = pixel.y / Double(viewport.size.height)
        let sides: [(PrintPage.Neighbor.Side, Double, Double)] = [
            (.left, x, y), (.right, 1 - x, y), (.top, y, x), (.bottom, 1 - y, x),
        ]
        let nearest = sides.min { $0.1 < $1.1 } ?? sides[0]
        return PrintPage.Neighbor(side: nearest.0, position: nearest.2, text: "\(text)", page: page)
    }

    /// Adds a page in front that shows the extents of all others.
    private mutating func addOverview() throws(MapError) {
        guard let first = pages.first, let box = BoundingBox(pages.flatMap { Self.corners(of: $0.viewport) }) else {
            return
        }
        let view = first.viewport, whole: Viewport
        // The title has room above the outlines.
        let top = min(Self.titleHeight, view.size.height / 4)
        do {
            whole = try Viewport.fitting(
                box, padding: Double(min(view.size.width, view.size.height)) / 24,
                size: ImageSize(width: view.size.width, height: view.size.height - top) ?? view.size,
                pixelRatio: view.pixelRatio, crs: view.crs
            ).widened(left: 0, top: top, right: 0)
        } catch { throw MapError(.invalidArgument, error.description) }
        var overview = Page(viewport: whole, number: nil)
        overview.outlines = pages.enumerated().map { index, page in
            PrintPage.Outline(
                corners: Self.corners(of: page.viewport).map { whole.imagePixel(of: $0) }, text: "\(index + 1)",
                page: index + 1)
        }
        pages.insert(overview, at: 0)
    }

    private static let titleHeight = 56

    private static func corners(of viewport: Viewport) -> [Coordinate] {
        let width = Double(viewport.size.width), height = Double(viewport.size.height)
        return [(0, 0), (width, 0), (width, height), (0, height)].map {
            viewport.coordinate(at: Point(x: $0.0, y: $0.1))
        }
    }
}

extension Atlas {
    /// The corners of the maps of other pages that share a part of a page, in its picture pixels.
    private func others(than index: Int) -> [[Point]] {
        let view = pages[index].viewport, picture = Rectangle(view.imageSize)
        return pages.indices.compactMap { other in
            guard other != index, pages[other].number != nil else { return nil }
            let corners = Self.corners(of: pages[other].viewport).map(view.imagePixel)
            guard let box = Path.polyline(corners).boundingRectangle else { return nil }
            let isApart =
                box.maxX < picture.minX || box.minX > picture.maxX || box.maxY < picture.minY || box.minY > picture.maxY
            return isApart ? nil : corners
        }
    }

    /// Returns the options of a page, with its number and its marks; rotated pages have a north arrow.
    public func options(ofPage index: Int, _ options: RenderOptions) -> RenderOptions {
        var own = options, page = options.page ?? PrintPage()
        let shown = pages[index]
        page.number = shown.number.map { "\($0) / \(count)" } ?? "1–\(count)"
        page.neighbors += shown.neighbors
        page.outlines = shown.outlines
        page.others = shown.number == nil ? [] : others(than: index)
        own.page = page
        // The overview is a locator map, and has the title.
        if shown.number == nil {
            own.insets = []
        } else {
            own.subtitle = nil
            own.title = nil
            // Readers expect north at the top.
            own.showsNorthArrow = own.showsNorthArrow || shown.viewport.rotation != 0
        }
        return own
    }
}
