import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
public import PortolanPlan
package import PortolanRaster
import PortolanWeb

/// Creates the layers of a map from their specifications.
///
/// ```swift
/// let builder = LayerBuilder(client: map.services, mapCRS: map.viewport.crs)
/// let built = try await builder.build([LayerSpecification("wms:https://example.org/wms;layers=base")])
/// for layer in built.compactMap(\.layer) { try map.add(layer) }
/// ```
public struct LayerBuilder: Sendable {
    let client: ServiceClient
    let mapCRS: CRS
    /// The content of standard input, for the layer `-`.
    let standardInput: [UInt8]?
    /// Whether documents that had to be repaired or truncated are rejected.
    let isStrict: Bool

    /// The colours of the existing layers of the map, which new layers avoid.
    package var takenColors: [MapColor] = []
    /// The colour of a feature layer without a specified colour.
    private(set) var layerColor = LayerPalette.colors[0]

    /// The only view of the layers, or `nil` if they may be drawn in several or need all features.
    package var onlyView: Viewport?

    /// Whether to build a style even if none of its sources is available, to find all its problems.
    package var isExamining = false

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - client: the client for services.
    ///   - mapCRS: the CRS of the map.
    ///   - standardInput: the content of the layer `-`.
    ///   - isStrict: whether documents that had to be repaired or truncated are rejected.
    public init(
        client: ServiceClient, mapCRS: CRS = .webMercator, standardInput: [UInt8]? = nil, isStrict: Bool = false
    ) {
        self.client = client
        self.mapCRS = mapCRS
        self.standardInput = standardInput
        self.isStrict = isStrict
    }

    /// Returns the client for the URLs of a layer, with the layer's origin.
    public func client(for specification: LayerSpecification) -> ServiceClient {
        client.asked(by: specification.origin)
    }

    /// Returns the features of a source without transformation, from any of ``RendererConfiguration/featureFormats`` or
    /// a dataset.
    ///
    /// - Throws: ``MapError`` if the layer has no features, or its service does not deliver them.
    public func features(of specification: LayerSpecification) async throws(MapError) -> FeatureCollection {
        try await LayerKind.readFeatures(of: specification, self).features
    }

    /// Returns the memory budget, enlarged for a file of the user.
    package func memory(forOwn byteCount: Int) -> MemoryBudget { client.memory(forOwn: byteCount) }

    /// Throws if the builder is strict and a document was repaired or truncated.
    func refuseRepairs(_ warnings: [MapWarning], of specification: LayerSpecification) throws(MapError) {
        guard isStrict, let odd = warnings.first(where: { $0.changesDocument }) else { return }
        throw specification.error(.repaired(odd))
    }

    /// A layer, or the reason why its service is unavailable.
    public struct Built: Sendable {
        /// The name of the layer on the map.
        public internal(set) var name: String
        /// The specification of the layer.
        public let specification: LayerSpecification
        /// The layer, or `nil` if it could not be created.
        public internal(set) var layer: MapLayer?
        /// Warnings about it.
        public internal(set) var warnings: [MapWarning] = []
        /// The reason why it could not be created.
        public internal(set) var failure: MapError?
        /// The cache rule in the specification, for ``RendererConfiguration/layerCacheRules``.
        public let cacheRule: CacheRule?
    }

    /// Creates layers in the given order; services are contacted concurrently.
    ///
    /// - Throws: ``MapError`` for an invalid specification or local file. Unreachable services, and features that
    ///   exceed the memory budget, are reported in the results.
    public func build(_ specifications: [LayerSpecification]) async throws(MapError) -> [Built] {
        try await build(specifications, by: nil)
    }

    /// Creates layers in the given order, with a deadline.
    ///
    /// - Parameter deadline: the deadline for responses of services.
    package func build(
        _ specifications: [LayerSpecification], by deadline: PictureDeadline?
    ) async throws(MapError) -> [Built] {
        let named = try Self.named(specifications), builders = withColors(for: specifications)
        let outcome = await withTaskGroup(of: (Int, Result<Built, MapError>).self) { group in
            for (place, layer) in named.enumerated() {
                group.addTask { [builder = builders[place]] in
                    (place, await builder.result(layer.specification, named: layer.name, by: deadline))
                }
            }
            var built: [Built?] = Array(repeating: nil, count: named.count)
            for await (place, result) in group {
                switch result {
                case .success(let layer): built[place] = layer
                case .failure(let error):
                    // The other results are no longer needed.
                    group.cancelAll()
                    return Result<[Built], MapError>.failure(error)
                }
            }
            return .success(built.compactMap(\.self))
        }
        return Self.grouped(try outcome.get())
    }

    /// Returns a copy of the builder for each specification, with the colour of its layer.
    private func withColors(for specifications: [LayerSpecification]) -> [LayerBuilder] {
        var taken = takenColors
        return specifications.map { specification in
            var builder = self
            if specification.takesLayerColor {
                builder.layerColor = LayerPalette.color(besides: taken)
                taken.append(builder.layerColor)
            }
            return builder
        }
    }

    /// Applies the first explicit group opacity to all layers of the group.
    private static func grouped(_ built: [Built]) -> [Built] {
        var groups: [String: MapLayer.Group] = [:]
        for layer in built where layer.specification["group-opacity"] != nil {
            if let group = layer.layer?.group, groups[group.name] == nil { groups[group.name] = group }
        }
        return built.map { built in
            var built = built
            if let group = built.layer?.group, let shared = groups[group.name] { built.layer?.group = shared }
            return built
        }
    }

    /// Returns the results for layers with distinct names, in the given order.
    func results(of specifications: [LayerSpecification]) async -> [Result<Built, MapError>] {
        let builders = withColors(for: specifications)
        return await withTaskGroup(of: (Int, Result<Built, MapError>).self) { group in
            for (place, specification) in specifications.enumerated() {
                group.addTask { [builder = builders[place]] in
                    (place, await builder.result(specification, named: specification.name))
                }
            }
            var results: [Int: Result<Built, MapError>] = [:]
            for await (place, result) in group { results[place] = result }
            return specifications.indices.compactMap { results[$0] }
        }
    }

    /// Returns the result for a layer; a failure if the deadline expires.
    private func result(
        _ specification: LayerSpecification, named name: String, by deadline: PictureDeadline?
    ) async -> Result<Built, MapError> {
        guard let deadline = deadline?.ofSource(specification.source) else {
            return await result(specification, named: name)
        }
        let (outcome, wasCancelled) = await deadline.result { await result(specification, named: name) }
        // A layer that needs no request is complete, whenever the timer ended.
        guard wasCancelled, (try? outcome.get())?.layer == nil else { return outcome }
        return .success(
            Built(
                name: name, specification: specification, failure: specification.error(.deadline(deadline.duration)),
                cacheRule: try? specification.cacheRule()))
    }

    /// Returns the specifications with distinct names.
    private static func named(
        _ specifications: [LayerSpecification]
    ) throws(MapError) -> [(name: String, specification: LayerSpecification)] {
        var names: Set<String> = []
        var named: [(String, LayerSpecification)] = []
        for specification in specifications {
            let base = specification.name
            var name = base, number = 2
            while !names.insert(name).inserted {
                guard specification["name"] == nil else { throw specification.error(.duplicateName(base)) }
                name = "\(base)-\(number)"
                number += 1
            }
            named.append((name, specification))
        }
        return named
    }

    private func result(_ specification: LayerSpecification, named name: String) async -> Result<Built, MapError> {
        do throws(MapError) {
            try refuseForeignFile(of: specification)
            var (layer, warnings) = try await specification.kind.layer(of: specification, named: name, self)
            if let opacity = try specification.number("opacity") { layer.opacity = opacity }
            layer.isVisible = try specification.isVisible
            layer.isInLegend = try specification.flag("legend")
            layer.isNameDerived = specification["name"] == nil
            // Other kinds have other meanings of the keys.
            if layer.isNameDerived, layer.legendTitle == nil {
                layer.legendTitle =
                    (try? ThematicKeys(specification))?.onlyProperty ?? layer.documentTitle
                    ?? (specification.kind.source == .features ? LegendHeading.readable(name) : nil)
            }
            layer.transparentColor = try specification.colorKey()
            layer.minimumResolution = try resolution("min-resolution", of: specification)
            layer.maximumResolution = try resolution("max-resolution", of: specification)
            if let group = specification["group"] {
                layer.group = MapLayer.Group(group, opacity: try specification.number("group-opacity") ?? 1)
            }
            layer.madeOf = specification
            if specification.takesLayerColor { layer.layerColor = layerColor }
            return .success(
                Built(
                    name: name, specification: specification, layer: layer,
                    warnings: warnings.map { $0.about(layer: name) }, cacheRule: try specification.cacheRule()))
        } catch {
            var failure = error
            if let other = error.layerError?.serviceError?.answersAs, ![.json, .page].contains(other) {
                failure = specification.error(.otherKind(other))
            }
            guard leavesHole(failure, specification) else { return .failure(failure) }
            return .success(
                Built(
                    name: name, specification: specification, failure: failure,
                    cacheRule: try? specification.cacheRule()))
        }
    }

    /// Throws if a local file names a source file outside of its folder.
    private func refuseForeignFile(of specification: LayerSpecification) throws(MapError) {
        let source = specification.source
        guard case .file = specification.origin, specification.kind.hasPath, specification.hasAddress, source != "-",
            let path = try? FileURL.path(of: FileAddress.url(of: source)),
            let refusal = LocalFile.refusal(
                of: path, namedBy: specification.origin, policy: client.configuration.addressPolicy)
        else { return }
        throw specification.error(.refused(refusal))
    }

    /// Returns whether the rest of the map is drawn despite an error.
    ///
    /// Unreadable files and invalid specifications must be fixed by the user; a failing server only leaves its layer
    /// out.
    private func leavesHole(_ error: MapError, _ specification: LayerSpecification) -> Bool {
        switch error.layerError?.cause {
        case .memory: true
        case .service(let cause):
            (cause.code == .unavailable || cause.code == .unreadable)
                && (!specification.kind.readsFeatures || !FileAddress.isLocal(specification.source))
        default: false
        }
    }

    private func resolution(_ key: String, of specification: LayerSpecification) throws(MapError) -> Resolution? {
        guard let number = try specification.number(key) else { return nil }
        guard let resolution = Resolution(unitsPerPixel: number) else {
            throw specification.invalid(key, "must be more than zero")
        }
        return resolution
    }
}

extension MapLayer {
    /// The specification that the layer was created from, or `nil` if its content is custom or was replaced.
    public var specification: LayerSpecification? { madeOf as? LayerSpecification }
}

extension LayerSpecification {
    /// Whether features are drawn without a key for their colour.
    fileprivate var takesLayerColor: Bool {
        kind.drawsPlainFeatures && ["stroke", "fill", "style"].allSatisfy { self[$0] == nil }
    }

    /// The name of the layer on a map: the key `name`, or else the names of the service's layers, the kind, or the file
    /// name.
    public var name: String {
        if let name = self["name"] { return name }
        if let layers = self["layers"] ?? self["layer"] { return layers }
        if source == "-" { return "stdin" }
        guard kind.source.namesLayers, !StyleReference.isInline(source) else {
            return kind.name
        }
        let path = source.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last.map(String.init) ?? source
        return String(last.prefix { $0 != "." })
    }
}

extension PictureDeadline {
    /// The minimum time for a local file.
    ///
    /// No server is involved, and most files are read faster.
    private static let localTime = Duration.seconds(5)

    /// Returns the deadline for reading a path or URL.
    func ofSource(_ address: String) -> PictureDeadline {
        FileAddress.isLocal(address) ? noSooner(than: Self.localTime) : self
    }
}
