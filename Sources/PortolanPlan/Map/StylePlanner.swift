import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanStyles
import PortolanText
import PortolanWeb

/// Plans a view with a style, layer by layer.
struct StylePlanner {
    /// The largest number of warnings for a picture.
    private static let warningLimit = 20

    /// The features of a source that are in view.
    struct Reach {
        fileprivate let places: [Int]
        /// Whether each of them is near the view.
        fileprivate let areNear: [Bool]
        fileprivate let copies: [Double]
        /// The number of the first style layer's drawing of the source.
        fileprivate let first: UInt64
    }

    /// The zoom of the style.
    let zoom: Double
    private let sheet: StyleSheet
    private let view: LayerView
    private let base: BaseURL?
    private let arrivals: Arrivals
    private let sprites: StyleSprites
    private let glyphMemory: GlyphRangeCache
    /// The characters of the labels so far.
    private var letters = StyleLetters()
    private var pictures: StylePictures
    private var nodes: [Scene.Node] = []
    private var warnings: [MapWarning] = []
    /// The number of style layers that are drawn.
    private var partCount = 0

    /// Whether sprites may still arrive.
    var isWaiting: Bool { sprites.isWaiting }

    init(
        _ sheet: StyleSheet, base: BaseURL?, _ view: LayerView, given arrivals: Arrivals,
        _ spriteMemory: SpriteCache, _ glyphMemory: GlyphRangeCache
    ) {
        self.sheet = sheet
        self.view = view
        self.base = base
        self.arrivals = arrivals
        self.glyphMemory = glyphMemory
        sprites = StyleSprites(sheet, base: base, view, given: arrivals, spriteMemory)
        pictures = StylePictures(sprites: sprites.sprites, pixelRatio: view.viewport.pixelRatio)
        zoom = view.viewport.styleZoom
    }

    /// Adds the drawing of a layer that is not drawn by the style.
    mutating func add(_ nodes: [Scene.Node]) { self.nodes += nodes }

    /// Counts a style layer that is drawn.
    mutating func countPart() { partCount += 1 }

    /// Records a style layer that is not drawn.
    mutating func lose(_ layer: StyleSheet.Layer, _ reason: StyleFault) {
        warnings.append(MapWarning(styleLayer: layer.id, member: nil, reason))
    }

    /// The needed resources, and the drawing of the layers added so far.
    func plan() -> LayerPlan {
        let glyphs = StyleGlyphs(letters, of: sheet, base: base, view, given: arrivals, glyphMemory)
        var plan = LayerPlan(
            resources: sprites.resources + (glyphs?.resources ?? []),
            nodes: glyphs?.ranges.map { ranges in nodes.map { $0.with(ranges) } } ?? nodes)
        if !plan.resources.isEmpty { plan.revision = .afterArrivals }
        let lost = sheet.losses.lazy.filter { $0.zooms.contains(zoom) }.map(\.warning) + warnings.filter(\.isLoss)
        plan.partCount = partCount + lost.count
        let told =
            sprites.warnings + (glyphs?.warnings ?? [])
            + warnings.filter { !$0.isLoss }
        for list in [told, lost] {
            plan.warnings += list.prefix(Self.warningLimit).map { $0.about(layer: view.layer) }
            guard list.count > Self.warningLimit, let code = list.first?.code else { continue }
            let rest = list.count - Self.warningLimit
            plan.warnings.append(MapWarning(code, layer: view.layer, message: "and \(rest) more warnings"))
        }
        return plan
    }

    /// The visible features of a source, or `nil` if there are none.
    ///
    /// - Complexity: O(log features + features in view).
    func reach(of source: FeatureSource) throws(PlanError) -> Reach? {
        let viewport = view.viewport, planner = FeaturePlanner(source: source, viewport: viewport)
        guard
            let seen = try ViewInSource.fetched(viewport, margin: Scene.FeatureStep.symbolReach, sourceCRS: source.crs)
        else { return nil }
        let shifts = worldShifts(of: viewport.crs, in: viewport.extent(margin: Scene.FeatureStep.symbolReach))
        let first = source.passNumbers.first(
            content: source.contentID, zoom: zoom, sprites: sprites.key, count: 2 * sheet.layers.count)
        let places = planner.places(in: planner.extents(seen))
        return Reach(
            places: places, areNear: try planner.areNear(places),
            copies: planner.copies(of: shifts, width: viewport.crs.worldWidth), first: first)
    }

    /// Adds the style layer with an index that draws features, or shapes derived from them.
    mutating func add(layer number: Int, of source: FeatureSource, in reach: Reach) throws(PlanError) {
        let changes = sheet.layers[number].symbolizer?.geometry ?? []
        guard !changes.isEmpty else { return draw(layer: number, of: source, in: reach) }
        var changed = source.sheetMemory.changed(ofLayer: number, content: source.contentID) {
            FeatureSource(
                features: source.features.map { changes.reduce($0) { $1.applied(to: $0) } }, crs: source.crs)
        }
        changed.selection = source.selection
        if let own = try self.reach(of: changed) { draw(layer: number, of: changed, in: own) }
    }

    private mutating func draw(layer number: Int, of source: FeatureSource, in reach: Reach) {
        guard !reach.places.isEmpty else { return }
        let layer = sheet.layers[number]
        // Only texts that rotate with the map depend on its rotation.
        let turn = layer.states(.textRotationAlignment) ? -view.viewport.rotation : 0
        var looks = FeatureStyler(
            layer, zoom: zoom, globalState: sheet.globalState, pictures: pictures, mapTurn: turn,
            join: source.join)
        let key = StyleCache.Key(
            content: source.contentID, zoom: looks.dependsOnZoom ? zoom : nil,
            sprites: layer.usesPictures ? sprites.key : [], isWaiting: layer.usesPictures && sprites.isWaiting,
            pixelRatio: view.viewport.pixelRatio, turn: turn)
        // Results for one feature hold for all features of its class.
        let usesClasses = source.isOfTiles && layer.drawsByProperties && !source.joinsByIdentifier
        let count = usesClasses ? source.classCount : source.features.count
        var known = source.sheetMemory.looks(ofLayer: number, key, featureCount: count)
        let moved = translation(of: layer)
        let isInPlace = moved == Point(x: 0, y: 0)
        let drawn = passes(
            reach.places, isInPlace ? reach.areNear : reach.places.map { _ in true }, of: source,
            usesClasses: usesClasses, &looks, &known)
        let passes = drawn.passes
        letters.formUnion(drawn.letters)
        source.sheetMemory.keep(known, ofLayer: number)
        note(drawn.failures, in: layer)
        // The content of a sprite is unknown before it arrives.
        for (key, finding) in drawn.pictureFindings.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where !sprites.isWaiting {
            warnings.append(MapWarning(styleLayer: layer.id, member: key.rawValue, finding))
        }
        let opacity = layer.opacity(at: zoom, globalState: sheet.globalState)
        guard opacity > 0 else { return }
        let rule = StyleRule(
            number: number, title: layer.title ?? layer.id,
            kind: layer.kind == .fill || layer.kind == .fillExtrusion ? .area : layer.kind == .line ? .line : .mark,
            opacity: opacity,
            layer: layer, zoom: zoom, globalState: sheet.globalState)
        let steps = passes.indices.map { place in
            Scene.Node.features(
                Scene.FeatureStep(
                    source, looks: passes[place].table, contentID: reach.first + UInt64(2 * number + place),
                    shown: passes[place].shown, worldShifts: reach.copies
                ).moved(by: moved).ruled(by: rule))
        }
        nodes += opacity < 1 && !steps.isEmpty ? [.group(opacity: opacity, steps)] : steps
    }

    /// The drawing offset of a layer, in view pixels to the right and down.
    private func translation(of layer: StyleSheet.Layer) -> Point {
        guard let (x, y, isOnMap) = layer.translation(at: zoom, globalState: sheet.globalState) else {
            return Point(x: 0, y: 0)
        }
        guard isOnMap else { return Point(x: x, y: y) }
        let (cosine, sine) = view.viewport.upAxis
        return Point(x: x * cosine + y * sine, y: y * cosine - x * sine)
    }

    /// Adds the style layer with an index that draws the density of points.
    ///
    /// - Complexity: O(features of the source) the first time.
    mutating func add(heatmap number: Int, of source: FeatureSource) throws(PlanError) {
        let layer = sheet.layers[number]
        var looks = HeatmapStyler(layer, zoom: zoom, globalState: sheet.globalState, join: source.join)
        guard looks.opacity > 0 else { return }
        let key = StyleCache.Key(
            content: source.contentID, zoom: looks.dependsOnZoom ? zoom : nil, sprites: [], isWaiting: false,
            pixelRatio: 1, turn: 0)
        let table = source.sheetMemory.points(ofLayer: number, key) {
            PointTable(FeatureCollection(features: source.features.compactMap { looks.weighed($0) }, crs: source.crs))
        }
        let heat = PointSource(table, look: .heatmap(looks.symbol))
        let drawn = try heat.plan(for: view, given: Arrivals()).nodes.map { node in
            guard case .points(let step) = node else { return node }
            return Scene.Node.points(step.ruled(title: layer.title ?? layer.id))
        }
        nodes += looks.opacity < 1 && !drawn.isEmpty ? [.group(opacity: looks.opacity, drawn)] : drawn
        note(looks.failures, in: layer)
    }

    /// Adds a style layer that draws elevations.
    mutating func add(elevations layer: StyleSheet.Layer, of source: TerrainSource, in terrain: TerrainView) {
        var looks = TerrainStyler(layer, zoom: zoom, globalState: sheet.globalState)
        let look: TerrainLook
        if layer.kind == .hillshade {
            let light = looks.light(rotation: view.viewport.rotation)
            guard light.exaggeration > 0 else { return }
            look = .styleShade(light)
        } else {
            guard let range = terrain.range else { return }
            look = .colorRelief(looks.ramp(over: range))
        }
        note(looks.failures, in: layer)
        let opacity = layer.opacity(at: zoom, globalState: sheet.globalState)
        guard opacity > 0 else { return }
        let drawn = source.pictures(of: terrain, as: look, for: view)
        nodes += opacity < 1 && !drawn.isEmpty ? [.group(opacity: opacity, drawn)] : drawn
    }

    /// Records evaluation failures.
    private mutating func note(_ failures: [StyleSheet.Key: EvaluationError], in layer: StyleSheet.Layer) {
        for (key, error) in failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            warnings.append(MapWarning(styleLayer: layer.id, member: key.rawValue, .evaluation(error)))
        }
    }

    /// The features that a layer draws, in drawing order, and then those that are drawn above all of them.
    private func passes(
        _ places: [Int], _ areNear: [Bool], of source: FeatureSource, usesClasses: Bool,
        _ looks: inout FeatureStyler, _ known: inout StyleCache.Looks
    ) -> StyleCache.Passes {
        if let last = known.last, last.selection == source.selection, last.places == places, last.areNear == areNear {
            return last
        }
        known = known.forOthers
        var drawn: [(place: Int, look: Int)] = []
        drawn.reserveCapacity(places.count)
        let needsShape = source.isOfTiles && looks.dependsOnShape
        for (place, isNear) in zip(places, areNear) {
            let number = known.number(of: usesClasses ? Int(source.classes[place]) : place) {
                looks.look(of: needsShape ? source.inDegrees(place) : source.features[place])
            }
            guard number != StyleCache.Looks.none else { continue }
            // Most features around the view matter only to labels.
            guard isNear || known.traits[Int(number)].reachesFar else { continue }
            drawn.append((place, Int(number)))
        }
        let traits = known.traits, selection = source.selection
        // Features with equal sort keys keep their order.
        if looks.isSorted {
            drawn.sort { (traits[$0.look].sortKey, $0.place) < (traits[$1.look].sortKey, $1.place) }
        }
        var below = PassMaker(lookCount: traits.count, keepsLetters: sheet.glyphs != nil), above = below
        for feature in drawn {
            let isSelected = selection.map { source.features[feature.place].isIdentified(by: $0) } ?? false
            if traits[feature.look].drawsBelow {
                below.add(look: feature.look, of: feature.place, isSelected: isSelected) { known.table[$0].style }
            }
            if traits[feature.look].drawsAbove {
                above.add(look: feature.look, of: feature.place, isSelected: isSelected) { known.table[$0].above }
            }
        }
        let passes = [below, above].filter { !$0.shown.isEmpty }.map(\.pass)
        let last = StyleCache.Passes(
            places: places, areNear: areNear, selection: selection, passes: passes, letters: below.letters,
            failures: looks.failures, pictureFindings: looks.pictureFindings)
        known.last = last
        return last
    }

    /// The features of a pass, and their distinct styles.
    private struct PassMaker {
        private(set) var shown: [Scene.FeatureStep.Shown] = []
        /// The characters of the labels.
        private(set) var letters = StyleLetters()
        private let keepsLetters: Bool
        private var styles: [StyleSet] = []
        /// The style index in the pass for each style of the layer, or -1.
        private var numbers: [Int32]

        init(lookCount: Int, keepsLetters: Bool) {
            self.keepsLetters = keepsLetters
            numbers = [Int32](repeating: -1, count: lookCount)
        }

        var pass: StyleCache.Pass { StyleCache.Pass(shown: shown, table: StyleTable(styles: styles, numbers: [])) }

        mutating func add(look: Int, of place: Int, isSelected: Bool, _ style: (Int) -> Style?) {
            if numbers[look] < 0, let style = style(look) {
                numbers[look] = Int32(styles.count)
                styles.append(StyleSet(default: style))
                if keepsLetters, let label = style.label { letters.add(label) }
            }
            shown.append(
                Scene.FeatureStep.Shown(place: Int32(place), look: numbers[look], icon: -1, isSelected: isSelected))
        }
    }

    /// Adds a background colour as an area larger than the view.
    mutating func add(background layer: StyleSheet.Layer) {
        guard let fill = fill(of: layer) else { return }
        let extent = view.viewport.extent(margin: Scene.FeatureStep.symbolReach)
        let corners = [
            Coordinate(x: extent.minX, y: extent.minY), Coordinate(x: extent.maxX, y: extent.minY),
            Coordinate(x: extent.maxX, y: extent.maxY), Coordinate(x: extent.minX, y: extent.maxY),
            Coordinate(x: extent.minX, y: extent.minY),
        ]
        let area = Scene.StyledFeature(
            feature: Feature(geometry: .polygon([corners])), style: Style(fill: fill),
            iconURL: nil, isSelected: false)
        nodes.append(.features(Scene.FeatureStep(crs: view.viewport.crs, features: [area]).asGround))
    }

    /// The fill of a background; a pattern takes precedence over a colour.
    private mutating func fill(of layer: StyleSheet.Layer) -> FillSymbol? {
        guard let (name, opacity) = layer.backgroundPattern(at: zoom, globalState: sheet.globalState) else {
            return layer.background(at: zoom, globalState: sheet.globalState).map { FillSymbol(color: $0.color) }
        }
        if let picture = pictures.pattern(name) {
            return FillSymbol(color: MapColor.black.withOpacity(opacity), pattern: picture)
        }
        if !sprites.isWaiting {
            warnings.append(
                MapWarning(
                    styleLayer: layer.id, member: StyleSheet.Key.backgroundPattern.rawValue, .missingPicture(name)))
        }
        return nil
    }
}

extension Viewport {
    /// The zoom of styles, at which the world is 512 · 2^zoom view pixels wide.
    ///
    /// It is one less than the zoom for tiles of 256 pixels.
    ///
    /// Outside web Mercator it is the zoom at which a Mercator map shows the ground at the picture centre at the same
    /// scale. For a CRS without a built-in projection it is 0.
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
