import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

/// The examination of a WMTS.
struct WMTSExamination: Sendable {
    /// Examines the service; `nil` if the URL is not a WMTS.
    static func run(
        _ url: String, _ options: ServiceDoctor.Options, _ probe: ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis? {
        var probe = probe, list = FindingList(), documents: [Document] = []
        for (place, address) in WMTSDocumentAddress.candidates(for: url).enumerated() {
            let asked = NamedURL(address, namedBy: .user)
            guard let answer = try await probe.answer(at: asked) else { break }
            let response: HTTPResponse
            switch answer {
            case .success(let answered): response = answered
            case .failure(let error):
                if documents.isEmpty { throw error }
                continue
            }
            let type = response.header("Content-Type")
            do {
                let capabilities = try WMTSCapabilitiesReader.read(response.body, contentType: type)
                let base = probe.base(of: response, askedFor: asked)
                documents.append(Document(base: base, capabilities: capabilities))
                list.add(
                    WMTSCheck.findings(
                        in: CapabilitiesEvidence(bytes: response.body, contentType: type, address: address)))
            } catch {
                // The other URLs are guesses.
                guard place == 0 else { continue }
                list.add(
                    .note, .documentUnreadable, FetchError.redacted(address), "\(error)",
                    remedy: "publish the URL of the document, or answer GetCapabilities there, too")
            }
        }
        guard let first = documents.first else { return nil }
        return try await WMTSExamination(
            url: url, documents: documents, options: options, capabilities: first.capabilities
        ).diagnosis(list, &probe)
    }

    /// A document and its URL; services have one for each encoding.
    struct Document: Sendable {
        let base: BaseURL
        let capabilities: WMTSCapabilities
    }

    let url: String
    let documents: [Document]
    let options: ServiceDoctor.Options
    let capabilities: WMTSCapabilities

    private func diagnosis(
        _ list: FindingList, _ probe: inout ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis {
        var opening = ServiceDiagnosis.Section("Capabilities")
        opening.findings = list.gravestFirst
        if !capabilities.layers.isEmpty {
            opening.passed.append(
                "layers offered: \(capabilities.layers.count), in \(capabilities.matrixSets.count) matrix sets")
        }
        var layers: [WMTSCapabilities.Layer] = []
        for name in options.layers {
            guard let layer = capabilities.layer(named: name) else {
                let error = WMTSError.layerNotFound(
                    name, suggestion: nil, offers: capabilities.layers.map(\.identifier))
                throw ServiceError(.wmts(error), url: url)
            }
            layers.append(layer)
        }
        if options.layers.isEmpty { layers = Array(capabilities.layers.prefix(max(options.maximumLayerCount, 0))) }
        var sections = [opening]
        sections.append(try await tiles(of: layers, &probe))
        if let exceptions = try await exceptions(of: layers.first, &probe) { sections.append(exceptions) }
        return ServiceDiagnosis(
            kind: .wmts, url: FetchError.redacted(url), title: capabilities.service.title,
            versions: [capabilities.versionText], sections: sections, requestCount: probe.count,
            isCutShort: probe.isCutShort)
    }

    /// Requests one tile of each layer and matrix set, in each offered encoding.
    private func tiles(
        of layers: [WMTSCapabilities.Layer], _ probe: inout ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis.Section {
        var section = ServiceDiagnosis.Section("Tiles"), list = FindingList()
        for layer in layers {
            for link in layer.links.prefix(4) {
                var bodies: [WMTSOptions.Encoding: [UInt8]] = [:], good: [String] = [], asked = 0
                let subject = "'\(layer.identifier)' in '\(link.matrixSet)'"
                for encoding in WMTSOptions.Encoding.allCases {
                    guard let request = request(of: layer, in: link.matrixSet, encoding),
                        let tile = Self.sampleTile(of: request), let url = request.url(for: tile)
                    else { continue }
                    let way = encoding == .path ? "by path" : "by parameters"
                    let answer = try await probe.picture(
                        at: NamedURL(url, namedBy: request.origin), format: request.format,
                        subject: "\(subject), \(way)", into: &list)
                    switch answer {
                    case .picture(_, let bytes):
                        asked += 1
                        bodies[encoding] = bytes
                        if list.isGood("\(subject), \(way)") { good.append(way) }
                    case .other, .notAsked: break
                    case .refusal(let words):
                        asked += 1
                        list.add(
                            .fault, .pictureRefused, "\(subject), \(way)", words,
                            remedy: "fix it, or do not offer the set, or this encoding, for the layer")
                    }
                }
                if bodies.count == 2, Set(bodies.values).count > 1 {
                    list.add(
                        .deviation, .encodingsDiffer, subject,
                        "the same tile differs by path and by parameters",
                        remedy: "serve both from one cache")
                } else if good.count == 2 {
                    section.passed.append("\(subject): gives a tile, the same by path and by parameters")
                } else if let way = good.first {
                    // Errors of the other encoding have their own line.
                    section.passed.append("\(subject): gives a tile" + (asked == 2 ? " \(way)" : ""))
                }
            }
        }
        section.findings = list.gravestFirst
        if probe.isCutShort { section.skipped.append("some tiles: request limit reached") }
        return section
    }

    /// The requests of a layer by the first document that offers an encoding, or `nil`.
    private func request(
        of layer: WMTSCapabilities.Layer, in matrixSet: String?, _ encoding: WMTSOptions.Encoding
    ) -> WMTSTileRequest? {
        let choice = WMTSOptions(layer: layer.identifier, matrixSet: matrixSet, encoding: encoding)
        return documents.lazy.compactMap { document -> WMTSTileRequest? in
            // Unadvertised encodings are not requested.
            if encoding == .parameters, document.capabilities.operation(named: "GetTile")?.parameterURL == nil {
                return nil
            }
            return try? WMTSNegotiation.request(
                for: choice, of: document.capabilities, baseURL: document.base, mapCRS: .webMercator)
        }.first { $0.encoding == encoding }
    }

    /// A tile in the centre of the layer, at the first level with several.
    static func sampleTile(of request: WMTSTileRequest) -> TileIndex? {
        let grid = request.grid
        let level = grid.matrices.firstIndex { $0.columns.count > 1 && $0.rows.count > 1 } ?? 0
        guard grid.matrices.indices.contains(level) else { return nil }
        if let extent = request.extent, let range = grid.tiles(level: level, in: extent) {
            return grid.tile(
                level: level, column: (range.columns.lowerBound + range.columns.upperBound) / 2,
                row: (range.rows.lowerBound + range.rows.upperBound) / 2)
        }
        let matrix = grid.matrices[level]
        return grid.tile(
            level: level, column: (matrix.columns.lowerBound + matrix.columns.upperBound) / 2,
            row: (matrix.rows.lowerBound + matrix.rows.upperBound) / 2)
    }

    /// Requests a tile of an unknown layer by parameters.
    private func exceptions(
        of layer: WMTSCapabilities.Layer?, _ probe: inout ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis.Section? {
        guard let layer, let request = request(of: layer, in: nil, .parameters),
            let tile = Self.sampleTile(of: request), let url = request.url(for: tile)
        else { return nil }
        let wrong = ServiceURL(url).url(with: [("LAYER", "portolan-doctor-no-such-layer")], dropping: [])
        guard
            case .success(let response) = try await probe.answer(at: NamedURL(wrong, namedBy: request.origin))
        else { return nil }
        var section = ServiceDiagnosis.Section("Exceptions")
        section.findings = ExceptionCheck.findings(
            inTileAnswer: response.body, status: response.status, contentType: response.header("Content-Type"))
        if section.findings.isEmpty { section.passed.append("an unknown layer is correctly reported") }
        return section
    }
}
