import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

/// The examination of a Tile Map Service.
enum TMSExamination {
    /// The number of tile maps to examine.
    private static let mapLimit = 8

    /// Examines the service; `nil` if the URL is not a TMS.
    static func run(
        _ address: String, _ options: ServiceDoctor.Options, _ probe: ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis? {
        var probe = probe
        let url = NamedURL(address, namedBy: .user)
        guard let first = try await document(at: url, &probe) else { return nil }
        var documents = FindingList(), tiles = FindingList(), passed: [String] = []
        documents.add(first.findings)
        var maps: [(map: TMSTileMap, base: BaseURL)] = [], title = "", version = "", skipped: [String] = []
        var document = first.document, base = first.base
        // A list of services leads to the first one.
        if case .services(let services) = document, let reference = services.first,
            let place = TMSTileRequest.address(of: reference, from: base),
            let next = try await self.document(at: place, &probe)
        {
            documents.add(next.findings)
            (document, base) = (next.document, next.base)
        }
        switch document {
        case .services: break
        case .map(let map):
            maps = [(map, base)]
            (title, version) = (map.title, map.version)
        case .service(let service):
            (title, version) = (service.title, service.version)
            let wanted = service.maps.filter { map in
                options.layers.isEmpty || options.layers.contains { $0 == map.title || map.href.hasSuffix($0) }
            }
            if wanted.count > mapLimit { skipped.append("\(wanted.count - mapLimit) more maps") }
            for reference in wanted.prefix(mapLimit) {
                guard let place = TMSTileRequest.address(of: reference, from: base),
                    let found = try await self.document(at: place, &probe), case .map(let map) = found.document
                else {
                    documents.add(
                        .fault, .documentUnreadable, FetchError.redacted(reference.href),
                        "no tile map document",
                        remedy: "fix the map's URL in the service document")
                    continue
                }
                documents.add(found.findings)
                maps.append((map, found.base))
            }
        }
        for (map, base) in maps {
            try await tile(of: map, from: base, &probe, into: &tiles, &passed)
        }
        var opening = ServiceDiagnosis.Section("Documents"), section = ServiceDiagnosis.Section("Tiles")
        if !maps.isEmpty { opening.passed.append("\(maps.count) tile maps offered") }
        opening.findings = documents.gravestFirst
        section.passed = passed
        section.findings = tiles.gravestFirst
        section.skipped = skipped
        return ServiceDiagnosis(
            kind: .tms, url: FetchError.redacted(address), title: title, versions: [version],
            sections: [opening, section], requestCount: probe.count, isCutShort: probe.isCutShort)
    }

    private static func document(
        at url: NamedURL, _ probe: inout ServiceProbe
    ) async throws(ServiceError) -> (document: TMSDocument, base: BaseURL, findings: [Finding])? {
        guard case .success(let response) = try await probe.answer(at: url) else { return nil }
        let type = response.header("Content-Type")
        guard let document = try? TMSReader.read(response.body, contentType: type) else { return nil }
        let evidence = CapabilitiesEvidence(bytes: response.body, contentType: type, address: url.text)
        return (document, probe.base(of: response, askedFor: url), TMSCheck.findings(in: evidence))
    }

    /// Requests one tile in the centre of a map.
    private static func tile(
        of map: TMSTileMap, from base: BaseURL, _ probe: inout ServiceProbe, into list: inout FindingList,
        _ passed: inout [String]
    ) async throws(ServiceError) {
        let subject = "'\(map.title)' in \(map.crsName)"
        guard let request = try? TMSTileRequest(map: map, document: base) else { return }
        let grid = request.grid
        let level = grid.matrices.firstIndex { $0.columnCount > 1 && $0.rowCount > 1 } ?? 0
        let matrix = grid.matrices[level]
        guard
            let tile = grid.tile(level: level, column: matrix.columnCount / 2, row: matrix.rowCount / 2),
            let url = request.url(for: tile)
        else { return }
        switch try await probe.picture(
            at: NamedURL(url, namedBy: request.origin), format: map.format, subject: subject, into: &list)
        {
        case .picture, .other: if list.isGood(subject) { passed.append("\(subject): gives a tile") }
        case .notAsked: break
        case .refusal(let words):
            list.add(
                .fault, .pictureRefused, subject, words,
                remedy: "fix the map, or the origin and resolutions in its document")
        }
    }
}
