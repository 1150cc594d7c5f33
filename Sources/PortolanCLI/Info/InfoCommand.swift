import ArgumentParser
import Foundation
import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanServices
import PortolanStyles
import PortolanWeb

/// `portolan info`: what a service or a file offers.
struct InfoCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows what a map service or a data file offers.",
        usage: "portolan info [<kind>:]<url|file> [--json] [<options>]",
        discussion: """
            EXAMPLES
              A map service: its layers, their extents, styles and scales, its tile sets:
                portolan info https://example.org/wms

              A tile service, WMTS or TMS: its layers and matrix sets, its maps and levels:
                portolan info https://example.org/wmts/1.0.0/WMTSCapabilities.xml
                portolan info https://example.org/tms/1.0.0/

              A service of a kind, where one address answers as several:
                portolan info wms:https://example.org/map

              A service of features, WFS or OGC API - Features:
                portolan info wfs:https://example.org/wfs
                portolan info oaf:https://example.org/api

              Maps and tiles of an OGC API, TileJSON, an ArcGIS MapServer or ImageServer:
                portolan info oat:https://example.org/api
                portolan info https://example.org/tiles.json
                portolan info https://example.org/arcgis/rest/services/city/MapServer

              The same of a capabilities document that was saved:
                portolan info capabilities.xml

              A file of features, or of tiles, for a program:
                portolan info route.geojson --json
                portolan info helsinki.mbtiles --json

            EXIT CODES
              0   shown
              65  the address or the file is of nothing that is known, or broken
              66  there is no such file
              69  the server does not answer, or with an error
            """)

    @Argument(
        help: ArgumentHelp(
            "The URL of a WMS, a WMTS, a TMS, a WFS, an OGC API (Features, Maps, Tiles), TileJSON or an ArcGIS MapServer, a capabilities document, a file or URL of features (GeoJSON, KML, KMZ, GPX, GML, GeoRSS, CSV, FlatGeobuf, Shapefile, GeoPackage, WKT, WKB), an MBTiles file, a GeoPackage of "
                + "tiles, or '-' for standard input.",
            valueName: "url|file"))
    var source: String

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        let client = ServiceClient(configuration: try network.configuration())
        let given = source
        let parts = try LayerSpecification.Parts.argument(given)
        let source = parts?.source ?? source, kind = parts?.kind
        let document = try await Interruption.cancelling {
            do {
                return try await Self.document(of: source, as: kind, layer: parts?.values["layer"], client: client)
            } catch let error as ServiceError {
                let failure = CommandFailure(error, of: source)
                guard error.code == .notFound, FileAddress.isLocal(source) else { throw failure }
                throw failure.saying(failure.message + "; the address of a service begins with https://")
            }
        }
        await client.flush()
        StandardError.warn(client.warnings)
        let bytes = json ? try document.json() : [UInt8](document.table().utf8)
        try OutputFile(path: "-").write(bytes)
    }

    /// - Parameter kind: what the user takes it for, or `nil`; where it is something else, that is shown.
    private static func document(
        of source: String, as kind: LayerKind?, layer: String?, client: ServiceClient
    ) async throws -> any InfoDocument {
        let isAddress = (source.hasPrefix("http://") || source.hasPrefix("https://")) && !looksLikeFile(source)
        switch kind {
        case .style?:
            return try await document(in: client.content(at: FileAddress.url(of: source)).bytes, from: source, client)
        case .wms?, .wmsc?: if isAddress { return try await service(at: source, client: client) }
        case .wmts?: if isAddress, let tiles = try await wmts(at: source, client: client) { return tiles }
        case .tileJSON?, .ogcTiles?, .arcGIS?:
            if isAddress || kind == .tileJSON, let tiles = await TileDocumentInfo.asking(source, client: client) {
                return tiles
            }
            if isAddress, let info = try await FeatureServiceInfo.asking(source, as: .ogcAPI, client: client) {
                return info
            }
        case .ogcMaps?:
            if isAddress, let info = try await FeatureServiceInfo.asking(source, as: .ogcAPI, client: client) {
                return info
            }
        case .tms?: if isAddress, let tiles = await tileMaps(at: source, client: client) { return tiles }
        case .wfs?, .ogcAPI?:
            if isAddress, let info = try await FeatureServiceInfo.asking(source, as: kind, client: client) {
                return info
            }
        default: break
        }
        guard !source.isEmpty else { throw CommandFailure(.usage, "the source is empty; give a URL or a file") }
        if source.hasPrefix("http"), LayerSpecification.isTemplate(source) {
            throw CommandFailure(
                .usage,
                "'\(source)' is a template of tiles, which cannot be examined; draw it with -l xyz:\(source)")
        }
        if let kind {
            let dataset = try CommandFailure.layer { () throws(MapError) in
                try FeatureDocument.dataset(of: kind, at: source, layer: layer, memory: client.memory(forOwn:))
            }
            if let dataset { return FeatureFileInfo(dataset.collection, format: dataset.format) }
        }
        if source == "-" { return try document(in: StandardInput.bytes(), from: "-", client) }
        if let file = try client.file(at: source) {
            let dataset = try CommandFailure.layer { () throws(MapError) in
                try FeatureDocument.dataset(
                    in: file, besidesTiles: false, client.configuration.featureDatasets,
                    memory: client.memory(forOwn:))
            }
            if let dataset { return FeatureFileInfo(dataset.collection, format: dataset.format) }
            if let archive = try ArchiveInfo.reading(file, isExpected: kind?.isArchive == true) { return archive }
            return try document(in: client.content(of: file).bytes, from: source, client)
        }
        guard source.hasPrefix("http://") || source.hasPrefix("https://"), !looksLikeFile(source) else {
            return try await document(in: client.content(at: FileAddress.url(of: source)).bytes, from: source, client)
        }
        if TileDocumentInfo.isLikely(at: source), let tiles = await TileDocumentInfo.asking(source, client: client) {
            return tiles
        }
        if source.lowercased().contains("wmts"), let tiles = try await wmts(at: source, client: client) { return tiles }
        let isLikelyTMS = TMSDocument.isLikely(at: source)
        if isLikelyTMS, let tiles = await tileMaps(at: source, client: client) { return tiles }
        do { return try await service(at: source, client: client) } catch {
            // Not every address of tiles or features tells so by its name.
            guard error.isAnswer else { throw error }
            if !isLikelyTMS, let tiles = await tileMaps(at: source, client: client) { return tiles }
            if error.code == .unreadable, let features = try await features(at: source, client: client) {
                return features
            }
            // What an address itself says goes before what may lie beside it.
            if let tiles = await TileDocumentInfo.asking(source, client: client) { return tiles }
            if let info = try? await FeatureServiceInfo.asking(source, as: .ogcAPI, client: client) { return info }
            if !source.lowercased().contains("wmts"), let tiles = try await wmts(at: source, client: client) {
                return tiles
            }
            if let info = try? await FeatureServiceInfo.asking(source, as: nil, client: client) {
                return info
            }
            throw error
        }
    }

    private static func service(at url: String, client: ServiceClient) async throws(ServiceError) -> WMSInfo {
        let offered = try await client.readCapabilities(of: url)
        // Tile sets are listed in version 1.1.1 alone; the newest version tells the rest best.
        let tiled = try? await client.readCapabilities(of: url, withTileSets: true)
        return WMSInfo(offered, tileSets: tiled?.tileSets ?? [])
    }

    /// The features at an address, or `nil` if there are none.
    ///
    /// - Throws: if there is no memory for them.
    private static func features(
        at url: String, client: ServiceClient
    ) async throws(CommandFailure) -> FeatureFileInfo? {
        guard let bytes = try? await client.content(at: url).bytes, !isMarkup(bytes) else { return nil }
        do throws(MapError) {
            let features = try FeatureDocument.features(in: bytes, from: url, memory: client.memory)
            return FeatureFileInfo(features, format: format(of: bytes))
        } catch {
            if case .memory? = error.layerError?.cause { throw CommandFailure(error) }
            return nil
        }
    }

    private static func document(
        in bytes: [UInt8], from place: String, _ client: ServiceClient
    ) throws(CommandFailure) -> any InfoDocument {
        let source = place == "-" ? "standard input" : place
        if AnswerKind(recognizing: bytes) == .style {
            do { return StyleInfo(try StyleSheet(bytes: bytes)) } catch {
                throw CommandFailure(.badData, "\(source): \(error)")
            }
        }
        if let tiles = TileDocumentInfo.reading(bytes, from: place) { return tiles }
        guard isMarkup(bytes) else {
            return FeatureFileInfo(
                try CommandFailure.layer { () throws(MapError) in
                    try FeatureDocument.features(
                        in: bytes, from: source,
                        memory: client.memory(forOwn: FileAddress.isLocal(place) ? bytes.count : 0))
                }, format: format(of: bytes))
        }
        if let tiles = tileDocument(in: bytes) { return tiles }
        if let capabilities = try? WFSCapabilitiesReader.read(bytes) { return FeatureServiceInfo(capabilities) }
        do { return WMSInfo(try WMSCapabilitiesReader.read(bytes), tileSets: nil) } catch {
            // What it is by its beginning, its reader knows the fault of.
            if let fault = fault(in: bytes) ?? (AnswerKind(recognizing: bytes) == .wms ? "\(error)" : nil) {
                throw CommandFailure(.badData, "\(source): \(fault)")
            }
            let file = FileKind(recognizing: bytes)
            guard let kind = AnswerKind(recognizing: bytes), kind != .page else {
                guard file.isNamed else { throw CommandFailure(.badData, "\(source): \(error)") }
                throw CommandFailure(LayerError(.file(file), source: source))
            }
            let advice = SourceAdvice.advice(for: kind, at: source, wanted: nil).map { "; \($0)" } ?? ""
            throw CommandFailure(.badData, "\(source): it \(kind.words)\(advice)")
        }
    }

    /// What is wrong with a document of tiles or features, by the reader of its kind; `nil` when it is of none.
    private static func fault(in bytes: [UInt8]) -> String? {
        switch AnswerKind(recognizing: bytes) {
        case .wmts?: do { _ = try WMTSCapabilitiesReader.read(bytes) } catch { return "\(error)" }
        case .tms?: do { _ = try TMSReader.read(bytes) } catch { return "\(error)" }
        case .wfs?: do { _ = try WFSCapabilitiesReader.read(bytes) } catch { return "\(error)" }
        default: break
        }
        return nil
    }

    /// Whether it is XML of a service, and no file of features that can be read.
    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        ContentKind(recognizing: bytes)?.isMarkup == true && FeatureFormats.standard.format(recognizing: bytes) == nil
    }

    private static func format(of bytes: [UInt8]) -> String {
        FeatureFormats.standard.format(recognizing: bytes)?.name ?? "GeoJSON"
    }

    private static func looksLikeFile(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".json", ".geojson", ".xml"].contains { path.hasSuffix($0) }
    }
}

extension InfoCommand {
    /// What a WMTS offers, or `nil` when the address answers and is none.
    static func wmts(at url: String, client: ServiceClient) async throws(ServiceError) -> (any InfoDocument)? {
        do { return WMTSInfo(try await client.readWMTSCapabilities(of: url)) } catch {
            guard error.isAnswer else { throw error }
            return nil
        }
    }

    /// What a document of a Tile Map Service tells, or `nil` when there is none at the address.
    static func tileMaps(at url: String, client: ServiceClient) async -> (any InfoDocument)? {
        (try? await client.tmsDocument(at: url)).map { TMSInfo($0) }
    }

    /// What a document of tiles tells, or `nil` when it is some other one.
    static func tileDocument(in bytes: [UInt8]) -> (any InfoDocument)? {
        // Only the root tells; a document that is broken is told by the reader of the kind it is most likely of.
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        if start.contains("TileMap"), let document = try? TMSReader.read(bytes) { return TMSInfo(document) }
        if start.contains("wmts"), let capabilities = try? WMTSCapabilitiesReader.read(bytes) {
            return WMTSInfo(capabilities)
        }
        return nil
    }
}

/// What is known of a source, as a table and as JSON.
protocol InfoDocument: Sendable {
    func table() -> String
    func json() throws(CommandFailure) -> [UInt8]
}

/// Numbers and dimensions as tables show them.
enum InfoText {
    /// The dimensions of layers as a table with a line above it, one of the same values once; empty where there are none.
    static func dimensions(
        _ layers: [(name: String, dimensions: [(name: String, unit: String, standard: String?, values: [String])])]
    ) -> String {
        var rows: [[String]] = [], owners: [[String]: [String]] = [:]
        for layer in layers {
            for dimension in layer.dimensions {
                let row = [dimension.name, dimension.unit, dimension.standard ?? "", listed(dimension.values)]
                if owners[row] == nil { rows.append(row) }
                owners[row, default: []].append(layer.name)
            }
        }
        guard !rows.isEmpty else { return "" }
        return "\n"
            + TextTable.text(
                [["DIMENSION", "UNIT", "DEFAULT", "VALUES", "LAYERS"]] + rows.map { $0 + [listed(owners[$0] ?? [])] })
    }

    /// The first and the last of some texts.
    private static func listed(_ texts: [String]) -> String {
        guard texts.count > 4, let last = texts.last else { return texts.joined(separator: ", ") }
        return texts.prefix(2).joined(separator: ", ") + ", … (\(texts.count)) … " + last
    }

    /// At least four digits that count, of small numbers too.
    static func significant(_ number: Double) -> String {
        guard number.isFinite, number > 0, number < 1 else { return short(number) }
        // The decimal places before the first digit that counts, and three more.
        var decimals = 3, first = number
        while first < 1, decimals < 15 {
            first *= 10
            decimals += 1
        }
        var text = String(format: "%.\(decimals)f", number)
        while text.last == "0" { text.removeLast() }
        return text
    }

    /// At most four decimals, none that say nothing.
    static func short(_ number: Double) -> String {
        let rounded = (number * 10_000).rounded() / 10_000
        return Int(exactly: rounded).map { String($0) } ?? String(rounded)
    }
}
