import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanVectorTiles
import PortolanWeb

/// The examination of a TileJSON document and of a few of its tiles.
enum TileJSONExamination {
    /// Examines the document; `nil` if the address is that of another one.
    static func run(
        _ address: String, _ options: ServiceDoctor.Options, _ probe: ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis? {
        var probe = probe
        let url = NamedURL(address, namedBy: .user)
        guard case .success(let response)? = try await probe.answer(at: url), response.isSuccessful,
            let members = (try? JSONReader.value(bytes: response.body))?.objectValue,
            let document = TileJSONDocument(members)
        else { return nil }
        var list = FindingList(), tiles = FindingList()
        var opening = ServiceDiagnosis.Section("Document"), section = ServiceDiagnosis.Section("Tiles")
        check(document, members, into: &list)
        opening.passed.append(
            "levels \(document.levels.lowerBound) to \(document.levels.upperBound), "
                + (document.isVector ? "vector tiles" : "images"))
        let base = probe.base(of: response, askedFor: url)
        var found = VectorLayerSummary()
        for level in levels(of: document) {
            try await tile(of: document, level: level, base, &probe, &found, into: &tiles, &section.passed)
        }
        let names = found.descriptions.map(\.id)
        if !names.isEmpty {
            section.passed.append("layers in the tiles: \(names.joined(separator: ", "))")
            let described = Set(document.vectorLayers.map(\.id))
            for name in names where !described.isEmpty && !described.contains(name) {
                list.add(
                    .deviation, .layersUndescribed, name, "tiles have this layer, and vector_layers does not",
                    remedy: "describe all layers in vector_layers (TileJSON 3.0, 3.3)")
            }
        }
        opening.findings = list.gravestFirst
        section.findings = tiles.gravestFirst
        return ServiceDiagnosis(
            kind: .tileJSON, url: FetchError.redacted(address), title: document.name,
            versions: [members["tilejson"]?.stringValue].compactMap(\.self), sections: [opening, section],
            requestCount: probe.count, isCutShort: probe.isCutShort)
    }

    /// Checks a document against TileJSON 3.0.
    private static func check(_ document: TileJSONDocument, _ members: Properties, into list: inout FindingList) {
        if members["tilejson"]?.stringValue == nil {
            list.add(
                .deviation, .versionUnreadable, "document", "the member tilejson is missing or not a text",
                remedy: "state the version, as \"tilejson\": \"3.0.0\"")
        }
        for warning in document.warnings {
            list.add(
                .deviation, .documentOdd, "document", warning.description,
                remedy: "write the document by TileJSON 3.0")
        }
        if document.isVector, document.vectorLayers.isEmpty {
            list.add(
                .deviation, .layersUndescribed, "document", "the layers of its vector tiles are not described",
                remedy: "add vector_layers (TileJSON 3.0, 3.3)")
        }
        if document.bounds == nil {
            list.add(
                .note, .geographicBoxMissing, "document", "bounds are not stated; clients ask for tiles everywhere",
                remedy: "state west, south, east and north in degrees")
        }
        if members["maxzoom"] == nil {
            list.add(
                .deviation, .levelEmpty, "maxzoom", "it is not stated, so clients ask for tiles up to level 30",
                remedy: "state the finest level that there is; clients enlarge its tiles")
        }
        if document.attribution == nil {
            list.add(
                .note, .titleMissing, "attribution", "no attribution is stated", remedy: "name the source of the data")
        }
    }

    /// The levels of which a tile is asked for: the coarsest, the finest and one between.
    private static func levels(of document: TileJSONDocument) -> [Int] {
        let first = document.levels.lowerBound
        // A level that is not stated is 30, which no service has.
        let last = document.levels.upperBound == 30 ? max(first, 14) : document.levels.upperBound
        return Array(Set([first, (first + last) / 2, last])).sorted()
    }

    /// Asks for a tile in the middle of the bounds.
    private static func tile(
        of document: TileJSONDocument, level: Int, _ base: BaseURL, _ probe: inout ServiceProbe,
        _ found: inout VectorLayerSummary, into list: inout FindingList, _ passed: inout [String]
    ) async throws(ServiceError) {
        guard let grid = TileGrid.webMercator(levels: level...level), let world = CRS.webMercator.worldExtent else {
            return
        }
        let extent = document.bounds.flatMap { GeographicBounds($0)?.extent(in: .webMercator) } ?? world
        let x = (extent.minX + extent.maxX) / 2, y = (extent.minY + extent.maxY) / 2
        // Larger than the part of a tile by which grids ignore neighbours, since the centre may be a corner.
        let side = world.width / Double(1 << min(max(level, 0), 30)) / 100
        guard let point = Extent(center: Coordinate(x: x, y: y), width: side, height: side),
            let tile = grid.tiles(level: 0, in: point)?.indexes.first,
            let template = try? probe.template(of: document, in: base),
            let address = template.url(of: tile, in: grid, isRetina: false)
        else {
            list.add(
                .fault, .templateUnusable, "tiles", "the template of its tiles cannot be filled in",
                remedy: "write a template with {z}, {x} and {y}")
            return
        }
        let subject = "\(level)/\(tile.column)/\(tile.row)"
        let url = NamedURL(address, namedBy: template.origin)
        guard document.isVector else {
            switch try await probe.picture(at: url, format: nil, subject: subject, into: &list) {
            case .picture, .other: passed.append("tile \(subject) is an image")
            case .notAsked: break
            case .refusal(let words):
                list.add(.fault, .pictureRefused, subject, words, remedy: "serve the tiles that the document names")
            }
            return
        }
        guard let answer = try await probe.answer(at: url) else { return }
        let response: HTTPResponse
        switch answer {
        case .failure(let error):
            list.add(
                .fault, .tileUnreadable, subject, error.detail, remedy: "serve the tiles that the document names")
            return
        case .success(let answered): response = answered
        }
        if [204, 404].contains(response.status) || response.isSuccessful && response.body.isEmpty {
            passed.append("tile \(subject) is empty (status \(response.status))")
            return
        }
        guard response.isSuccessful else {
            list.add(
                .fault, .tileUnreadable, subject, "the server answers with status \(response.status)",
                remedy: "serve the tiles that the document names; 204 or 404 for empty ones")
            return
        }
        do throws(VectorTileError) {
            found.add(
                try VectorTile(response.body, encoding: document.encoding == "mlt" ? .mlt : .mvt), level: level)
            passed.append("tile \(subject) is a vector tile of \(response.body.count) bytes")
        } catch {
            list.add(
                .fault, .tileUnreadable, subject, "it is not a valid vector tile: \(error)",
                remedy: "serve Mapbox Vector Tiles, or state \"encoding\": \"mlt\"")
        }
    }
}
