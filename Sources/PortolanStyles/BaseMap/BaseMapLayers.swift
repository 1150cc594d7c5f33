import PortolanFeatures

/// The layers of a base map style, the lowest first.
struct BaseMapLayers {
    typealias Value = PropertyValue

    private let palette: BaseMapPalette
    private(set) var all: [Properties] = []

    init(_ palette: BaseMapPalette) {
        self.palette = palette
        all.append(["id": "land", "type": "background", "paint": ["background-color": palette.land]])
        addGround()
        addWater()
        addBuiltAreas()
        for level in Level.allCases { addRoutes(level) }
        addBoundaries()
        // Symbol layers above are placed first.
        addPointLabels()
        addRouteLabels()
        addWaterLabels()
        addPlaceLabels()
    }

    // MARK: - Areas

    private mutating func addGround() {
        fill(
            "residential", palette.residential, of: "landuse",
            Self.classes("residential", "suburb", "neighbourhood", "quarter"), opacity: Self.linear(9, 0.4, 12, 1))
        fill("farmland", palette.farmland, of: "landcover", Self.classes("farmland"), opacity: Self.linear(8, 0, 11, 1))
        fill("ice", palette.ice, of: "landcover", Self.classes("ice"))
        fill("rock", palette.rock, of: "landcover", Self.classes("rock"))
        fill("sand", palette.sand, of: "landcover", Self.classes("sand"))
        fill(
            "wood", palette.wood, of: "landcover", Self.classes("wood", "forest"),
            opacity: Self.linear(6, 0.5, 10, 0.85, 13, 1))
        fill("grass", palette.grass, of: "landcover", Self.classes("grass"), opacity: Self.linear(9, 0.5, 12, 1))
        fill("wetland", palette.wetland, of: "landcover", Self.classes("wetland"), opacity: 0.8)
        fill(
            "industry", palette.industry, of: "landuse",
            Self.classes("industrial", "commercial", "retail", "railway", "quarry", "military"),
            opacity: Self.linear(11, 0.5, 14, 1))
        fill("hospital", palette.hospital, of: "landuse", Self.classes("hospital"))
        fill(
            "school", palette.school, of: "landuse",
            Self.classes("school", "university", "college", "kindergarten", "library"))
        fill("cemetery", palette.cemetery, of: "landuse", Self.classes("cemetery"))
        fill("park", palette.park, of: "park", nil, opacity: Self.linear(8, 0.35, 12, 0.5))
        let greens: Value = ["park", "garden", "golf_course", "village_green", "recreation_ground", "allotments"]
        fill("park-green", palette.park, of: "landcover", ["in", ["get", "subclass"], ["literal", greens]], from: 11)
        fill("pitch", palette.pitch, of: "landuse", Self.classes("pitch", "stadium", "playground", "track"), from: 12)
    }

    private mutating func addWater() {
        func width(_ river: Value, _ canal: Value, _ other: Value) -> Value {
            ["match", ["get", "class"], "river", river, "canal", canal, other]
        }
        line(
            "waterway", palette.waterway, of: "waterway", Self.isTunnel(false),
            width: Self.exponential(8, width(0.8, 0.4, 0.2), 13, width(2.4, 1.6, 0.8), 18, width(12, 9, 4)),
            cap: "round")
        fill("water", palette.water, of: "water", Self.isTunnel(false))
        fill("water-tunnel", palette.water, of: "water", Self.isTunnel(true), opacity: 0.4)
    }

    private mutating func addBuiltAreas() {
        fill("aeroway", palette.runway, of: "aeroway", Self.isPolygon, opacity: Self.linear(10, 0.6, 13, 1), from: 10)
        let runway = Self.exponential(10, 1.5, 14, 14, 18, 90), taxiway = Self.exponential(12, 0.6, 15, 5, 18, 28)
        line("runway", palette.runway, of: "aeroway", Self.lines(Self.classes("runway")), width: runway, from: 10)
        line("taxiway", palette.runway, of: "aeroway", Self.lines(Self.classes("taxiway")), width: taxiway, from: 12)
        all.append([
            "id": "building", "type": "fill", "source": .string(BaseMapStyle.sourceName), "source-layer": "building",
            "minzoom": 13,
            "paint": [
                "fill-color": palette.building, "fill-outline-color": palette.buildingEdge,
                "fill-opacity": Self.linear(13, 0.4, 14.5, 1),
            ],
        ])
        let squares = Self.classes("path", "pedestrian", "minor", "service")
        fill(
            "square", palette.pedestrian, of: "transportation",
            ["all", Self.isPolygon, squares, ["!", Level.bridge.condition]], from: 13)
        fill("pier-area", palette.pier, of: "transportation", ["all", Self.isPolygon, Self.classes("pier")], from: 12)
        let pier = Self.exponential(12, 0.6, 15, 3, 18, 12)
        line(
            "pier", palette.pier, of: "transportation", Self.lines(Self.classes("pier")), width: pier, cap: "round",
            from: 12)
        line(
            "ferry", palette.ferry, of: "transportation", Self.lines(Self.classes("ferry")),
            width: Self.linear(6, 0.6, 14, 1.1),
            dashes: [6, 4], opacity: 0.8, from: 6)
    }

    // MARK: - Roads and railways

    /// The level of a road: tunnels are drawn first, bridges last.
    private enum Level: CaseIterable {
        case tunnel, ground, bridge

        var prefix: String {
            switch self {
            case .tunnel: "tunnel-"
            case .ground: ""
            case .bridge: "bridge-"
            }
        }

        var condition: Value {
            switch self {
            case .tunnel: BaseMapLayers.isTunnel(true)
            case .ground: ["!", ["in", ["coalesce", ["get", "brunnel"], ""], ["literal", ["tunnel", "bridge"]]]]
            case .bridge: ["==", ["get", "brunnel"], "bridge"]
            }
        }
    }

    /// A class of roads: the widths of the road and of each edge of its casing, in pixels by zoom.
    private struct Road {
        let name: String, firstZoom: Double
        let color: Value, casing: Value
        let widths: [(zoom: Double, road: Double, edge: Double)]
        var classes: [String] = []

        var filter: Value {
            BaseMapLayers.lines(BaseMapLayers.classes((classes.isEmpty ? [name, name + "_construction"] : classes)))
        }

        func width(withCasing: Bool) -> Value {
            BaseMapLayers.exponential(
                stops: widths.map { ($0.zoom, .number(withCasing ? $0.road + 2 * $0.edge : $0.road)) })
        }
    }

    /// The classes of roads, the least first.
    private var roads: [Road] {
        [
            Road(
                name: "service", firstZoom: 14, color: palette.service, casing: palette.minorCasing,
                widths: [(14, 0.6, 0.3), (16, 2.5, 0.6), (18, 7, 0.8), (20, 20, 0.8)], classes: ["service", "track"]),
            Road(
                name: "minor", firstZoom: 12, color: palette.minor, casing: palette.minorCasing,
                widths: [(12, 0.6, 0.3), (14, 2.2, 0.7), (16, 7, 0.9), (18, 16, 1), (20, 48, 1)],
                classes: ["minor", "minor_construction", "busway", "raceway"]),
            Road(
                name: "tertiary", firstZoom: 10, color: palette.secondary, casing: palette.secondaryCasing,
                widths: [(10, 0.5, 0.3), (12, 1.4, 0.6), (14, 3.4, 0.9), (16, 9, 1), (18, 20, 1.1), (20, 60, 1.1)]),
            Road(
                name: "secondary", firstZoom: 8, color: palette.secondary, casing: palette.secondaryCasing,
                widths: [(8, 0.5, 0.3), (11, 1.5, 0.7), (13, 3, 0.9), (15, 7, 1), (18, 23, 1.1), (20, 70, 1.1)]),
            Road(
                name: "primary", firstZoom: 7, color: palette.primary, casing: palette.primaryCasing,
                widths: [(7, 0.7, 0.2), (10, 1.6, 0.6), (13, 3.8, 0.9), (15, 8.5, 1), (18, 26, 1.1), (20, 78, 1.1)]),
            Road(
                name: "trunk", firstZoom: 5, color: palette.trunk, casing: palette.trunkCasing,
                widths: [(5, 0.7, 0), (9, 1.6, 0.6), (12, 2.8, 0.9), (15, 9.5, 1.1), (18, 28, 1.2), (20, 84, 1.2)]),
            Road(
                name: "motorway", firstZoom: 4, color: palette.motorway, casing: palette.motorwayCasing,
                widths: [(4, 0.7, 0), (8, 1.6, 0.6), (12, 3.2, 0.9), (15, 10, 1.1), (18, 30, 1.2), (20, 90, 1.2)]),
        ]
    }

    private mutating func addRoutes(_ level: Level) {
        if level == .ground { addPaths(level) }
        for road in roads {
            line(
                "\(level.prefix)\(road.name)-casing", road.casing, of: "transportation",
                ["all", level.condition, road.filter], width: road.width(withCasing: true),
                dashes: level == .tunnel ? [3, 1.5] : nil, from: road.firstZoom)
            // At ground level all casings are below all roads, so that crossings are open.
            if level != .ground { addRoad(road, level) }
        }
        if level == .ground { for road in roads { addRoad(road, level) } }
        if level == .bridge { addPaths(level) }
        addRails(level)
    }

    private mutating func addRoad(_ road: Road, _ level: Level) {
        line(
            level.prefix + road.name, level == .tunnel ? palette.tunnel : road.color,
            of: "transportation",
            ["all", level.condition, road.filter], width: road.width(withCasing: false),
            cap: level == .ground ? "round" : "butt", from: road.firstZoom)
    }

    private mutating func addPaths(_ level: Level) {
        let pedestrian: Value = ["any", Self.classes("pedestrian"), ["==", ["get", "subclass"], "pedestrian"]]
        let path: Value = ["all", Self.classes("path"), ["!=", ["get", "subclass"], "pedestrian"]]
        line(
            "\(level.prefix)path", palette.path, of: "transportation", ["all", level.condition, Self.lines(path)],
            width: Self.exponential(14, 0.5, 16, 1, 18, 2.2, 20, 5), dashes: [2.5, 1.5],
            opacity: Self.linear(14, 0.5, 15, 0.9), from: 14)
        line(
            "\(level.prefix)pedestrian-casing", palette.pedestrianCasing, of: "transportation",
            ["all", level.condition, Self.lines(pedestrian)], width: Self.exponential(14, 2, 16, 6.6, 18, 15, 20, 44),
            from: 14)
        line(
            "\(level.prefix)pedestrian", palette.pedestrian, of: "transportation",
            ["all", level.condition, Self.lines(pedestrian)], width: Self.exponential(14, 1.2, 16, 5, 18, 13, 20, 40),
            cap: "round", from: 14)
    }

    private mutating func addRails(_ level: Level) {
        let main: Value = ["all", Self.classes("rail"), ["!", ["has", "service"]]]
        let yard: Value = ["all", Self.classes("rail"), ["has", "service"]]
        let strength = level == .tunnel ? 0.5 : 1
        func add(
            _ name: String, _ color: Value, _ filter: Value, _ width: Value, dashes: Value? = nil, opacity: Double,
            from zoom: Double
        ) {
            line(
                level.prefix + name, color, of: "transportation", ["all", level.condition, Self.lines(filter)],
                width: width,
                dashes: dashes, opacity: .number(opacity * strength), from: zoom)
        }
        add("rail", palette.rail, main, Self.exponential(9, 0.4, 13, 1, 16, 2, 20, 5), opacity: 1, from: 9)
        add("rail-yard", palette.rail, yard, Self.exponential(13, 0.3, 16, 1, 20, 3), opacity: 0.6, from: 13)
        add(
            "rail-ties", palette.rail, main, Self.exponential(15, 3, 18, 8, 20, 16), dashes: [0.25, 2.2], opacity: 1,
            from: 15)
        add(
            "transit", palette.transit, Self.classes("transit"), Self.exponential(12, 0.5, 15, 1.2, 18, 2.6),
            opacity: 0.75, from: 12)
    }

    // MARK: - Boundaries

    private mutating func addBoundaries() {
        let onLand: Value = ["!=", ["get", "maritime"], 1], country: Value = ["==", ["get", "admin_level"], 2]
        let disputed: Value = ["==", ["get", "disputed"], 1]
        let width = Self.linear(2, 0.6, 8, 1.4, 12, 2)
        line(
            "boundary-state", palette.state, of: "boundary",
            ["all", ["in", ["get", "admin_level"], ["literal", [3, 4]]], onLand], width: Self.linear(4, 0.5, 12, 1.4),
            dashes: [4, 2, 1, 2], from: 4)
        line(
            "boundary-country-glow", palette.countryGlow, of: "boundary", ["all", country, onLand],
            width: Self.linear(2, 1.5, 8, 6, 12, 9), opacity: 0.7)
        line(
            "boundary-country", palette.country, of: "boundary", ["all", country, onLand, ["!", disputed]], width: width
        )
        line(
            "boundary-disputed", palette.country, of: "boundary", ["all", country, onLand, disputed], width: width,
            dashes: [3, 2])
    }

    // MARK: - Labels

    private mutating func addPointLabels() {
        label(
            "house-number", palette.houseNumber, of: "housenumber", size: Self.linear(17, 9, 20, 11), from: 17,
            ["text-field": ["get", "housenumber"]])
        let stops = Self.classes("bus", "rail", "railway", "subway", "tram_stop", "aerialway", "ferry_terminal")
        for (name, ranks, zoom) in [("poi-3", 25..<1000, 17.0), ("poi-2", 10..<25, 16), ("poi-1", 0..<10, 15)] {
            let filter: Value = [
                "all", [">=", Self.rank, .integer(ranks.lowerBound)], ["<", Self.rank, .integer(ranks.upperBound)],
                ["!", stops],
            ]
            label(
                name, palette.poiLabel, of: "poi", filter, size: Self.linear(15, 10, 18, 11.5), from: zoom,
                ["text-max-width": 8, "text-padding": 4, "symbol-sort-key": Self.rank])
        }
        let kinds: Value = ["literal", ["station", "subway", "halt", "light_rail"]]
        let stations: Value = [
            "any", ["all", Self.classes("railway", "rail"), ["in", ["coalesce", ["get", "subclass"], ""], kinds]],
            Self.classes("subway", "ferry_terminal"),
        ]
        label(
            "station", palette.stationLabel, of: "poi", stations, size: Self.linear(13, 10, 17, 12), font: .medium,
            from: 13,
            ["text-max-width": 8, "text-padding": 4, "symbol-sort-key": Self.rank])
    }

    private mutating func addRouteLabels() {
        let along: Properties = [
            "symbol-placement": "line", "symbol-spacing": 300, "text-letter-spacing": 0.02, "text-max-angle": 30,
            "text-padding": 2,
        ]
        func add(_ name: String, _ color: Value, _ classes: [String], _ size: Value, _ font: Font, from zoom: Double) {
            label(
                name, color, of: "transportation_name", Self.classes(classes), size: size, font: font,
                halo: palette.roadHalo,
                from: zoom, along)
        }
        add(
            "path-name", palette.minorLabel, ["path", "track", "pedestrian"], Self.linear(15, 9.5, 18, 11.5), .regular,
            from: 15)
        add(
            "minor-name", palette.roadLabel, ["minor", "service", "tertiary"], Self.linear(14, 9.5, 18, 12.5), .regular,
            from: 14)
        let major = ["motorway", "trunk", "primary", "secondary"]
        add("major-name", palette.roadLabel, major, Self.linear(12, 10, 18, 13.5), .medium, from: 12)
    }

    private mutating func addWaterLabels() {
        func add(
            _ name: String, of layer: String, _ filter: Value? = nil, size: Value, from zoom: Double = 0,
            _ layout: Properties
        ) {
            label(
                name, palette.waterLabel, of: layer, filter, size: size, font: .italic, halo: palette.water,
                haloWidth: 0.8,
                from: zoom, layout)
        }
        add(
            "waterway-name", of: "waterway", size: Self.linear(12, 10, 18, 13), from: 12,
            ["symbol-placement": "line", "symbol-spacing": 400, "text-letter-spacing": 0.08])
        add(
            "water-name-line", of: "water_name", Self.isLine, size: Self.linear(8, 10, 18, 15),
            ["symbol-placement": "line", "symbol-spacing": 500, "text-letter-spacing": 0.15])
        add(
            "water-name", of: "water_name", Self.isPoint, size: Self.linear(2, 10, 8, 12, 18, 15),
            ["text-max-width": 6, "text-letter-spacing": 0.1])
    }

    private mutating func addPlaceLabels() {
        label(
            "park-name", palette.parkLabel, of: "park", Self.isPoint, size: Self.linear(10, 10, 16, 12), font: .italic,
            from: 10,
            ["text-max-width": 7, "symbol-sort-key": Self.rank])
        let height: Value = ["concat", Self.name, "\n", ["get", "ele"], " m"]
        label(
            "peak", palette.peakLabel, of: "mountain_peak", size: Self.linear(10, 10, 16, 12), from: 10,
            [
                "text-field": ["case", ["has", "ele"], height, Self.name], "text-max-width": 8,
                "symbol-sort-key": Self.rank,
            ])
        label(
            "airport", palette.stationLabel, of: "aerodrome_label", size: Self.linear(9, 10, 14, 13), font: .medium,
            from: 9,
            ["text-max-width": 8])
        func add(
            _ name: String, _ color: Value, _ classes: [String], _ size: Value, _ font: Font = .regular,
            zooms: Range<Double>,
            _ spacing: Double? = nil, uppercase: Bool = false
        ) {
            var layout: Properties = ["text-max-width": 7, "symbol-sort-key": Self.rank]
            if let spacing { layout["text-letter-spacing"] = .number(spacing) }
            if uppercase { layout["text-transform"] = "uppercase" }
            label(
                name, color, of: "place", Self.classes(classes), size: size, font: font, haloWidth: 1.6,
                from: zooms.lowerBound,
                to: zooms.upperBound, layout)
        }
        let end = 24.0
        let soft = palette.suburbLabel
        add(
            "neighbourhood", soft, ["neighbourhood", "quarter"], Self.linear(12, 10, 16, 13), zooms: 13..<end, 0.08,
            uppercase: true)
        add("suburb", soft, ["suburb"], Self.linear(11, 10, 16, 14), .medium, zooms: 11..<end, 0.1, uppercase: true)
        add("island", soft, ["island", "islet"], Self.linear(10, 10, 16, 13), .italic, zooms: 11..<end)
        add(
            "village", palette.label, ["village", "hamlet", "isolated_dwelling"], Self.linear(10, 10, 14, 14),
            zooms: 10..<end)
        add("town", palette.placeLabel, ["town"], Self.linear(7, 10, 14, 17), zooms: 7..<end)
        let isLarge: Value = ["<=", Self.rank, 4]
        let citySize = Self.linear(4, ["case", isLarge, 12, 10], 8, ["case", isLarge, 17, 13], 13, 22)
        add("city", palette.placeLabel, ["city"], citySize, .medium, zooms: 4..<15)
        add("state", soft, ["state", "province"], Self.linear(4, 9, 8, 13), zooms: 4..<9, 0.12, uppercase: true)
        add("country", palette.label, ["country"], Self.linear(1, 9, 3, 12, 6, 17), .medium, zooms: 0..<9, 0.06)
        add(
            "continent", palette.minorLabel, ["continent"], Self.linear(0, 11, 3, 16), zooms: 0..<2, 0.15,
            uppercase: true)
    }
}

// MARK: - Making layers

extension BaseMapLayers {
    private enum Font {
        case regular, medium, italic

        var stack: Value {
            switch self {
            case .regular: ["Noto Sans Regular", "sans-serif Regular"]
            case .medium: ["Noto Sans Medium", "sans-serif Medium"]
            case .italic: ["Noto Sans Italic", "sans-serif Italic"]
            }
        }
    }

    private mutating func fill(
        _ id: String, _ color: Value, of layer: String, _ filter: Value?, opacity: Value? = nil, from zoom: Double = 0
    ) {
        var paint: Properties = ["fill-color": color]
        paint["fill-opacity"] = opacity
        add(id, "fill", of: layer, filter, from: zoom, paint: paint)
    }

    private mutating func line(
        _ id: String, _ color: Value, of layer: String, _ filter: Value, width: Value, cap: Value = "butt",
        dashes: Value? = nil,
        opacity: Value? = nil, from zoom: Double = 0
    ) {
        var paint: Properties = ["line-color": color, "line-width": width]
        paint["line-dasharray"] = dashes
        paint["line-opacity"] = opacity
        add(id, "line", of: layer, filter, from: zoom, layout: ["line-cap": cap, "line-join": "round"], paint: paint)
    }

    private mutating func label(
        _ id: String, _ color: Value, of layer: String, _ filter: Value? = nil, size: Value, font: Font = .regular,
        halo: Value? = nil, haloWidth: Double = 1.4, from zoom: Double = 0, to end: Double = 24, _ layout: Properties
    ) {
        var all: Properties = ["text-field": Self.name, "text-font": font.stack, "text-size": size]
        for member in layout { all[member.name] = member.value }
        add(
            id, "symbol", of: layer, filter, from: zoom, to: end, layout: all,
            paint: [
                "text-color": color, "text-halo-color": halo ?? palette.halo, "text-halo-width": .number(haloWidth),
            ])
    }

    private mutating func add(
        _ id: String, _ type: Value, of layer: String, _ filter: Value?, from zoom: Double, to end: Double = 24,
        layout: Properties = [:], paint: Properties
    ) {
        var members: Properties = [
            "id": .string(id), "type": type, "source": .string(BaseMapStyle.sourceName), "source-layer": .string(layer),
        ]
        if zoom > 0 { members["minzoom"] = .number(zoom) }
        if end < 24 { members["maxzoom"] = .number(end) }
        members["filter"] = filter
        if !layout.isEmpty { members["layout"] = .object(layout) }
        members["paint"] = .object(paint)
        all.append(members)
    }
}

// MARK: - Expressions

extension BaseMapLayers {
    /// The name of a feature, in Latin script if the tiles provide it.
    private static let name: Value = ["coalesce", ["get", "name:latin"], ["get", "name"]]
    /// The rank of a feature within its category; 1 is the most important.
    private static let rank: Value = ["coalesce", ["get", "rank"], 99]
    private static let isLine: Value = ["==", ["geometry-type"], "LineString"]
    private static let isPoint: Value = ["==", ["geometry-type"], "Point"]
    private static let isPolygon: Value = ["==", ["geometry-type"], "Polygon"]

    private static func isTunnel(_ wanted: Bool) -> Value { [wanted ? "==" : "!=", ["get", "brunnel"], "tunnel"] }

    private static func lines(_ filter: Value) -> Value { ["all", isLine, filter] }

    private static func classes(_ names: String...) -> Value { classes(names) }

    private static func classes(_ names: [String]) -> Value {
        ["in", ["get", "class"], ["literal", .array(names.map(Value.string))]]
    }

    private static func linear(_ stops: Value...) -> Value { .array(["interpolate", ["linear"], ["zoom"]] + stops) }

    private static func exponential(_ stops: Value...) -> Value {
        .array(["interpolate", ["exponential", 1.4], ["zoom"]] + stops)
    }

    private static func exponential(stops: [(zoom: Double, value: Value)]) -> Value {
        .array(["interpolate", ["exponential", 1.4], ["zoom"]] + stops.flatMap { [.number($0.zoom), $0.value] })
    }
}
