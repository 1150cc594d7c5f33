import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanWeb

extension LayerKind {
    /// The keys of elevations.
    fileprivate static let elevationKeys = [
        "encoding", "red-factor", "green-factor", "blue-factor", "base-shift", "band", "crs", "min-zoom", "max-zoom",
        "tile-size", "bounds", "subdomains", "scheme", "attribution",
    ]

    private static let sourceHelp = "a GeoTIFF or PMTiles file or URL, an MBTiles file, a tile template or TileJSON"

    /// Shaded relief of elevations, as `gdaldem hillshade` makes it.
    public static let hillshade = terrain(
        "hillshade", ["method", "azimuth", "altitude", "z-factor", "gradient", "shadow", "highlight"],
        help: """
            hillshade:SOURCE  Shaded relief of elevations: \(sourceHelp). Grey, or with the keys shadow and highlight clear above \
            a map.
            """
    ) { keys throws(MapError) in
        let shade = Hillshade(
            method: try keys.choice("method", of: Hillshade.Method.allCases) ?? .standard,
            azimuth: try keys.number("azimuth", in: -360...360) ?? 315,
            altitude: try keys.number("altitude", in: 0...90) ?? 45, shadow: try keys.color("shadow"),
            highlight: try keys.color("highlight"))
        for (key, method) in [("azimuth", Hillshade.Method.multidirectional), ("altitude", .igor)]
        where keys[key] != nil && shade.method == method {
            throw keys.invalid(key, "has no effect with method=\(method.rawValue)")
        }
        return .hillshade(shade, try keys.gradient(), factor: try keys.factor())
    }

    /// Colours of elevations, as `gdaldem color-relief` makes them.
    public static let colorRelief = terrain(
        "color-relief", ["ramp", "range"],
        help: "color-relief:SOURCE  Colours of elevations in metres: \(sourceHelp)."
    ) { keys throws(MapError) in .colorRelief(try keys.ramp(over: nil) ?? .hypsometric) }

    /// Colours of slopes, as `gdaldem slope` computes them.
    public static let slope = terrain(
        "slope", ["ramp", "range", "unit", "z-factor", "gradient"],
        help: "slope:SOURCE  Colours of the steepness of the ground: \(sourceHelp)."
    ) { keys throws(MapError) in
        let isPercent: Bool
        switch keys["unit"] {
        case nil, "degrees"?: isPercent = false
        case "percent"?: isPercent = true
        default: throw keys.invalid("unit", "must be degrees or percent")
        }
        let usual = isPercent ? ElevationRamp.slope.inPercent : .slope
        return .slope(
            try keys.ramp(over: isPercent ? 0...100 : 0...60) ?? usual, try keys.gradient(),
            factor: try keys.factor(), isPercent: isPercent)
    }

    /// Colours of the directions in which the ground falls, as `gdaldem aspect` computes them.
    public static let aspect = terrain(
        "aspect", ["ramp", "range", "gradient"],
        help: "aspect:SOURCE  Colours of the direction in which the ground falls: \(sourceHelp)."
    ) { keys throws(MapError) in .aspect(try keys.ramp(over: 0...360) ?? .aspect, try keys.gradient()) }

    /// Lines of equal elevation, as `gdal_contour` traces them.
    public static let contours = terrain(
        "contours",
        [
            "interval", "base", "index", "unit", "stroke", "stroke-width", "stroke-opacity", "index-width", "label",
            "label-size", "label-color", "label-font", "halo-color", "halo-width",
        ],
        help: """
            contours:SOURCE  Lines of equal elevation with labelled index lines: \(sourceHelp).
            """
    ) { keys throws(MapError) in .contours(try keys.contours()) }

    private static func terrain(
        _ name: String, _ keys: [String], help: String,
        look: @escaping @Sendable (LayerSpecification) throws(MapError) -> TerrainLook
    ) -> LayerKind {
        LayerKind(
            name, source: .elevations, keys: keys + elevationKeys, help: help,
            check: { specification throws(MapError) in _ = try look(specification) },
            make: { (specification, name, builder) async throws(MapError) in
                let look = try look(specification)
                let opened = try await builder.elevations(of: specification, named: name)
                let source = TerrainSource(tiles: opened.tiles, encoding: opened.encoding, look: look)
                var layer = MapLayer(
                    name: name, source: source, attribution: specification["attribution"] ?? opened.attribution)
                layer.bounds = opened.bounds
                if specification["name"] == nil { layer.legendTitle = look.legendTitle }
                return (layer, opened.warnings)
            })
    }
}

extension LayerSpecification {
    /// Parses a source of elevations, with or without a kind that draws them.
    ///
    /// - Throws: ``MapError`` for keys of the appearance, which have no effect on elevations.
    package init(elevations text: String, kinds: LayerKinds) throws(MapError) {
        let parts = try Parts(text, kinds, default: .hillshade)
        try self.init(kind: parts.kind, source: parts.source, values: parts.values, kinds: kinds)
        guard kind.source == .elevations else { throw invalid("'\(kind.name):' draws no elevations") }
        if let key = values.keys.sorted().first(where: { !LayerKind.elevationKeys.contains($0) }) {
            throw invalid(key, "has no effect on elevations")
        }
    }

    /// The formula of gradients.
    fileprivate func gradient() throws(MapError) -> TerrainGradient.Formula {
        try choice("gradient", of: TerrainGradient.Formula.allCases) ?? .horn
    }

    /// The factor of elevations.
    fileprivate func factor() throws(MapError) -> Double {
        let factor = try number("z-factor", in: 0...1e6) ?? 1
        guard factor > 0 else { throw invalid("z-factor", "must be above 0") }
        return factor
    }

    fileprivate func color(_ key: String) throws(MapError) -> MapColor? {
        guard let text = self[key] else { return nil }
        guard let color = MapColor(css: text) else { throw invalid(key, "must be a colour, as #ffffff or white") }
        return color
    }

    /// Returns the colours of the keys `ramp` and `range`, or `nil` for the usual ones.
    ///
    /// - Parameter usual: the range of a palette, or `nil` if it must be stated.
    fileprivate func ramp(over usual: ClosedRange<Double>?) throws(MapError) -> ElevationRamp? {
        var range = usual
        if let text = self["range"] {
            let sides = text.split(separator: "..", omittingEmptySubsequences: false).map { Double($0) }
            guard sides.count == 2, let low = sides[0], let high = sides[1], low.isFinite, high.isFinite, low < high
            else { throw invalid("range", "must be LOW..HIGH, as 0..3000") }
            range = low...high
        }
        guard let text = self["ramp"] else {
            if self["range"] != nil { throw invalid("range", "needs a palette; add ';ramp=viridis'") }
            return nil
        }
        if text.contains(":") {
            if self["range"] != nil { throw invalid("range", "is for palettes; the ramp has values of its own") }
            return ElevationRamp(try colorStops("ramp", text).map { ElevationRamp.Stop($0.value, $0.color) })
        }
        let colors = try ThematicClasses.continuousPalette("ramp", text, self)
        guard let range else { throw invalid("ramp", "needs the values of its ends; add ';range=0..3000'") }
        return ElevationRamp(
            colors.enumerated().map { number, color in
                let share = Double(number) / Double(max(colors.count - 1, 1))
                return ElevationRamp.Stop(range.lowerBound + share * (range.upperBound - range.lowerBound), color)
            })
    }

    /// Returns the lines of the keys.
    fileprivate func contours() throws(MapError) -> ContourLook {
        var look = ContourLook()
        if let interval = try number("interval") {
            guard interval > 0 else { throw invalid("interval", "must be above 0") }
            look.interval = interval
        }
        look.base = try number("base", in: -1e6...1e6) ?? 0
        look.indexStep = try integer("index", in: 0...1000) ?? 5
        switch self["unit"] {
        case nil, "m"?: break
        case "ft"?: look.metersPerUnit = 0.3048
        default: throw invalid("unit", "must be m or ft")
        }
        let color = try color("stroke") ?? MapColor(red: 0x9C, green: 0x6B, blue: 0x3C)
        look.line.strokeColor = color
        look.line.strokeWidth = try number("stroke-width", in: 0...100) ?? 0.7
        look.line.strokeOpacity = try number("stroke-opacity", in: 0...1)
        look.index = look.line
        look.index.strokeWidth = try number("index-width", in: 0...100) ?? (look.line.strokeWidth ?? 1) * 2
        let labelKeys = ["label-size", "label-color", "label-font", "halo-color", "halo-width"]
        guard try flag("label") ?? true, look.indexStep > 0 else {
            if let key = labelKeys.first(where: { self[$0] != nil }) {
                throw invalid(key, "has no effect without labels, which index lines have")
            }
            return look
        }
        look.index.label = "${\(ContourLook.property)}"
        look.index.fontSize = try number("label-size", in: 1...200) ?? 10
        look.index.fontColor = try self.color("label-color") ?? color.darker
        look.index.fontFamily = self["label-font"]
        look.index.labelOutlineColor = try self.color("halo-color") ?? .white
        look.index.labelOutlineWidth = try number("halo-width", in: 0...20) ?? 2
        return look
    }
}

extension ElevationRamp {
    /// The ramp of slopes in degrees, for per cent.
    fileprivate var inPercent: ElevationRamp {
        ElevationRamp(
            stops.map { stop in
                ElevationRamp.Stop(stop.value < 90 ? 100 * Libm.tangent(stop.value * .pi / 180) : 1_000, stop.color)
            })
    }
}

extension MapColor {
    /// The colour with three quarters of its brightness.
    fileprivate var darker: MapColor {
        MapColor(red: red / 4 * 3, green: green / 4 * 3, blue: blue / 4 * 3, alpha: alpha)
    }
}
