import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanStyles

/// Plans the features of a view by a style: a step for each of its layers, in their order.
struct SheetPlanner {
    /// The most warnings that are given of a picture.
    private static let warningLimit = 20

    private let source: FeatureSource
    private let sheet: StyleSheet
    private let view: LayerView
    private let zoom: Double
    private let sprites: SheetSprites

    init(_ source: FeatureSource, _ sheet: StyleSheet, _ view: LayerView, given arrivals: Arrivals) {
        sprites = SheetSprites(sheet, base: source.sheetBaseURL, view, given: arrivals)
        self.source = source
        self.sheet = sheet
        self.view = view
        zoom = view.viewport.styleZoom
    }

    /// What is painted; a background first.
    func plan() throws(PlanProblem) -> LayerPlan {
        let viewport = view.viewport, planner = FeaturePlanner(source: source, viewport: viewport)
        var plan = LayerPlan(resources: sprites.resources, nodes: backgrounds().map(SceneNode.features))
        if !sprites.resources.isEmpty { plan.revision = .afterArrivals }
        guard
            let seen = try ViewInSource.fetched(viewport, margin: FeatureStep.symbolReach, sourceCRS: source.crs)
        else { return plan }
        let places = planner.places(in: planner.extents(seen))
        let shifts = worldShifts(of: viewport.crs, in: viewport.extent(margin: FeatureStep.symbolReach))
        let copies = planner.copies(of: shifts, width: viewport.crs.worldWidth)
        let first = source.passNumbers.first(
            content: source.contentID, zoom: zoom, sprites: sprites.key, count: 2 * sheet.layers.count)
        let pictures = StylePictures(sprites: sprites.sprites, pixelRatio: viewport.pixelRatio)
        var warnings: [StyleWarning] = []
        for (number, layer) in sheet.layers.enumerated() where layer.kind != .background && layer.isDrawn(at: zoom) {
            var looks = LayerLooks(layer, zoom: zoom, globalState: sheet.globalState, pictures: pictures)
            let key = SheetMemory.Key(
                content: source.contentID, zoom: looks.dependsOnZoom ? zoom : nil, sprites: sprites.key,
                pixelRatio: viewport.pixelRatio)
            var known = source.sheetMemory.looks(ofLayer: number, key, featureCount: source.features.count)
            let passes = passes(places, &looks, &known)
            if looks.failures.isEmpty, looks.pictureFindings.isEmpty {
                source.sheetMemory.keep(known, ofLayer: number)
            }
            for (key, error) in looks.failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                warnings.append(StyleWarning(layer: layer.id, member: key.rawValue, reason: .evaluation(error)))
            }
            // What a sprite has is not known before it comes.
            for (key, finding) in looks.pictureFindings.sorted(by: { $0.key.rawValue < $1.key.rawValue })
            where !sprites.isWaiting {
                warnings.append(StyleWarning(layer: layer.id, member: key.rawValue, reason: finding))
            }
            for place in passes.indices {
                plan.nodes.append(
                    .features(
                        FeatureStep(
                            source, looks: passes[place].table, contentID: first + UInt64(2 * number + place),
                            shown: passes[place].shown, worldShifts: copies)))
            }
        }
        plan.warnings = (sprites.warnings + warnings.map(\.description)).prefix(Self.warningLimit).map {
            MapWarning(.style, layer: view.layer, message: $0)
        }
        if warnings.count > Self.warningLimit {
            let rest = warnings.count - Self.warningLimit
            plan.warnings.append(MapWarning(.style, layer: view.layer, message: "and \(rest) more such warnings"))
        }
        return plan
    }

    /// The features that a layer draws, in drawing order, and after them what is drawn above all of them.
    private func passes(_ places: [Int], _ looks: inout LayerLooks, _ known: inout SheetMemory.Looks) -> [Pass] {
        var drawn: [(key: Double, place: Int, look: Int)] = []
        for place in places {
            let number = known.number(of: place) { looks.look(of: source.features[place]) }
            guard number != SheetMemory.Looks.none else { continue }
            drawn.append((known.table[Int(number)].sortKey, place, Int(number)))
        }
        // Features of one key keep their order.
        if looks.isSorted { drawn.sort { ($0.key, $0.place) < ($1.key, $1.place) } }
        var below = Pass(lookCount: known.table.count), above = below
        for feature in drawn {
            let isSelected = source.selection.map { source.features[feature.place].isIdentified(by: $0) } ?? false
            let look = known.table[feature.look]
            if look.style.drawsSomething {
                below.add(look.style, number: feature.look, of: feature.place, isSelected: isSelected)
            }
            if let style = look.above {
                above.add(style, number: feature.look, of: feature.place, isSelected: isSelected)
            }
        }
        return [below, above].filter { !$0.shown.isEmpty }
    }

    /// Features that are drawn, and their looks, each once.
    private struct Pass {
        private(set) var shown: [FeatureStep.Shown] = []
        private var styles: [StyleSet] = []
        /// The number here of each look of the layer, or -1.
        private var numbers: [Int32]

        init(lookCount: Int) { numbers = [Int32](repeating: -1, count: lookCount) }

        var table: StyleTable { StyleTable(styles: styles, numbers: []) }

        mutating func add(_ style: Style, number look: Int, of place: Int, isSelected: Bool) {
            if numbers[look] < 0 {
                numbers[look] = Int32(styles.count)
                styles.append(StyleSet(default: style))
            }
            shown.append(
                FeatureStep.Shown(place: Int32(place), look: numbers[look], icon: -1, isSelected: isSelected))
        }
    }

    /// The colours under all, as areas larger than the view.
    private func backgrounds() -> [FeatureStep] {
        guard let color = sheet.background(at: zoom) else { return [] }
        let extent = view.viewport.extent(margin: FeatureStep.symbolReach)
        let corners = [
            Coordinate(x: extent.minX, y: extent.minY), Coordinate(x: extent.maxX, y: extent.minY),
            Coordinate(x: extent.maxX, y: extent.maxY), Coordinate(x: extent.minX, y: extent.maxY),
            Coordinate(x: extent.minX, y: extent.minY),
        ]
        let style = Style(fill: FillSymbol(color: color.color))
        return [
            FeatureStep(
                crs: view.viewport.crs,
                features: [
                    StyledFeature(
                        feature: Feature(geometry: .polygon([corners])), style: style, iconURL: nil, isSelected: false)
                ])
        ]
    }
}

extension Style {
    /// Whether there is anything to draw.
    fileprivate var drawsSomething: Bool { fill != nil || stroke != nil || marker != nil || label != nil }
}

extension Viewport {
    /// The zoom that styles count with, at which the world is 512 · 2^zoom view pixels wide: one less than that of tiles of
    /// 256 pixels.
    ///
    /// Outside web Mercator it is that at which a Mercator map would show the ground at the picture's centre as large. Of a
    /// system without a built-in projection it is 0.
    package var styleZoom: Double {
        var resolution = self.resolution.unitsPerPixel
        if crs != .webMercator {
            guard let meters = metersPerImagePixel, let toDegrees = try? CoordinateTransform(from: crs, to: .crs84),
                let place = toDegrees(center)
            else { return 0 }
            resolution = meters * pixelRatio / max(Libm.cosine(place.y * Double.pi / 180), 1e-3)
        }
        return Libm.logarithm2((CRS.webMercator.worldWidth ?? 0) / 512 / resolution)
    }
}
