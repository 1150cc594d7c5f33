package import PortolanFeatures
import PortolanPlan
package import PortolanStyles
import PortolanWeb

/// Changes of the style of a map for one picture.
package struct StyleChanges: Hashable, Sendable {
    /// The style layer below which overlays and the added layer are drawn, or `nil` to draw them on top; for a map
    /// without a style, one of its layers.
    package var beforeLayer: String?
    /// A layer that is added, as in the MapLibre Style Specification, or `nil`.
    package var addedLayer: Properties?
    /// The identifier of a layer and its new filter, or `nil`.
    package var filter: Filter?
    /// The language of labels, or `nil` for that of the map.
    package var language: LabelLanguage?

    /// A new filter of a style layer.
    package struct Filter: Hashable, Sendable {
        /// The identifier of the layer.
        package var layer: String
        /// The filter.
        package var filter: PropertyValue
    }

    /// The layers of a map in two parts, bottom first.
    struct Parts {
        /// The layers below the overlays.
        var below: [MapLayer]
        /// The layers above the overlays.
        var above: [MapLayer] = []
    }

    /// Returns the changed layers.
    ///
    /// - Throws: ``Problem`` with the key of a change that is not possible.
    func applied(to layers: [MapLayer]) throws(Problem) -> Parts {
        var layers = layers
        if let language {
            for place in layers.indices {
                guard let style = layers[place].style else { continue }
                var options = style.sheet.options
                options.language = language
                layers[place].source = style.with(
                    try Self.sheet(style.sheet.document, options, key: "language"))
            }
        }
        if let filter { try Self.set(filter, in: &layers) }
        if let addedLayer { try add(addedLayer, to: &layers) }
        return try divided(layers)
    }

    private static func sheet(
        _ document: PropertyValue, _ options: StyleSheet.Options, key: String
    ) throws(Problem) -> StyleSheet {
        do { return try StyleSheet(document, options: options) } catch {
            throw Problem(.badRequest, "\(error)", key: key)
        }
    }

    /// Returns the position of the map layer whose style has a layer, or `nil`.
    private static func place(of id: String, in layers: [MapLayer]) -> Int? {
        layers.firstIndex { $0.style?.sheet.layerIDs.contains(id) ?? false }
    }

    private static func unknown(_ id: String, in layers: [MapLayer], key: String) -> Problem {
        let names = layers.compactMap(\.style).flatMap(\.sheet.layerIDs)
        guard !names.isEmpty else {
            return Problem(.badRequest, "the map is not drawn by a MapLibre style", key: key)
        }
        let shown = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " …" : "")
        return Problem(.badRequest, "unknown style layer '\(id)'; available: \(shown)", key: key)
    }

    private static func set(_ filter: Filter, in layers: inout [MapLayer]) throws(Problem) {
        guard let place = place(of: filter.layer, in: layers), let style = layers[place].style else {
            throw unknown(filter.layer, in: layers, key: "layer_id")
        }
        let document = style.sheet.replacingLayers { list in
            list.map { layer in
                guard var members = layer.objectValue, members["id"]?.stringValue == filter.layer else { return layer }
                members["filter"] = filter.filter
                return .object(members)
            }
        }
        let sheet = try sheet(document, style.sheet.options, key: "setfilter")
        try check(sheet, filter.layer, after: style.sheet, key: "setfilter")
        layers[place].source = style.with(sheet)
    }

    private func add(_ added: Properties, to layers: inout [MapLayer]) throws(Problem) {
        let key = "addlayer"
        let place =
            beforeLayer.flatMap { Self.place(of: $0, in: layers) } ?? layers.lastIndex { $0.style != nil }
        guard let place, let style = layers[place].style else { throw Self.unknown("", in: layers, key: key) }
        guard let id = added["id"]?.stringValue, !id.isEmpty else {
            throw Problem(.badRequest, "the layer needs an 'id'", key: key)
        }
        guard !style.sheet.layerIDs.contains(id) else {
            throw Problem(.badRequest, "the style has a layer '\(id)' already", key: key)
        }
        // A source of a client could lead anywhere; those of the style that no layer draws are not open.
        if let source = added["source"] {
            guard let name = source.stringValue, style.sources[name] != nil else {
                let names = style.sources.keys.sorted().joined(separator: ", ")
                throw Problem(.badRequest, "'source' must be a source that the style draws: \(names)", key: key)
            }
        }
        let document = style.sheet.replacingLayers { list in
            let before = beforeLayer.flatMap { name in
                list.firstIndex { $0.objectValue?["id"]?.stringValue == name }
            }
            var list = list
            list.insert(.object(added), at: before ?? list.endIndex)
            return list
        }
        let sheet = try Self.sheet(document, style.sheet.options, key: key)
        try Self.check(sheet, id, after: style.sheet, key: key)
        let changed = style.with(sheet)
        guard let layer = sheet.layers.first(where: { $0.id == id }) else {
            throw Problem(.badRequest, "layer '\(id)' cannot be drawn", key: key)
        }
        if let loss = changed.loss(of: layer) { throw Problem(.badRequest, "layer '\(id)': \(loss)", key: key) }
        layers[place].source = changed
    }

    /// Refuses a change of a client that is not drawn as it states.
    private static func check(
        _ sheet: StyleSheet, _ id: String, after old: StyleSheet, key: String
    ) throws(Problem) {
        if let warning = sheet.warnings.first(where: {
            $0.subject.styleLayer == id && [.ignored, .omitted].contains($0.effect) && !old.warnings.contains($0)
        }) {
            throw Problem(.badRequest, "\(warning)", key: key)
        }
    }

    /// Divides the layers at ``beforeLayer``.
    private func divided(_ layers: [MapLayer]) throws(Problem) -> Parts {
        guard let name = beforeLayer else { return Parts(below: layers) }
        if let place = Self.place(of: name, in: layers), let style = layers[place].style {
            let ids = style.sheet.layerIDs, index = ids.firstIndex(of: name) ?? 0
            var lower = layers[place], upper = layers[place]
            lower.source = style.with(
                style.sheet.keeping(layers: Array(ids[..<index])).sheet)
            upper.source = style.with(
                style.sheet.keeping(layers: Array(ids[index...])).sheet)
            upper.name += " (above)"
            upper.attribution = nil
            return Parts(
                below: layers[..<place] + (index > 0 ? [lower] : []), above: [upper] + layers[(place + 1)...])
        }
        guard let place = layers.firstIndex(where: { $0.name == name }) else {
            throw Self.unknown(name, in: layers, key: "before_layer")
        }
        return Parts(below: Array(layers[..<place]), above: Array(layers[place...]))
    }
}

extension StyleSheet {
    /// The identifiers of the layers of the document.
    fileprivate var layerIDs: [String] {
        (document.objectValue?["layers"]?.arrayValue ?? []).compactMap { $0.objectValue?["id"]?.stringValue }
    }

    /// Returns the document with other layers.
    fileprivate func replacingLayers(_ change: ([PropertyValue]) -> [PropertyValue]) -> PropertyValue {
        guard var members = document.objectValue else { return document }
        members["layers"] = .array(change(members["layers"]?.arrayValue ?? []))
        return .object(members)
    }
}

extension StyleSource {
    /// Returns the source drawn by another style sheet.
    fileprivate func with(_ sheet: StyleSheet) -> StyleSource {
        StyleSource(sheet, baseURL: baseURL, sources: sources, losses: losses)
    }
}
