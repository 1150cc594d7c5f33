import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanStyles
import PortolanWeb

extension LayerKind {
    /// A complete style with its sources.
    public static let style = LayerKind(
        "style", source: .style, keys: ["sources.NAME", "style-layers", "language"] + joinKeys,
        help: """
            style:FILE, URL or NAME  A MapLibre style with its sources, or a built-in style: portolan-light and portolan-dark draw \
            vector tiles in the OpenMapTiles schema, named by sources.openmaptiles.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            var notes: [MapWarning] = []
            let (sheet, base) = try await StyleReference.read(at: specification.source, specification, builder, &notes)
            // A background needs no source.
            let isGround = !sheet.layers.isEmpty && sheet.layers.allSatisfy { $0.kind == .background }
            guard !sheet.sources.isEmpty || isGround else {
                throw specification.invalid(
                    "layer '\(specification.source)': this style names no sources; give it to features, as "
                        + "-l 'FEATURES;style=\(specification.source)'")
            }
            for (key, _) in specification.values(after: "sources.") where sheet.sources[key] == nil {
                let near = NearName.nearest(to: key, in: Array(sheet.sources.keys))
                throw specification.invalid(
                    "sources.\(key)",
                    "names no source of the style" + (near.map { "; did you mean '\($0)'?" } ?? ""))
            }
            var reader = StyleSources(sheet: sheet, base: base, specification: specification, builder: builder)
            reader.join = try await builder.join(of: specification, &notes)
            reader.language = try specification.labelLanguage()
            try await reader.read()
            let source = StyleSource(sheet, baseURL: base, sources: reader.sources, losses: reader.losses)
            let attribution = reader.attributions.joined(separator: " · ")
            var layer = MapLayer(name: name, source: source, attribution: attribution.isEmpty ? nil : attribution)
            layer.attributionLinks = reader.attributionLinks
            return (layer, notes + reader.notes)
        })
}

/// Reads the sources of a style, each once.
private struct StyleSources {
    let sheet: StyleSheet
    let base: BaseURL?
    let specification: LayerSpecification
    let builder: LayerBuilder
    /// The table whose values features get, or `nil`.
    var join: FeatureJoin?
    /// The language of labels, or `nil`.
    var language: LabelLanguage?
    private var joinOutcome = JoinOutcome()
    private(set) var sources: [String: any LayerSource] = [:]
    private(set) var attributions: [String] = []
    private(set) var attributionLinks: [AttributionLink] = []
    private(set) var notes: [MapWarning] = []
    /// The reasons why sources are unavailable, by source name.
    ///
    /// Only their layers are omitted.
    private(set) var losses: [String: String] = [:]
    /// The features read so far, by specification.
    private var collections: [LayerSpecification: FeatureCollection] = [:]

    init(sheet: StyleSheet, base: BaseURL?, specification: LayerSpecification, builder: LayerBuilder) {
        self.sheet = sheet
        self.base = base
        self.specification = specification
        self.builder = builder
    }

    /// Reads the sources that layers use.
    ///
    /// - Throws: the error of a source that the user named, or that of the first style source if none is available.
    mutating func read() async throws(MapError) {
        var firstLoss: MapError?
        let drawn = Set(sheet.layers.compactMap(\.source))
        for (name, source) in sheet.sources.sorted(by: { $0.key < $1.key }) where drawn.contains(name) {
            if let text = source.members["attribution"]?.stringValue { credit(MarkupText(text)) }
            if let words = specification["sources.\(name)"] {
                try await add(try named(words, in: source), as: name, source)
                continue
            }
            do throws(MapError) {
                try await add(name, source)
            } catch {
                guard error.code != .cancelled else { throw error }
                losses[name] = error.description
                firstLoss = firstLoss ?? error
            }
        }
        if let firstLoss, sources.isEmpty, !builder.isExamining { throw firstLoss }
        // Features of tiles are counted in each view.
        if let join, joinOutcome.hasMatches || !sources.values.contains(where: { $0 is VectorTileSource }) {
            notes += joinOutcome.warnings(join, isWhole: true)
        }
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
            guard var tiles = source as? VectorTileSource else { continue }
            notes += tiles.nameWarning(language).map { $0.from("source '\(name)'") }
            tiles.join = join
            sources[name] = tiles
        }
    }

    private mutating func add(_ name: String, _ source: StyleSheet.Source) async throws(MapError) {
        switch source.type {
        case "geojson": try await addFeatures(name, source)
        case "raster": try await addTiles(name, source)
        case "vector": try await addVectorTiles(name, source)
        case "image": try addPicture(name, source)
        case "raster-dem": try await addElevations(name, source)
        // The layers of the source are missing, and each has a warning.
        default: break
        }
    }

    private mutating func credit(_ text: MarkupText) {
        credit(text.summary)
        attributionLinks += text.links
    }

    private mutating func credit(_ text: String?) {
        guard let text, !text.isEmpty, !attributions.contains(text) else { return }
        attributions.append(text)
    }

    /// Parses a source that the user replaced.
    private func named(_ words: String, in source: StyleSheet.Source) throws(MapError) -> LayerSpecification {
        // Without a kind, an archive or a template holds vector tiles if the style expects them.
        let path = words.prefix { $0 != ";" }.lowercased()
        let file = path.prefix { $0 != "?" && $0 != "#" }
        let isOfTiles = file.hasSuffix(".mbtiles") || file.hasSuffix(".pmtiles") || path.contains("{")
        let parts = try LayerSpecification.Parts(
            words, specification.kinds, default: source.type == "vector" && isOfTiles ? .vectorTiles : .features)
        return try LayerSpecification(
            kind: parts.kind, source: parts.source, values: parts.values, namedBy: specification.origin,
            kinds: specification.kinds)
    }

    private mutating func add(
        _ words: LayerSpecification, as name: String, _ source: StyleSheet.Source
    ) async throws(MapError) {
        guard !words.kind.readsFeatures else { return try await addFeatures(of: words, as: name, source) }
        let (layer, found) = try await words.kind.layer(of: words, named: name, builder)
        sources[name] = (layer.source as? VectorTileSource)?.identified(by: source.members) ?? layer.source
        notes += found
        credit(layer.attribution)
    }

    // MARK: - Features

    private mutating func addFeatures(_ name: String, _ source: StyleSheet.Source) async throws(MapError) {
        switch source.members["data"] {
        case .string(let text):
            try await addFeatures(of: specification(.features, text, of: name), as: name, source)
        case .object(let members):
            let bytes = GeoJSONWriter.json(.object(members)), place = "sources.\(name).data"
            let memory = builder.memory(forOwn: FileAddress.isLocal(specification.source) ? bytes.count : 0)
            let collection = try FeatureDocument.features(in: bytes, from: place, memory: memory)
            add(collection, as: name, source, at: base)
        default: throw specification.invalid("layer '\(specification.source)': sources.\(name): no data")
        }
    }

    private mutating func addFeatures(
        of words: LayerSpecification, as name: String, _ source: StyleSheet.Source
    ) async throws(MapError) {
        if let known = collections[words] { return add(known, as: name, source, at: base) }
        var (collection, crs, place) = try await LayerKind.collection(of: words, builder)
        collection.crs = crs
        var read = collection
        // Omitted features are reported by each picture.
        read.warnings.removeAll { $0.effect == .omitted }
        notes += LayerKind.notes(on: read, in: crs).map { $0.from("source '\(name)'") }
        collections[words] = collection
        add(collection, as: name, source, at: place)
    }

    private mutating func add(
        _ read: FeatureCollection, as name: String, _ source: StyleSheet.Source, at place: BaseURL?
    ) {
        var collection = read
        if let filter = sheet.sourceFilters[name] {
            collection.features.removeAll { !filter.matches(ExpressionContext(zoom: 0, feature: $0)) }
        }
        collection.identify(by: source.members)
        if let join {
            var outcome = JoinOutcome()
            collection.features.join(join, &outcome)
            joinOutcome.add(outcome)
        }
        if source.members["cluster"] == true {
            var points = PointSource(PointTable(collection), look: Self.clusters(source.members))
            points.clusterProperties = sheet.clusterProperties[name] ?? []
            points.baseURL = place
            points.prepare()
            sources[name] = points
        } else {
            var features = FeatureSource(collection, baseURL: place)
            features.join = join
            sources[name] = features
        }
        credit(collection.foreignMembers["attribution"]?.stringValue)
    }

    /// Returns the clustering of the points of a source.
    ///
    /// At the maximum zoom of the data there are no clusters.
    private static func clusters(_ members: Properties) -> PointSource.Look {
        func number(_ name: String, _ usual: Int, _ range: ClosedRange<Int>) -> Int {
            let value = members[name]?.doubleValue ?? Double(usual)
            return value.isFinite
                ? min(max(Int(max(min(value, 1e6), -1e6)), range.lowerBound), range.upperBound) : usual
        }
        let last = number("maxzoom", 18, 0...25) - 1
        return .clusters(
            radius: Double(number("clusterRadius", 50, 0...4096)),
            maximumZoom: number("clusterMaxZoom", last, 0...25),
            minimumPointCount: number("clusterMinPoints", 2, 2...1_000_000))
    }

    // MARK: - Tiles

    private mutating func addTiles(_ name: String, _ source: StyleSheet.Source) async throws(MapError) {
        if try await addArchive(name, source) { return }
        let (words, _) = try await template(name, source)
        try await add(words, as: name, source)
    }

    /// Adds the elevations of an archive, a TileJSON document or templates.
    private mutating func addElevations(_ name: String, _ source: StyleSheet.Source) async throws(MapError) {
        var members = source.members
        if try await !addArchive(name, source) {
            let (words, all) = try await template(name, source)
            try await add(words, as: name, source)
            members = all
        }
        guard var tiles = sources[name] as? TileSource else { return }
        // Beyond the ground that a source covers, servers answer with 404.
        tiles.emptyStatuses.formUnion(OpenedTiles.emptyStatuses)
        let encoding: ElevationEncoding
        switch members["encoding"]?.stringValue {
        case nil, "mapbox"?: encoding = .mapbox
        case "terrarium"?: encoding = .terrarium
        case "custom"?:
            func factor(_ name: String, _ usual: Double) -> Double {
                members[name]?.doubleValue.flatMap { $0.isFinite ? $0 : nil } ?? usual
            }
            encoding = .custom(
                red: factor("redFactor", 1), green: factor("greenFactor", 1), blue: factor("blueFactor", 1),
                shift: factor("baseShift", 0))
        case let other?:
            sources[name] = nil
            throw specification.invalid(
                "layer '\(specification.source)': sources.\(name): encoding '\(other)' is neither terrarium, mapbox nor "
                    + "custom")
        }
        sources[name] = TerrainSource(tiles: tiles, encoding: encoding, look: .hillshade(Hillshade(), .horn, factor: 1))
    }

    /// Returns the tile template of a source, and its members with those of its TileJSON document.
    private mutating func template(
        _ name: String, _ source: StyleSheet.Source
    ) async throws(MapError) -> (words: LayerSpecification, members: Properties) {
        var members = source.members, place = base
        if members["tiles"] == nil, case .string(let text)? = members["url"] {
            let address = try specification(.style, text, of: name), client = builder.client(for: address)
            let (bytes, found) = try await address.asking { () throws(ServiceError) in
                try await client.content(at: address.source)
            }
            guard case .object(let document)? = try? JSONReader.value(bytes: bytes) else {
                throw address.error(.features("not TileJSON"))
            }
            // Members of the style take precedence over those of the document.
            for member in document where members[member.name] == nil { members[member.name] = member.value }
            place = found
        }
        guard var template = members["tiles"]?.arrayValue?.first?.stringValue else {
            throw specification.invalid("layer '\(specification.source)': sources.\(name): no tiles")
        }
        // A URL in a document is relative to it; the placeholders in braces are kept.
        if let place, LooseURL(template).scheme == nil { template = LooseURL(place.url).resolving(template) }
        var values = ["tile-size": "512", "max-zoom": "22"]
        values["empty-status"] = specification["empty-status"]
        if let bounds = members["bounds"]?.arrayValue {
            let sides = bounds.compactMap(\.doubleValue)
            if sides.count == 4, bounds.count == 4, GeographicBounds(sides) != nil {
                values["bounds"] = sides.map(NumberText.decimal).joined(separator: ",")
            } else {
                notes.append(
                    MapWarning(
                        .oddValue, MapWarning.Subject(member: "sources.\(name).bounds"), effect: .ignored,
                        message: "must be west, south, east and north in degrees; requesting tiles everywhere"))
            }
        }
        for (member, key) in [("tileSize", "tile-size"), ("minzoom", "min-zoom"), ("maxzoom", "max-zoom")] {
            if let number = members[member]?.integerValue { values[key] = String(number) }
        }
        let words = try LayerSpecification(
            kind: members["scheme"] == "tms" ? .tms : .xyz, source: template, values: values,
            namedBy: place?.contents ?? specification.origin)
        if let text = members["attribution"]?.stringValue { credit(MarkupText(text)) }
        return (words, members)
    }

    /// Adds the images of an MBTiles or PMTiles archive, or returns `false` if the source is another one.
    private mutating func addArchive(_ name: String, _ source: StyleSheet.Source) async throws(MapError) -> Bool {
        let kinds: [LayerKind] = [.mbtiles, .pmtiles]
        guard source.members["tiles"] == nil, case .string(let text)? = source.members["url"],
            let kind = kinds.first(where: { text.hasPrefix($0.name + "://") })
        else { return false }
        let words = try self.specification(kind, String(text.dropFirst(kind.name.count + 3)), of: name)
        try await add(words, as: name, source)
        // Tiles are shown in the size that the style states, regardless of their pixels.
        let side = source.members["tileSize"]?.integerValue ?? 512
        if let tiles = sources[name] as? TileSource, let resized = tiles.shown(inSize: side) { sources[name] = resized }
        return true
    }

    /// Adds vector tiles of an archive, a TileJSON document or templates.
    private mutating func addVectorTiles(_ name: String, _ source: StyleSheet.Source) async throws(MapError) {
        let members = source.members, words: LayerSpecification
        if let template = members["tiles"]?.arrayValue?.first?.stringValue {
            var text = template
            // A URL in a document is relative to it; the placeholders in braces are kept.
            if let base, LooseURL(text).scheme == nil { text = LooseURL(base.url).resolving(text) }
            var values: [String: String] = [:]
            if members["scheme"] == "tms" { values["scheme"] = "tms" }
            if members["encoding"] == "mlt" { values["encoding"] = "mlt" }
            words = try LayerSpecification(
                kind: .vectorTiles, source: text, values: values, namedBy: base?.contents ?? specification.origin)
        } else if let text = members["url"]?.stringValue {
            // A path or another URL follows `mbtiles:` and `pmtiles:`.
            let archive = ["mbtiles://", "pmtiles://"].first(where: text.hasPrefix)
            let address = String(text.dropFirst(archive?.count ?? 0))
            var named: LayerSpecification
            if archive != nil, address.hasPrefix("/"), specification.origin == .user,
                base.map({ FileAddress.isLocal($0.url) }) ?? true
            {
                // A style file of the user may name an archive anywhere on this machine: tiles are large, and shared by styles.
                named = try LayerSpecification(kind: .vectorTiles, source: address, namedBy: .user)
            } else {
                named = try self.specification(.vectorTiles, address, of: name)
            }
            // The address of an archive on a server need not end in its suffix.
            let kind: LayerKind =
                archive == "pmtiles://" && !FileAddress.isLocal(named.source) ? .pmtiles : .vectorTiles
            let values = members["encoding"] == "mlt" ? ["encoding": "mlt"] : [:]
            named = try LayerSpecification(
                kind: kind, source: named.source, values: values, namedBy: named.origin)
            words = named
        } else {
            throw specification.invalid(
                "layer '\(specification.source)': sources.\(name): it has neither url nor tiles")
        }
        let (tiles, attribution, found) = try await builder.vectorTiles(of: words, named: name)
        sources[name] = tiles.described(by: members)
        notes += found.map { $0.from("source '\(name)'") }
        if members["attribution"] == nil { credit(attribution) }
    }

    // MARK: - Pictures

    /// Adds an image with four corners, clockwise from the top left.
    private mutating func addPicture(_ name: String, _ source: StyleSheet.Source) throws(MapError) {
        let place = "layer '\(specification.source)': sources.\(name)"
        guard let text = source.members["url"]?.stringValue else {
            throw specification.invalid("\(place): missing url")
        }
        let corners = (source.members["coordinates"]?.arrayValue ?? []).compactMap { corner -> Coordinate? in
            guard case .array(let numbers) = corner, numbers.count == 2, let x = numbers[0].doubleValue,
                let y = numbers[1].doubleValue
            else { return nil }
            return CoordinateTransform.toWebMercator?(Coordinate(longitude: x, latitude: y))
        }
        let upright = corners.count == 4 ? Self.rectangle(corners) : nil
        guard corners.count == 4, let extent = upright ?? Self.box(around: corners) else {
            throw specification.invalid(
                "\(place): its coordinates must be the four corners of an area, clockwise from the top left")
        }
        let address = try specification(.features, text, of: name)
        var picture = PictureSource(
            NamedURL(address.source, namedBy: address.origin), extent: extent, crs: .webMercator)
        if upright == nil { picture.corners = corners }
        sources[name] = picture
    }

    /// Returns the rectangle of four corners in Web Mercator, or `nil` if a corner deviates by more than a thousandth
    /// of the size.
    private static func rectangle(_ corners: [Coordinate]) -> Extent? {
        let left = (corners[0].x + corners[3].x) / 2, right = (corners[1].x + corners[2].x) / 2
        let top = (corners[0].y + corners[1].y) / 2, bottom = (corners[2].y + corners[3].y) / 2
        guard left < right, bottom < top,
            let extent = Extent(minX: left, minY: bottom, maxX: right, maxY: top)
        else { return nil }
        let wanted = [(left, top), (right, top), (right, bottom), (left, bottom)]
        let isUpright = zip(corners, wanted).allSatisfy { corner, place in
            abs(corner.x - place.0) <= extent.width / 1_000 && abs(corner.y - place.1) <= extent.height / 1_000
        }
        return isUpright ? extent : nil
    }

    /// Returns the bounding box of four corners, or `nil` if one of the two triangles has no area.
    private static func box(around corners: [Coordinate]) -> Extent? {
        func area(_ one: Coordinate, _ other: Coordinate, _ third: Coordinate) -> Double {
            (other.x - one.x) * (third.y - one.y) - (third.x - one.x) * (other.y - one.y)
        }
        let xs = corners.map(\.x), ys = corners.map(\.y)
        guard let left = xs.min(), let right = xs.max(), let bottom = ys.min(), let top = ys.max(),
            let extent = Extent(minX: left, minY: bottom, maxX: right, maxY: top)
        else { return nil }
        let least = extent.width * extent.height * 1e-6
        let areas = [area(corners[0], corners[1], corners[3]), area(corners[2], corners[3], corners[1])]
        return areas.allSatisfy { abs($0) > least } ? extent : nil
    }

    // MARK: - Addresses

    /// Returns the specification of a URL in the style, with the style as origin.
    private func specification(
        _ kind: LayerKind, _ text: String, of name: String
    ) throws(MapError) -> LayerSpecification {
        guard let base else { return try LayerSpecification(kind: kind, source: text, namedBy: specification.origin) }
        let reference = IconMarker.Source(text)
        if case .url(let url) = reference, let refusal = base.refusal(of: url) {
            throw specification.error(.refused(refusal))
        }
        guard let address = reference.flatMap({ IconAddress.url(of: $0, relativeTo: base) }) else {
            throw specification.invalid(
                "layer '\(specification.source)': sources.\(name): invalid URL")
        }
        return try LayerSpecification(kind: kind, source: address.text, namedBy: address.origin)
    }
}

extension CoordinateTransform {
    fileprivate static var toWebMercator: CoordinateTransform? {
        try? CoordinateTransform(from: .crs84, to: .webMercator)
    }
}

extension FeatureCollection {
    /// Sets the feature identifiers as the source requires: a property value, or the index.
    fileprivate mutating func identify(by members: Properties) {
        if let property = members["promoteId"]?.stringValue {
            for place in features.indices {
                if let value = features[place].properties[property] { features[place].id = Feature.ID(value) }
            }
        } else if members["generateId"] == true {
            for place in features.indices { features[place].id = .integer(place) }
        }
    }
}
