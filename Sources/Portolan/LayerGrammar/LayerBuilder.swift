import PortolanFeatures
public import PortolanFetch
public import PortolanGeo
public import PortolanPlan
package import PortolanRaster
import PortolanWeb

/// Makes a map's layers of their specifications.
///
/// ```swift
/// let builder = LayerBuilder(client: map.services, mapCRS: map.viewport.crs)
/// let built = try await builder.build([LayerSpecification("wms:https://example.org/wms;layers=base")])
/// for layer in built.compactMap(\.layer) { try map.add(layer) }
/// ```
public struct LayerBuilder: Sendable {
    let client: ServiceClient
    let mapCRS: CRS
    /// Standard input, read once, for the layer `-`.
    let standardInput: [UInt8]?
    /// Whether documents of which something had to be repaired or left out are refused.
    let isStrict: Bool

    /// The colours that layers of the map have, which the next ones do without.
    package var takenColors: [Color] = []
    /// The colour of a layer of features that names none.
    private(set) var layerColor = LayerPalette.colors[0]

    /// Whether a style of which no source can be had is made all the same, to see what else is missing of it.
    package var isExamining = false

    /// Makes a builder.
    ///
    /// - Parameters:
    ///   - client: asks the services.
    ///   - mapCRS: the system of the map.
    ///   - standardInput: what the layer `-` reads.
    ///   - isStrict: whether documents of which something had to be repaired or left out are refused.
    public init(
        client: ServiceClient, mapCRS: CRS = .webMercator, standardInput: [UInt8]? = nil, isStrict: Bool = false
    ) {
        self.client = client
        self.mapCRS = mapCRS
        self.standardInput = standardInput
        self.isStrict = isStrict
    }

    /// What asks for a layer's addresses, as who named them.
    public func client(for specification: LayerSpecification) -> ServiceClient {
        client.asked(by: specification.origin)
    }

    /// The features of a source, in one of ``RendererConfiguration/featureFormats`` or a file of a dataset, as they are in it.
    ///
    /// - Throws: ``MapError`` if the layer has no features, or its service does not deliver them.
    public func features(of specification: LayerSpecification) async throws(MapError) -> FeatureCollection {
        try await LayerKind.readFeatures(of: specification, self).features
    }

    /// The budget of memory, after it was raised for a file of the user's own.
    package func memory(forOwn byteCount: Int) -> MemoryBudget { client.memory(forOwn: byteCount) }

    /// Throws if a document was repaired or something of it left out, and the builder is strict.
    func refuseRepairs(_ warnings: [MapWarning], of specification: LayerSpecification) throws(MapError) {
        guard isStrict, let odd = warnings.first(where: { $0.changesDocument }) else { return }
        throw specification.error(.repaired(odd))
    }

    /// A layer, or why a service gives none.
    public struct Built: Sendable {
        /// The name of the layer on the map.
        public internal(set) var name: String
        /// What it was to be made of.
        public let specification: LayerSpecification
        /// The layer, or `nil` where nothing could be had of it.
        public internal(set) var layer: MapLayer?
        /// Warnings about it.
        public internal(set) var warnings: [MapWarning] = []
        /// Why nothing could be had of it.
        public internal(set) var failure: MapError?
        /// How long its images are used again, where the layer says so; for ``RendererConfiguration/layerCacheRules``.
        public let cacheRule: CacheRule?
    }

    /// The layers in their order; services are asked side by side.
    ///
    /// - Throws: ``MapError`` for what is wrong with a specification or a file of this machine. A service that cannot be
    ///   reached, and features for which there is no memory, are told in the result.
    public func build(_ specifications: [LayerSpecification]) async throws(MapError) -> [Built] {
        try await build(specifications, by: nil)
    }

    /// The same.
    ///
    /// - Parameter deadline: when to give up those that have not answered.
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
                    // The others are for nothing now.
                    group.cancelAll()
                    return Result<[Built], MapError>.failure(error)
                }
            }
            return .success(built.compactMap(\.self))
        }
        return Self.grouped(try outcome.get())
    }

    /// For each specification this builder with the colour that its layer has.
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

    /// Gives all layers of a group the opacity that the first says which says one.
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

    /// The layers under their own names in their order, each for itself.
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

    /// A layer, or the failure that nothing is known of it by the deadline.
    private func result(
        _ specification: LayerSpecification, named name: String, by deadline: PictureDeadline?
    ) async -> Result<Built, MapError> {
        guard let deadline = deadline?.ofSource(specification.source) else {
            return await result(specification, named: name)
        }
        if let result = await deadline.result(of: { await result(specification, named: name) }) { return result }
        return .success(
            Built(
                name: name, specification: specification, failure: specification.error(.deadline(deadline.duration)),
                cacheRule: try? specification.cacheRule()))
    }

    /// The specifications with a name of its own each.
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

    /// Throws if a file of this machine names a file outside of its folder as the source of a layer.
    private func refuseForeignFile(of specification: LayerSpecification) throws(MapError) {
        let source = specification.source
        guard case .file = specification.origin, specification.kind.hasPath, source != "-",
            let path = try? FileURL.path(of: FileAddress.url(of: source)),
            let refusal = LocalFile.refusal(
                of: path, namedBy: specification.origin, policy: client.configuration.addressPolicy)
        else { return }
        throw specification.error(.refused(refusal))
    }

    /// Whether the rest of the map is drawn all the same: a file that may not be read, or a specification that is wrong, is
    /// for the user to mend; a server that fails leaves a hole.
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
    /// What it was made of, or `nil` where it was made by hand, or its source was replaced since.
    public var specification: LayerSpecification? { madeOf as? LayerSpecification }
}

extension LayerSpecification {
    /// Whether features are drawn of which no key says the colour.
    fileprivate var takesLayerColor: Bool {
        kind.drawsPlainFeatures && ["stroke", "fill", "style"].allSatisfy { self[$0] == nil }
    }

    /// The name of the layer on a map: what the key `name` says, or else the names of the service's layers, the kind, or the
    /// name of the file.
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
    /// The least time for a file of this machine, however soon the deadline is: no server is involved, and most files are read in less.
    private static let localTime = Duration.seconds(5)

    /// The deadline of reading what is at a path or URL.
    func ofSource(_ address: String) -> PictureDeadline {
        FileAddress.isLocal(address) ? noSooner(than: Self.localTime) : self
    }
}
