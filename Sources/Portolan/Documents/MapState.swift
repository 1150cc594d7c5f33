import PortolanFeatures
import PortolanGeo
public import PortolanPlan
import PortolanRaster
import PortolanWeb

/// The state of a map, to be saved between launches of an app.
///
/// ```swift
/// let map = try MapFacade(width: 1024, height: 768)
/// for warning in try await map.restoreState(from: "map-state.json") { print(warning) }
/// // … and when the app is left:
/// try map.saveState(to: "map-state.json")
/// ```
///
/// Layers that were added by URL or ``LayerSpecification`` are recreated. Other layers (with custom content, live
/// layers, tile archives) only keep their visibility, opacity and position if the app has added them before the state
/// is restored; saving and restoring warn about them. Features that an app adds to the vector layer are not saved.
public struct MapState: Hashable, Sendable {
    /// The view.
    public var view: Viewport
    /// The home view.
    public var home: Viewport
    /// The limits of the views of the map.
    public var limits: ViewLimits
    /// The layers, the lowest first.
    public var layers: [Layer]
    /// The selected feature, or `nil`.
    public var selected: MapDocument.Selection?
    /// The view history, the oldest first.
    public var history: [Viewport]
    /// The index of the current view in the history.
    public var historyPosition: Int
    /// Warnings about the state from reading it.
    public internal(set) var warnings: [MapWarning] = []

    /// The saved state of a layer.
    public struct Layer: Hashable, Sendable {
        /// The name.
        public var name: String
        /// Whether the layer is visible.
        public var isVisible: Bool
        /// The opacity, 0 to 1.
        public var opacity: Double
        /// The finest resolution at which it is drawn, in units of the map's CRS per view pixel, or `nil` for no limit.
        public var minimumResolution: Resolution?
        /// The coarsest resolution, at and beyond which it is not drawn, or `nil` for no limit.
        public var maximumResolution: Resolution?
        /// The group that it shares visibility and opacity with, or `nil`.
        public var group: MapLayer.Group?
        /// The specification it was created from, or `nil` if it has custom or changed content.
        public var specification: LayerSpecification?

        /// Creates the saved state of a layer.
        public init(name: String, isVisible: Bool = true, opacity: Double = 1, specification: LayerSpecification? = nil)
        {
            self.name = name
            self.isVisible = isVisible
            self.opacity = opacity
            self.specification = specification
        }
    }

    /// The version of written states.
    public static let version = 1

    /// Reads a state.
    ///
    /// - Parameter kinds: the layer kinds that it may name.
    /// - Throws: ``MapError`` if it is damaged.
    public init(bytes: [UInt8], kinds: LayerKinds = .standard) throws(MapError) {
        do { try self.init(bytes: bytes, in: "the state of the map", kinds) } catch { throw MapError(error) }
    }

    /// Reads the state in a file.
    ///
    /// - Parameter kinds: the layer kinds that it may name.
    /// - Throws: ``MapError`` if the file is damaged or missing.
    public init(path: String, kinds: LayerKinds = .standard) throws(MapError) {
        do { try self.init(bytes: DocumentFile.content(of: path), in: path, kinds) } catch { throw MapError(error) }
    }

    private init(bytes: [UInt8], in place: String, _ kinds: LayerKinds) throws(DocumentError) {
        var reader = MapStateReader(place: place, kinds)
        self = try reader.state(JSONDocument.object(in: bytes, from: place))
    }

    init(
        view: Viewport, home: Viewport, limits: ViewLimits, layers: [Layer], selected: MapDocument.Selection?,
        history: [Viewport], historyPosition: Int
    ) {
        self.view = view
        self.home = home
        self.limits = limits
        self.layers = layers
        self.selected = selected
        self.history = history
        self.historyPosition = historyPosition
    }

    /// Returns the state as JSON.
    ///
    /// User names and passwords in URLs, and parameters that contain API keys, are omitted. Warnings name the affected
    /// layers, and the layers whose content is omitted because they have no specification.
    public func encoded() -> (bytes: [UInt8], warnings: [MapWarning]) {
        var warnings: [MapWarning] = []
        var members: Properties = ["state": .integer(Self.version), "view": .object(view.members)]
        if home != view { members["home"] = .object(home.members) }
        let limits = limits.members
        if !limits.isEmpty { members["limits"] = .object(limits) }
        if case .grid = self.limits.snap { warnings.append(.gridNotWritten) }
        members["layers"] = .array(
            layers.map { layer in
                var kept: Properties = [
                    "name": .string(layer.name), "visible": .bool(layer.isVisible),
                    "opacity": .number(layer.opacity.isFinite ? layer.opacity : 1),
                ]
                if let resolution = layer.minimumResolution {
                    kept["min-resolution"] = .number(resolution.unitsPerPixel)
                }
                if let resolution = layer.maximumResolution {
                    kept["max-resolution"] = .number(resolution.unitsPerPixel)
                }
                if let group = layer.group {
                    kept["group"] = [
                        "name": .string(group.name), "visible": .bool(group.isVisible),
                        "opacity": .number(group.opacity.isFinite ? group.opacity : 1),
                    ]
                }
                if layer.specification == nil, layer.name != MapFacade.vectorLayerName {
                    warnings.append(.notKept(layer: layer.name))
                }
                if let specification = layer.specification {
                    let clean = specification.withoutSecrets
                    if clean != nil { warnings.append(.credentials(of: layer.name)) }
                    kept["made-of"] = .object((clean ?? specification).membersOfState)
                }
                return .object(kept)
            })
        if let selected { members["selected"] = selected.value }
        members["history"] = [
            "position": .integer(historyPosition), "views": .array(history.map { .object($0.members) }),
        ]
        return (JSONDocument.bytes(of: members), warnings)
    }

    /// Writes the state to a file, atomically replacing an existing file.
    ///
    /// - Returns: the warnings of ``encoded()`` about omitted content.
    /// - Throws: ``MapError``.
    @discardableResult
    public func write(to path: String) throws(MapError) -> [MapWarning] {
        let (bytes, warnings) = encoded()
        do { try DocumentFile.write(bytes, to: path) } catch { throw MapError(error) }
        return warnings
    }
}

extension LayerSpecification {
    /// The members with the origin of the source, and without paths that depend on the working folder.
    fileprivate var membersOfState: Properties {
        // `standing` throws only for an invalid layer, which cannot exist here.
        var members = ((try? standing(in: FileAddress.path(of: "."))) ?? self).members
        if case .file(let root) = origin { members[Self.fileMember] = .string(root) }
        return members
    }
}

extension Viewport {
    /// The members in a state, exact and in units of the CRS.
    fileprivate var members: Properties {
        [
            "crs": .string(crs.name), "x": .number(center.x), "y": .number(center.y),
            "resolution": .number(resolution.unitsPerPixel), "rotation": .number(rotation),
            "size": [.integer(size.width), .integer(size.height)], "pixel-ratio": .number(pixelRatio),
        ]
    }
}

/// Reads the members of a state.
struct MapStateReader {
    private let place: String
    private var reader: MapDocumentReader

    init(place: String, _ kinds: LayerKinds) {
        self.place = place
        reader = MapDocumentReader(place: DocumentLocation(path: "/" + place, kinds: kinds))
    }

    private func error(_ words: String) -> DocumentError { DocumentError(.content(words), in: place) }

    /// Returns the state that the members describe.
    mutating func state(_ members: Properties) throws(DocumentError) -> MapState {
        guard let version = members["state"]?.integerValue, version > 0 else {
            throw error("not a map state: no 'state' with a version number")
        }
        reader.note(version: version, known: MapState.version)
        for name in members.names where !Self.keys.contains(name) {
            try named { (reader) throws(DocumentError) in
                try reader.unknown(name, in: "the state of a map", known: Self.keys)
            }
        }
        let view = try viewport(members["view"], "view")
        let home = members["home"] == nil ? view : try viewport(members["home"], "home")
        var state = MapState(
            view: view, home: home, limits: ViewLimits(), layers: try layers(members["layers"]), selected: nil,
            history: [view], historyPosition: 0)
        if let value = members["limits"] {
            guard let object = value.objectValue else { throw error("'limits' must be an object") }
            state.limits = try named { (reader) throws(DocumentError) in try reader.limits(object) }
        }
        if let value = members["selected"] {
            state.selected = try named { (reader) throws(DocumentError) in try reader.selection(value) }
        }
        if let history = members["history"]?.objectValue {
            guard let views = history["views"]?.arrayValue, let position = history["position"]?.integerValue,
                views.indices.contains(position), views.count <= MapDocument.maximumLayerCount
            else { throw error("'history' must have a list of views and an index into it") }
            var read: [Viewport] = []
            for value in views { read.append(try viewport(value, "history")) }
            state.history = read
            state.historyPosition = position
        }
        state.warnings = reader.warnings
        return state
    }

    private static let keys = ["state", "view", "home", "limits", "layers", "selected", "history"]

    /// Reads a part with the document reader.
    ///
    /// Its errors name the state.
    private mutating func named<Value>(
        _ work: (inout MapDocumentReader) throws(DocumentError) -> Value
    ) throws(DocumentError) -> Value {
        do { return try work(&reader) } catch { throw DocumentError(error.cause, in: place) }
    }

    private func viewport(_ value: PropertyValue?, _ key: String) throws(DocumentError) -> Viewport {
        guard let object = value?.objectValue, let name = object["crs"]?.stringValue,
            let x = object["x"]?.doubleValue, let y = object["y"]?.doubleValue,
            let unit = object["resolution"]?.doubleValue, let resolution = Resolution(unitsPerPixel: unit),
            let sides = object["size"]?.arrayValue?.compactMap(\.integerValue), sides.count == 2,
            let size = ImageSize(width: sides[0], height: sides[1])
        else { throw error("'\(key)' must be a view: crs, x, y, resolution, rotation, size and pixel-ratio") }
        let crs: CRS
        do { crs = try CRS(name) } catch { throw self.error("'\(key)': \(error)") }
        do {
            return try Viewport(
                center: Coordinate(x: x, y: y), resolution: resolution,
                rotation: object["rotation"]?.doubleValue ?? 0, size: size,
                pixelRatio: object["pixel-ratio"]?.doubleValue ?? 1, crs: crs)
        } catch { throw self.error("'\(key)': \(error)") }
    }

    private mutating func layers(_ value: PropertyValue?) throws(DocumentError) -> [MapState.Layer] {
        guard let entries = value?.arrayValue, entries.count <= MapDocument.maximumLayerCount else {
            throw error("'layers' must be a list of at most \(MapDocument.maximumLayerCount) layers")
        }
        var layers: [MapState.Layer] = []
        for (number, entry) in entries.enumerated() {
            guard let object = entry.objectValue, let name = object["name"]?.stringValue,
                let isVisible = object["visible"]?.boolValue, let opacity = object["opacity"]?.doubleValue,
                (0...1).contains(opacity)
            else { throw error("layer \(number + 1) must be {\"name\", \"visible\", \"opacity\"}") }
            var layer = MapState.Layer(name: name, isVisible: isVisible, opacity: opacity)
            layer.minimumResolution = object["min-resolution"]?.doubleValue.flatMap(Resolution.init(unitsPerPixel:))
            layer.maximumResolution = object["max-resolution"]?.doubleValue.flatMap(Resolution.init(unitsPerPixel:))
            if let value = object["group"] { layer.group = try group(value, of: number + 1) }
            if let members = object["made-of"]?.objectValue {
                layer.specification = try named { (reader) throws(DocumentError) in
                    try reader.layer(members, number: number + 1)
                }
            }
            layers.append(layer)
        }
        return layers
    }

    private func group(_ value: PropertyValue, of number: Int) throws(DocumentError) -> MapLayer.Group {
        guard let object = value.objectValue, let name = object["name"]?.stringValue,
            let isVisible = object["visible"]?.boolValue, let opacity = object["opacity"]?.doubleValue,
            (0...1).contains(opacity)
        else { throw error("'group' of layer \(number) must be {\"name\", \"visible\", \"opacity\"}") }
        return MapLayer.Group(name, isVisible: isVisible, opacity: opacity)
    }
}
