import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanWeb

/// The input of a command that reads features: a file, a URL, a service in the layer notation
/// (`wfs:`, `oaf:`), a table of a database (`postgis:`), vector tiles, or `-` for standard input.
struct FeatureInput: Sendable {
    let source: String
    /// The layer of a file with several.
    let layer: String?
    /// The options for tables in text.
    var tables: TableOptions?
    /// The part of vector tiles that is read.
    var tiles: TileOptions?
    /// The area outside which features of a file need not be read.
    var clip: ClipSource?

    /// The kinds of layers whose vector tiles are read.
    private static let tileKinds: [LayerKind] = [
        .vectorTiles, .mbtiles, .pmtiles, .tileJSON, .xyz, .tms, .ogcTiles, .arcGIS,
    ]

    /// The features.
    ///
    /// Reading a file or standard input sends no requests.
    func collection(_ network: NetworkOptions) async throws -> FeatureCollection { try await read(network).features }

    /// The features, and the reasons for missing ones, one sentence each.
    func read(_ network: NetworkOptions) async throws -> (features: FeatureCollection, losses: [String]) {
        if let tiles = try tileSource() { return try await read(tiles, network) }
        try tiles?.refuseOptions(for: source)
        if let parts = try LayerSpecification.Parts.argument(source),
            [.wfs, .ogcAPI].contains(parts.kind) || parts.kind.source == .database
        {
            return try await served(network)
        }
        let collection = try await document(network)
        StandardError.keep(collection.warnings)
        return (collection, [])
    }

    /// The source as a layer of vector tiles, or `nil` for features of other sources.
    private func tileSource() throws(CommandFailure) -> LayerSpecification? {
        if let parts = try LayerSpecification.Parts.argument(source) {
            guard Self.tileKinds.contains(parts.kind) else { return nil }
            return try CommandFailure.layer { () throws(MapError) in try LayerSpecification(source, kinds: .command) }
        }
        guard source != "-" else { return nil }
        let path = source.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let isTiles: Bool
        if FileAddress.isLocal(source) {
            guard let start = try? LocalFile(at: source).start(16) else { return nil }
            let isSQLite = ContentKind(recognizing: start) == .sqlite
            isTiles =
                start.starts(with: "PMTiles".utf8)
                || isSQLite && (try? TileArchiveKind(path: FileAddress.path(of: source))) == .mbtiles
        } else {
            isTiles =
                path.hasSuffix(".pmtiles")
                || [".pbf", ".mvt", ".mlt"].contains { path.hasSuffix($0) && path.contains("{") }
        }
        guard isTiles else { return nil }
        return try CommandFailure.layer { () throws(MapError) in
            try LayerSpecification(kind: .vectorTiles, source: source, values: [:], kinds: .command)
        }
    }

    /// The features of vector tiles.
    private func read(
        _ specification: LayerSpecification, _ network: NetworkOptions
    ) async throws -> (features: FeatureCollection, losses: [String]) {
        let bounds = try tiles?.bounds()
        let client = ServiceClient(configuration: try network.configuration())
        let names = layer.map { $0.split(separator: ",").map(String.init) }
        return try await Interruption.cancelling {
            do throws(MapError) {
                let source = try await LayerBuilder(client: client).vectorTiles(of: specification, named: "tiles")
                StandardError.warn(source.notes)
                let found = try await client.readVectorTiles(
                    source.tiles, layers: names, level: tiles?.zoom, in: bounds)
                return (found.collection, found.losses)
            } catch { throw CommandFailure(error) }
        }
    }

    /// The features of a service, in the layer notation.
    private func served(_ network: NetworkOptions) async throws -> (features: FeatureCollection, losses: [String]) {
        let specification = try CommandFailure.layer { () throws(MapError) in
            try LayerSpecification(source, kinds: .command)
        }
        let client = ServiceClient(configuration: try network.configuration())
        return try await Interruption.cancelling {
            do {
                let built = try await LayerBuilder(client: client).build([specification])
                guard let made = built.first, let service = made.layer?.featureService else {
                    throw built.first?.commandFailure
                        ?? CommandFailure(.unavailable, "\(source): no features")
                }
                StandardError.warn(made.warnings)
                let given = try specification.integer("limit", in: 1...Int.max)
                let found = try await client.readFeatures(of: service.request, limit: given ?? 1_000_000)
                return (found.collection, found.losses)
            } catch let error as ServiceError {
                throw CommandFailure(error, of: source)
            } catch let error as MapError { throw CommandFailure(error) }
        }
    }

    private func document(_ network: NetworkOptions) async throws -> FeatureCollection {
        let client = ServiceClient(configuration: try network.configuration())
        if source == "-" {
            let bytes = try StandardInput.bytes()
            return try CommandFailure.layer { () throws(MapError) in
                try FeatureDocument.features(
                    in: bytes, from: "standard input", memory: client.memory(forOwn: bytes.count))
            }
        }
        if let parts = try LayerSpecification.Parts.argument(source),
            let dataset = try CommandFailure.layer({ () throws(MapError) in
                try FeatureDocument.dataset(
                    of: parts.kind, at: parts.source, layer: layer ?? parts.values["layer"],
                    memory: client.memory(forOwn:))
            })
        {
            return dataset.collection
        }
        let file = try CommandFailure.service(of: source) { () throws(ServiceError) in try client.file(at: source) }
        if let file,
            let dataset = try CommandFailure.layer({ () throws(MapError) in
                try FeatureDocument.dataset(
                    in: file, layer: layer, encoding: tables?.encoding, client.configuration.featureDatasets,
                    in: { clip?.box(in: $0) }, memory: client.memory(forOwn:))
            })
        {
            return dataset.collection
        }
        let bytes = try await Interruption.cancelling {
            do {
                if let file { return try client.content(of: file).bytes }
                return try await client.content(at: FileAddress.url(of: source)).bytes
            } catch let error as ServiceError { throw CommandFailure(error, of: source) }
        }
        let memory = client.memory(forOwn: FileAddress.isLocal(source) ? bytes.count : 0)
        return try CommandFailure.layer { () throws(MapError) in
            try FeatureDocument.features(in: bytes, from: source, tables?.formats ?? .standard, memory: memory)
        }
    }
}
