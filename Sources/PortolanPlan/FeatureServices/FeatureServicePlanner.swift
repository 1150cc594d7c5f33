import PortolanFeatures
import PortolanGeo
import PortolanWeb

/// Decides which features a view requests from a service, and which of the received features are drawn.
struct FeatureServicePlanner {
    /// The largest number of pages of a cell.
    private static let maximumPageCount = 200
    /// The distance outside the view within which features are fetched, in view pixels, since their symbols may reach
    /// into it.
    private static let reach = 32.0
    /// The number of levels by which a fallback cell may be coarser.
    private static let standInLevels = 3

    private let source: FeatureServiceSource
    private let view: LayerView
    private let arrivals: Arrivals
    private let grid: FeatureCellGrid
    private var result = LayerPlan(revision: .afterArrivals)
    private var oddities: [MapWarning] = []
    /// The features received so far, each once.
    private(set) var features: FeatureSource?

    init(_ source: FeatureServiceSource, _ view: LayerView, _ arrivals: Arrivals) {
        self.source = source
        self.view = view
        self.arrivals = arrivals
        grid = FeatureCellGrid(crs: source.request.crs)
    }

    /// The pages of a cell received so far.
    private struct Chain {
        var pages: [FeatureCells.Page] = []
        var features: [Feature] = []
        /// Whether a page is unavailable.
        var hasFailed = false
        /// Whether more pages follow.
        var isUnfinished = false
    }

    mutating func plan() throws(PlanError) -> LayerPlan {
        let crs = source.request.crs
        guard let seen = try ViewInSource(viewport: view.viewport, margin: Self.reach, sourceCRS: crs) else {
            result.warnings.append(
                MapWarning(.blank, layer: view.layer, message: MapWarning.nothingToAsk(in: crs)))
            return result
        }
        guard let cells = cells(of: seen) else { throw .notDrawable("the view needs too many requests to the service") }
        let center = seen.fetched.center
        func distance(_ cell: FeatureCellGrid.Cell) -> Double {
            guard let place = grid.extent(of: cell)?.center else { return .infinity }
            let x = place.x - center.x, y = place.y - center.y
            return (x * x + y * y) / (seen.resolution.unitsPerPixel * seen.resolution.unitsPerPixel)
        }
        // Cells near the middle are filled first.
        var shown: [(cell: FeatureCellGrid.Cell, chain: Chain)] = [], count = 0
        for cell in cells.sorted(by: { distance($0) < distance($1) }) {
            var chain = chain(of: cell, rank: distance(cell), isFull: count >= source.limit)
            if chain.hasFailed { addStandIn(for: cell, rank: distance(cell), to: &chain) }
            count += chain.features.count
            shown.append((cell, chain))
        }
        let isCut = try draw(shown)
        if isCut {
            warn(
                .limited,
                "more than \(source.limit) features here; only those near the centre are drawn. Zoom in, or raise 'limit'"
            )
        }
        var told: Set<MapWarning> = []
        for oddity in oddities where told.insert(oddity).inserted && told.count <= 5 {
            result.warnings.append(oddity.about(layer: view.layer))
        }
        result.keepDistinctResources()
        return result
    }

    private mutating func warn(_ code: MapWarning.Code, _ message: String) {
        let warning = MapWarning(code, layer: view.layer, message: message)
        if !result.warnings.contains(warning) { result.warnings.append(warning) }
    }

    /// The cells of a view, of a coarser level if there are too many.
    private func cells(of seen: ViewInSource) -> [FeatureCellGrid.Cell]? {
        let level = grid.level(for: seen.resolution)
        return (level...level + 4).lazy.compactMap { grid.cells(ofLevel: $0, in: seen.fetched) }.first
    }

    // MARK: - Pages

    /// Follows the pages of a cell as far as they have arrived, and requests the next.
    ///
    /// - Parameter isFull: whether earlier cells already contain all the features that may be drawn. Then only the
    ///   first page is requested.
    private mutating func chain(
        of cell: FeatureCellGrid.Cell, use: Resource.Use = .shown, rank: Double, isFull: Bool = false
    ) -> Chain {
        var chain = Chain()
        let request = source.request
        guard let extent = grid.extent(of: cell) else { return chain }
        let size = request.hasOffsets ? min(FeatureServiceSource.pageSize, source.limit) : source.limit
        var address: Resource.Location? = .url(request.url(of: extent, count: size, from: 0))
        if case .table(let table) = request { address = .archive(table.entry(of: cell, all: view.identifies)) }
        var asked: Set<String> = [], firsts: Set<FeatureKey> = []
        while let location = address {
            address = nil
            let number = chain.pages.count, place = location.description
            let name = number == 0 ? cell.name : "\(cell.name) page \(number + 1)"
            guard number < Self.maximumPageCount, asked.insert(place).inserted else {
                tellCut(cell, chain.features.count, nil)
                break
            }
            var resource = Resource(
                id: view.id(.other(place)), location: location, form: .document, use: use, name: name,
                bounds: LayerBounds(extent, crs: grid.crs), rank: rank)
            // Other responses are kept by the disk cache.
            if case .archive = location { resource = resource.keptInMemory }
            result.resources.append(resource)
            guard let bytes = arrivals.document(resource.id) else {
                chain.hasFailed = arrivals.failure(resource.id) != nil
                chain.isUnfinished = !chain.hasFailed
                break
            }
            let limit = max(source.limit, size) + 100_000, memory = source.memory
            let contentCRS = arrivals.contentCRS(of: resource.id)
            let page = source.cells.page(at: place, bytes, contentCRS) {
                Result { () throws(FeaturePageError) in
                    try FeaturePage(bytes, for: request, contentCRS: contentCRS, limit: limit, memory: memory)
                }
            }
            switch page.content {
            case .failure(let error):
                warn(.notDrawn, "\(name): \(error.words)")
                chain.hasFailed = true
                return chain
            case .success(let answer):
                oddities += answer.warnings
                guard let first = answer.features.first, firsts.insert(FeatureKey(first)).inserted else {
                    // A service without paging returns the same page forever; others report wrong counts, or stop.
                    let isShort = answer.matchedCount.map { $0 > chain.features.count } ?? false
                    if isShort || !answer.features.isEmpty { tellCut(cell, chain.features.count, answer.matchedCount) }
                    return chain
                }
                chain.pages.append(page)
                chain.features += answer.features
                guard chain.features.count < source.limit, !isFull else { return chain }
                switch request.successor(of: answer, in: extent, size: size, count: chain.features.count) {
                case .none: break
                case .page(let next): address = .url(next)
                case .cut: tellCut(cell, chain.features.count, answer.matchedCount)
                case .refused(let reference):
                    warn(.notDrawn, "\(name): not allowed to request the next page: \(reference)")
                    chain.hasFailed = true
                }
            }
        }
        return chain
    }

    private mutating func tellCut(_ cell: FeatureCellGrid.Cell, _ count: Int, _ matched: Int?) {
        let whole = matched.map { " of \($0)" } ?? ""
        warn(
            .limited,
            "the service returned \(count)\(whole) features for the cell \(cell.name) and no more pages; some may be missing"
        )
    }

    /// Adds the features of a coarser cell that is kept from an earlier view.
    private mutating func addStandIn(for cell: FeatureCellGrid.Cell, rank: Double, to chain: inout Chain) {
        guard var coarser = grid.coarser(than: cell) else { return }
        for _ in 0..<Self.standInLevels {
            let found = self.chain(of: coarser, use: .standIn, rank: rank)
            if !found.pages.isEmpty || found.isUnfinished {
                chain.pages += found.pages
                chain.features += found.features
                return
            }
            guard let next = grid.coarser(than: coarser) else { return }
            coarser = next
        }
    }

    // MARK: - Drawing

    /// Draws the received features, each once, and returns whether there are too many.
    private mutating func draw(_ shown: [(cell: FeatureCellGrid.Cell, chain: Chain)]) throws(PlanError) -> Bool {
        let limit = source.limit
        let count = shown.reduce(0) { $0 + $1.chain.features.count }
        // If there are few features, duplicates are only removed when the cells are joined.
        var allowance: [FeatureCellGrid.Cell: Int] = [:], isCut = false
        if count > limit {
            var taken: Set<FeatureKey> = []
            for (cell, chain) in shown {
                var number = 0
                for feature in chain.features {
                    let key = FeatureKey(feature)
                    guard taken.count < limit || taken.contains(key) else {
                        isCut = true
                        break
                    }
                    taken.insert(key)
                    number += 1
                }
                allowance[cell] = number
            }
        }
        let ordered = shown.sorted { ($0.cell.row, $0.cell.column) < ($1.cell.row, $1.cell.column) }
        let appearance = source.appearance
        let numbers = ordered.flatMap { cell, chain in
            chain.pages.map(\.number) + [UInt64(allowance[cell] ?? chain.features.count)]
        }
        let joined = source.cells.source(of: numbers, likewise: appearance) {
            var source = appearance, seen: Set<FeatureKey> = [], features: [Feature] = []
            for (cell, chain) in ordered {
                for feature in chain.features.prefix(allowance[cell] ?? .max)
                where seen.insert(FeatureKey(feature)).inserted { features.append(feature) }
                for page in chain.pages { if case .success(let page) = page.content { source.hold(page.charge) } }
            }
            // The features of a table are in the order of their identifiers, whichever cells the view has.
            if case .table = self.source.request { features.sortByID() }
            if let join = source.join { features.join(join, &source.joinOutcome) }
            source.append(contentsOf: features)
            return source
        }
        features = joined
        var current = joined
        current.selection = appearance.selection
        let drawn = try current.plan(for: view, given: arrivals)
        result.resources += drawn.resources
        result.nodes = drawn.nodes
        result.warnings += drawn.warnings
        if let join = joined.join {
            result.warnings += joined.joinOutcome.warnings(join, isWhole: false).map { $0.about(layer: view.layer) }
        }
        return isCut
    }
}

extension [Feature] {
    /// Sorts by identifiers: integers, then texts, then features without one, which keep their order.
    fileprivate mutating func sortByID() {
        sort { one, other in
            switch (one.id, other.id) {
            case (.integer(let one), .integer(let other)): one < other
            case (.string(let one), .string(let other)): one < other
            case (.integer, .string), (.some, nil): true
            default: false
            }
        }
    }
}
