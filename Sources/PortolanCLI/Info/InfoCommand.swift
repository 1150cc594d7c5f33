import ArgumentParser
import Foundation
import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanFormats
import PortolanServices
import PortolanStyles
import PortolanWeb

/// `portolan info`: the contents of a service or file.
struct InfoCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows the contents of a map service or data file.",
        usage: "portolan info [<kind>:]<url|file> [--json] [<options>]",
        discussion: """
            EXAMPLES
              A map service: layers, extents, styles, scales, tile sets:
                portolan info https://example.org/wms

              A tile service: layers and matrix sets, or maps and levels:
                portolan info https://example.org/wmts/1.0.0/WMTSCapabilities.xml
                portolan info https://example.org/tms/1.0.0/

              One kind of service, if several share the URL:
                portolan info wms:https://example.org/map

              Feature services:
                portolan info wfs:https://example.org/wfs
                portolan info oaf:https://example.org/api

              OGC API - Tiles and Maps, TileJSON, ArcGIS:
                portolan info oat:https://example.org/api
                portolan info https://example.org/tiles.json
                portolan info https://example.org/arcgis/rest/services/city/MapServer

              A saved capabilities document:
                portolan info capabilities.xml

              A file with features or tiles, as JSON:
                portolan info route.geojson --json
                portolan info helsinki.mbtiles --json

              The tables of a PostGIS database, or one with its attributes:
                portolan info postgis:postgresql://reader@db.example.org/city
                portolan info 'postgis:postgresql://reader@db.example.org/city;table=roads'

              A PMTiles archive on a server: its levels and the layers of its vector tiles:
                portolan info https://example.org/planet.pmtiles

            EXIT CODES
              0   shown
              65  unknown format or invalid data
              66  no such file
              69  no response from the server, or an error
            """)

    @Argument(
        help: ArgumentHelp(
            "The URL of a service (WMS, WMTS, TMS, WFS, OGC API, TileJSON, ArcGIS), a capabilities document, or a file or URL with features "
                + "or tiles; '-' is standard input.",
            valueName: "url|file"))
    var source: String

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        let client = ServiceClient(configuration: try network.configuration())
        let given = source
        let parts = try LayerSpecification.Parts.argument(given)
        let source = parts?.source ?? source, kind = parts?.kind
        #if PostGIS
        if let database = try await DatabaseInfo.reading(given, parts, network) {
            return try OutputFile(path: "-").write(
                json ? try database.json() : [UInt8](database.table().utf8))
        }
        #endif
        let document = try await Interruption.cancelling {
            do {
                return try await Self.document(of: source, as: kind, layer: parts?.values["layer"], client: client)
            } catch let error as ServiceError {
                let failure = CommandFailure(error, of: source)
                guard error.code == .notFound, FileAddress.isLocal(source) else { throw failure }
                throw failure.saying(failure.message + "; the URL of a service begins with https://")
            }
        }
        await client.flush()
        StandardError.warn(client.warnings)
        let bytes = json ? try document.json() : [UInt8](document.table().utf8)
        try OutputFile(path: "-").write(bytes)
    }

    /// - Parameter kind: the kind in the source, or `nil`. A service of another kind is shown anyway.
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
        case .pmtiles?, .vectorTiles?:
            if isAddress, isPMTiles(source) || kind == .pmtiles {
                return ArchiveInfo(try await client.pmtilesContents(of: source), byteCount: nil)
            }
            if isAddress, let tiles = await TileDocumentInfo.asking(source, client: client) { return tiles }
        case .ogcMaps?:
            if isAddress, let info = try await FeatureServiceInfo.asking(source, as: .ogcAPI, client: client) {
                return info
            }
        case .geoTIFF?:
            if isAddress { return try await image(at: source, client) }
            return try ImageInfo(path: FileAddress.path(of: source))
        case .tms?: if isAddress, let tiles = await tileMaps(at: source, client: client) { return tiles }
        case .wfs?, .ogcAPI?:
            if isAddress, let info = try await FeatureServiceInfo.asking(source, as: kind, client: client) {
                return info
            }
        default: break
        }
        guard !source.isEmpty else { throw CommandFailure(.usage, "empty source; give a URL or a file") }
        if source.hasPrefix("http"), LayerSpecification.isTemplate(source) {
            throw CommandFailure(
                .usage,
                "'\(source)' is a tile template, which info cannot read; draw it with -l xyz:\(source)")
        }
        if let kind {
            let dataset = try CommandFailure.layer { () throws(MapError) in
                try FeatureDocument.dataset(of: kind, at: source, layer: layer, memory: client.memory(forOwn:))
            }
            if let dataset { return FeatureFileInfo(dataset.collection, format: dataset.format) }
        }
        if source == "-" { return try document(in: StandardInput.bytes(), from: "-", client) }
        if FileAddress.isLocal(source), GeoTIFFRaster.recognizes(path: FileAddress.path(of: source)) {
            return try ImageInfo(path: FileAddress.path(of: source))
        }
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
        if isImage(source) { return try await image(at: source, client) }
        if isPMTiles(source) {
            return ArchiveInfo(try await client.pmtilesContents(of: source), byteCount: nil)
        }
        if TileDocumentInfo.isLikely(at: source), let tiles = await TileDocumentInfo.asking(source, client: client) {
            return tiles
        }
        if source.lowercased().contains("wmts"), let tiles = try await wmts(at: source, client: client) { return tiles }
        let isLikelyTMS = TMSDocument.isLikely(at: source)
        if isLikelyTMS, let tiles = await tileMaps(at: source, client: client) { return tiles }
        do { return try await service(at: source, client: client) } catch {
            // The URL does not always reveal a tile or feature document.
            guard error.isAnswer else { throw error }
            if !isLikelyTMS, let tiles = await tileMaps(at: source, client: client) { return tiles }
            if error.code == .unreadable, let features = try await features(at: source, client: client) {
                return features
            }
            // The document at the URL takes precedence over documents derived from the URL.
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
        // Only version 1.1.1 lists tile sets; the newest version has the best metadata.
        let tiled = try? await client.readCapabilities(of: url, withTileSets: true)
        return WMSInfo(offered, tileSets: tiled?.tileSets ?? [])
    }

    /// The features at a URL, or `nil`.
    ///
    /// - Throws: if the memory limit is exceeded.
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
            // The reader for the recognized format reports the error.
            if let fault = fault(in: bytes) ?? (AnswerKind(recognizing: bytes) == .wms ? "\(error)" : nil) {
                throw CommandFailure(.badData, "\(source): \(fault)")
            }
            let file = FeatureFileError.FileKind(recognizing: bytes)
            guard let kind = AnswerKind(recognizing: bytes), kind != .page else {
                guard file.isNamed else { throw CommandFailure(.badData, "\(source): \(error)") }
                throw CommandFailure(LayerError(.file(file), source: source))
            }
            let advice = SourceAdvice.advice(for: kind, at: source, wanted: nil).map { "; \($0)" } ?? ""
            throw CommandFailure(.badData, "\(source): it \(kind.words)\(advice)")
        }
    }

    /// The error of the reader for the kind of the document, or `nil` if it is not a tile or feature document.
    private static func fault(in bytes: [UInt8]) -> String? {
        switch AnswerKind(recognizing: bytes) {
        case .wmts?: do { _ = try WMTSCapabilitiesReader.read(bytes) } catch { return "\(error)" }
        case .tms?: do { _ = try TMSReader.read(bytes) } catch { return "\(error)" }
        case .wfs?: do { _ = try WFSCapabilitiesReader.read(bytes) } catch { return "\(error)" }
        default: break
        }
        return nil
    }

    /// Whether it is XML of a service, and not a readable feature file.
    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        ContentKind(recognizing: bytes)?.isMarkup == true && FeatureFormats.standard.format(recognizing: bytes) == nil
    }

    private static func format(of bytes: [UInt8]) -> String {
        FeatureFormats.standard.format(recognizing: bytes)?.name ?? "GeoJSON"
    }

    private static func image(at url: String, _ client: ServiceClient) async throws(ServiceError) -> ImageInfo {
        ImageInfo(try await client.geoTIFF(at: url), try await client.geoTIFFLayout(at: url))
    }

    private static func isImage(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".tif") || path.hasSuffix(".tiff")
    }

    private static func isPMTiles(_ url: String) -> Bool {
        url.prefix { $0 != "?" && $0 != "#" }.lowercased().hasSuffix(".pmtiles")
    }

    private static func looksLikeFile(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".json", ".geojson", ".xml"].contains { path.hasSuffix($0) }
    }
}

extension InfoCommand {
    /// The offer of a WMTS, or `nil` if the response is something else.
    static func wmts(at url: String, client: ServiceClient) async throws(ServiceError) -> (any InfoDocument)? {
        do { return WMTSInfo(try await client.readWMTSCapabilities(of: url)) } catch {
            guard error.isAnswer else { throw error }
            return nil
        }
    }

    /// The contents of a Tile Map Service document, or `nil`.
    static func tileMaps(at url: String, client: ServiceClient) async -> (any InfoDocument)? {
        (try? await client.tmsDocument(at: url)).map { TMSInfo($0) }
    }

    /// The contents of a tile document, or `nil` for other documents.
    static func tileDocument(in bytes: [UInt8]) -> (any InfoDocument)? {
        // The root element identifies the document; the reader of the most likely kind reports errors.
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        if start.contains("TileMap"), let document = try? TMSReader.read(bytes) { return TMSInfo(document) }
        if start.contains("wmts"), let capabilities = try? WMTSCapabilitiesReader.read(bytes) {
            return WMTSInfo(capabilities)
        }
        return nil
    }
}

/// The facts about a source, as a table and as JSON.
protocol InfoDocument: Sendable {
    func table() -> String
    func json() throws(CommandFailure) -> [UInt8]
}

/// Numbers and dimensions as text for tables.
enum InfoText {
    /// The dimensions of layers as a table with a line above it, without repetitions.
    ///
    /// Empty if there are none.
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

    /// At least four significant digits, also for small numbers.
    static func significant(_ number: Double) -> String {
        guard number.isFinite, number > 0, number < 1 else { return short(number) }
        // The zeros after the decimal point, and three more digits.
        var decimals = 3, first = number
        while first < 1, decimals < 15 {
            first *= 10
            decimals += 1
        }
        var text = String(format: "%.\(decimals)f", number)
        while text.last == "0" { text.removeLast() }
        return text
    }

    /// At most four decimals, without trailing zeros.
    static func short(_ number: Double) -> String {
        let rounded = (number * 10_000).rounded() / 10_000
        return Int(exactly: rounded).map { String($0) } ?? String(rounded)
    }
}
