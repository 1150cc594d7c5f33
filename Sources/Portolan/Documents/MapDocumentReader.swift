import PortolanFeatures

/// Reads the members of a map document.
struct MapDocumentReader {
    let place: DocumentLocation
    private var isNewer = false
    private(set) var warnings: [MapWarning] = []

    /// Creates a reader.
    ///
    /// - Parameter isOfContext: whether the members are the `portolan` extension of a context, which others may have
    ///   written.
    init(place: DocumentLocation, isOfContext: Bool = false) {
        self.place = place
        isNewer = isOfContext
    }

    /// Returns the document that the members describe.
    mutating func document(_ members: Properties) throws(DocumentError) -> MapDocument {
        try readVersion(members["version"])
        var document = MapDocument()
        let own = Self.ownKeys
        document.view = try view(Properties(members.filter { !own.contains($0.name) }), passingOver: isNewer)
        if let value = members["home"] {
            guard let object = value.objectValue else { throw error("'home' must be an object with view keys") }
            document.home = try view(object, passingOver: isNewer, in: "home")
        }
        if let value = members["limits"] {
            guard let object = value.objectValue else { throw error("'limits' must be an object") }
            document.limits = try limits(object)
        }
        if let value = members["selected"] { document.selected = try selection(value) }
        if let value = members["furniture"] { document.furniture = try furniture(value) }
        document.fonts = try fonts(members["font"])
        document.layers = try layers(members["layers"])
        document.warnings = warnings
        return document
    }

    private func error(_ words: String) -> DocumentError { DocumentError(.content(words), in: place.name) }

    /// The keys in addition to those of the view.
    private static let ownKeys = ["version", "layers", "font", "home", "limits", "selected", "furniture"]

    private mutating func readVersion(_ value: PropertyValue?) throws(DocumentError) {
        guard let value else { return }
        guard let version = value.integerValue, version > 0 else {
            throw error("'version' must be a whole number from 1")
        }
        note(version: version, known: MapDocument.version)
    }

    /// Notes the version of the document.
    mutating func note(version: Int, known: Int) {
        guard version > known else { return }
        isNewer = true
        warnings.append(
            MapWarning(
                .newerVersion, effect: .ignored,
                message:
                    "the document has version \(version); versions up to \(known) are supported, and unknown "
                    + "keys are ignored"))
    }

    // MARK: - The view

    private mutating func view(
        _ members: Properties, passingOver isNewer: Bool, in object: String? = nil
    ) throws(DocumentError) -> ViewRequest {
        var view = ViewRequest()
        for member in members {
            guard let key = ViewRequest.Key(rawValue: member.name) else {
                let place = object.map { "'\($0)'" } ?? "a map document"
                try unknown(member.name, in: place, known: object == nil ? Self.keys : Self.viewKeys)
                continue
            }
            let text = member.value.keyText
            guard let text, !key.isNumber || Double(text) != nil else {
                let wanted = key.isNumber ? "a number" : "a text, a number or a list of numbers"
                throw error("'\(member.name)' must be \(wanted)")
            }
            do { try view.set(key, to: key == .size ? text.replacing(",", with: "x") : text) } catch {
                throw DocumentError(.view(error), in: place.name)
            }
        }
        do { try view.checkAlone() } catch { throw DocumentError(.view(error), in: place.name) }
        return view
    }

    /// Handles an unknown key.
    ///
    /// It is an error, except in a newer document.
    mutating func unknown(_ key: String, in object: String, known: [String]) throws(DocumentError) {
        let words = "unknown key '\(key)' in \(object)"
        guard isNewer else {
            // The title and other furniture belong in a separate object.
            let isFurniture = MapDocument.Furniture.keys.contains(key) && known.contains("furniture")
            let place = isFurniture ? "; write it in 'furniture'" : ""
            throw error("\(words)\(place); available: \(known.joined(separator: ", "))")
        }
        warnings.append(MapWarning(.unknownKey, effect: .ignored, message: words))
    }

    private static let viewKeys = [
        "size", "pixel-ratio", "crs", "bbox", "bbox-crs", "center", "zoom", "resolution", "scale", "fit", "padding",
        "max-zoom", "rotation", "paper", "landscape", "dpi", "margin",
    ]
    private static let keys = ["layers"] + viewKeys + ["font", "version", "home", "limits", "selected", "furniture"]

    // MARK: - Furniture

    private mutating func furniture(_ value: PropertyValue) throws(DocumentError) -> MapDocument.Furniture {
        guard let object = value.objectValue else { throw error("'furniture' must be an object") }
        var furniture = MapDocument.Furniture()
        for member in object {
            guard MapDocument.Furniture.keys.contains(member.name) else {
                try unknown(member.name, in: "'furniture'", known: MapDocument.Furniture.keys)
                continue
            }
            if let wanted = furniture.set(member.name, to: member.value) {
                throw error("'\(member.name)' in 'furniture' must be \(wanted)")
            }
        }
        return furniture
    }

    // MARK: - Limits and selection

    mutating func limits(_ members: Properties) throws(DocumentError) -> ViewLimits {
        var limits = ViewLimits(), coarsest: Double?, finest: Double?
        for member in members {
            let value = member.value
            switch member.name {
            case "bbox":
                guard let numbers = value.keyText.flatMap({ ViewRequest.numbers($0, count: 4) }),
                    let box = Extent(sides: numbers)
                else { throw error("'bbox' in 'limits' must be MINX,MINY,MAXX,MAXY, east first") }
                limits.extent = box
            case "min-zoom": coarsest = try number(value, "min-zoom", in: -30...60)
            case "max-zoom": finest = try number(value, "max-zoom", in: -30...60)
            case "snap":
                switch value.stringValue {
                case "free": limits.snap = .free
                case "levels": limits.snap = .levels
                default: throw error("'snap' in 'limits' must be free or levels")
                }
            case "rotation":
                switch value {
                case .string("free"): limits.rotation = .free
                case .string("north"): limits.rotation = .north
                default:
                    guard let count = value.integerValue, (1...3600).contains(count) else {
                        throw error("'rotation' in 'limits' must be free, north or a number of steps, 1 to 3600")
                    }
                    limits.rotation = .steps(count)
                }
            case "north-snap": limits.northSnap = try number(value, "north-snap", in: 0...180)
            default:
                try unknown(
                    member.name, in: "'limits'",
                    known: ["bbox", "min-zoom", "max-zoom", "snap", "rotation", "north-snap"])
            }
        }
        if coarsest != nil || finest != nil {
            let first = coarsest ?? -30, last = finest ?? 60
            guard first <= last else { throw error("'max-zoom' in 'limits' is less than 'min-zoom'") }
            limits.zoomRange = first...last
        }
        return limits
    }

    private func number(
        _ value: PropertyValue, _ key: String, in range: ClosedRange<Double>
    ) throws(DocumentError) -> Double {
        guard let number = value.doubleValue, range.contains(number) else {
            throw error(
                "'\(key)' in 'limits' must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    func selection(_ value: PropertyValue) throws(DocumentError) -> MapDocument.Selection? {
        if value == .null { return nil }
        guard let object = value.objectValue, let layer = object["layer"]?.stringValue,
            let feature = object["feature"].flatMap({ Feature.ID($0) })
        else { throw error("'selected' must be {\"layer\": NAME, \"feature\": IDENTIFIER}") }
        return MapDocument.Selection(layer: layer, feature: feature)
    }

    // MARK: - Fonts and layers

    /// Reads a font or a list of fonts.
    ///
    /// File paths are relative to the document.
    private mutating func fonts(_ value: PropertyValue?) throws(DocumentError) -> [MapDocument.FontChoice] {
        let entries: [PropertyValue] =
            switch value {
            case nil, .null: []
            case .array(let list): list
            case .some(let one): [one]
            }
        var fonts: [MapDocument.FontChoice] = []
        for entry in entries {
            guard let text = entry.stringValue, !text.isEmpty else {
                throw error("'font' must be a file, a family or a list of them")
            }
            let font = MapDocument.FontChoice(text, relativeTo: place.folder)
            if place.isRemote, case .file = font.source {
                warnings.append(
                    MapWarning(
                        .refusedAddress, effect: .omitted,
                        message: "font '\(text)': a remote document may not refer to a file"))
            } else {
                fonts.append(font)
            }
        }
        return fonts
    }

    private mutating func layers(_ value: PropertyValue?) throws(DocumentError) -> [LayerSpecification] {
        guard case .array(let entries) = value ?? .array([]) else { throw error("'layers' must be a list of layers") }
        guard entries.count <= MapDocument.maximumLayerCount else {
            throw error("a map document can have at most \(MapDocument.maximumLayerCount) layers")
        }
        var layers: [LayerSpecification] = []
        for (number, entry) in entries.enumerated() {
            guard case .object(let keys) = entry else { throw error("layer \(number + 1) must be an object") }
            if let layer = try layer(keys, number: number + 1) { layers.append(layer) }
        }
        return layers
    }

    mutating func layer(_ keys: Properties, number: Int) throws(DocumentError) -> LayerSpecification? {
        let sources = LayerSpecification.sourceMembers(of: place.kinds)
        guard LayerSpecification.sources(in: keys, of: place.kinds).count <= 1 else {
            throw error("layer \(number) has more than one source")
        }
        var passedOver: [String] = []
        let layer: LayerSpecification?
        do throws(MapError) {
            layer = try LayerSpecification(members: keys, of: place.kinds, isNewer: isNewer, passedOver: &passedOver) {
                (source, kind) throws(MapError) in
                try place.source(source, of: kind, isTrusted: true)
            }
        } catch { throw DocumentError(.layer(number, error), in: place.name) }
        guard let layer else {
            let words = "layer \(number) has no source"
            guard isNewer else { throw error("\(words); add one of: \(sources.joined(separator: ", "))") }
            warnings.append(
                MapWarning(.unknownLayer, effect: .omitted, message: "\(words) of a known kind; layer left out")
            )
            return nil
        }
        for key in passedOver {
            warnings.append(
                MapWarning(
                    .unknownKey, layer: layer.name, effect: .ignored,
                    message: "unknown key '\(key)' for \(layer.kind)"))
        }
        return layer
    }
}

extension Properties {
    /// Creates properties from members, in their order.
    init(_ members: some Sequence<Properties.Element>) {
        self.init()
        for member in members { self[member.name] = member.value }
    }
}
