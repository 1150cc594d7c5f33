import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices

extension WMSExamination {
    /// A request for a small map of a layer, as a template for others.
    func request(
        of layer: WMSCapabilities.Layer, version: WMSCapabilities.Version, format: String? = nil
    ) -> GetMapRequest? {
        guard let template = try? template(of: layer, version: version, format: format).get(),
            let view = ComparisonView(of: layer), let extent = view.extent(in: template.crs)
        else { return nil }
        return template.request(extent: extent, width: ComparisonView.side, height: ComparisonView.side)
    }

    // MARK: Formats

    /// Requests a map in each offered image format, up to a limit.
    mutating func checkFormats() async throws(ServiceError) {
        guard let layer = layers.first else { return }
        var list = FindingList(), good: [String] = []
        let known = Set(ImageFormat.allCases.filter { $0 != .svg && $0 != .pdf }.map(\.mediaType))
        let offered = newest.getMap?.formats ?? []
        for format in offered.filter({ known.contains($0.bareMediaType) }).prefix(6) {
            guard let url = request(of: layer, version: newest.version, format: format.verbatim)?.address else {
                continue
            }
            let subject = "format \(format)"
            switch try await probe.picture(at: url, format: format.verbatim, subject: subject, into: &list) {
            case .picture, .other: if list.isGood(subject) { good.append(format.verbatim) }
            case .refusal(let words):
                list.add(
                    .fault, .pictureRefused, subject, "the format is offered, but \(words)",
                    remedy: "fix it, or do not list the format")
            case .notAsked: break
            }
        }
        add("Formats", list, passed: good.isEmpty ? [] : ["maps received as \(good.joined(separator: ", "))"])
    }

    // MARK: Exceptions

    /// A layer that no service has.
    private static let noLayer = "portolan-doctor-no-such-layer"

    /// Requests a map of an unknown layer in each version.
    mutating func checkExceptions() async throws(ServiceError) {
        guard let layer = layers.first else { return }
        var list = FindingList(), good: [String] = []
        for version in documents.keys.sorted(by: >) {
            guard var request = request(of: layer, version: version) else { continue }
            request.layers = [Self.noLayer]
            request.styles = []
            guard case .success(let response) = try await probe.answer(at: request.address) else { continue }
            let findings = ExceptionCheck.findings(
                inAnswer: response.body, status: response.status, contentType: response.header("Content-Type"),
                version: version)
            list.add(findings)
            if findings.allSatisfy({ $0.severity == .note }) { good.append(version.rawValue) }
        }
        add(
            "Exceptions", list,
            passed: good.isEmpty ? [] : ["an unknown layer is correctly reported in \(good.joined(separator: ", "))"])
    }

    // MARK: Questions and legends

    /// Requests GetFeatureInfo of one layer, and a legend.
    mutating func checkQuestions() async throws(ServiceError) {
        var list = FindingList(), passed: [String] = []
        // A layer may inherit queryable without supporting it; then the next one is requested.
        var asked: Set<String> = []
        for layer in layers + newest.allLayers where layer.isQueryable && asked.count < 3 && passed.isEmpty {
            guard let name = layer.name, asked.insert(name).inserted,
                let map = request(of: layer, version: newest.version),
                let template = WMSNegotiation.featureInfo(for: map, of: newest, baseURL: base)
            else { continue }
            try await ask(template, about: name, into: &list, &passed)
        }
        let names = layers.compactMap(\.name)
        let legends = WMSNegotiation.legends(
            of: names, styles: [], version: newest.version, in: newest, baseURL: base)
        for legend in legends.filter({ $0.url != nil }).prefix(2) {
            guard let address = legend.url else { continue }
            let subject = "legend of '\(legend.layer)'"
            switch try await probe.picture(at: address, format: nil, subject: subject, into: &list) {
            case .picture, .other:
                if list.isGood(subject) { passed.append("the legend of '\(legend.layer)' is an image") }
            case .refusal(let words):
                let own = newest.layer(named: legend.layer)?.styles.contains { !$0.legends.isEmpty } ?? false
                // GetLegendGraphic is offered for the service, but not necessarily for each layer.
                list.add(
                    own ? .deviation : .note, .pictureRefused, subject,
                    (own ? "it is advertised, but fails: " : "GetLegendGraphic is offered, but fails for it: ")
                        + words,
                    remedy: own ? "fix the URL in LegendURL" : "draw a legend, or advertise an image")
            case .notAsked: break
            }
        }
        add("GetFeatureInfo and legends", list, passed: passed)
    }

    private mutating func ask(
        _ template: WMSFeatureInfoTemplate, about layer: String, into list: inout FindingList,
        _ passed: inout [String]
    ) async throws(ServiceError) {
        var good: [String] = []
        for format in template.distinctFormats.prefix(4) {
            let map = template.map
            let request = template.request(
                extent: map.extent, width: map.width, height: map.height, column: map.width / 2, row: map.height / 2,
                infoFormat: format.verbatim, featureCount: 1)
            guard let answer = try await probe.answer(at: request.address) else { break }
            let failure: String
            switch answer {
            case .failure(let error): failure = error.detail
            case .success(let response):
                do {
                    _ = try FeatureInfoReader.read(
                        response.body, status: response.status, contentType: response.header("Content-Type"),
                        wantsHTML: format.bareMediaType == "text/html", crs: map.crs)
                    good.append(format.verbatim)
                    continue
                } catch { failure = error.description }
            }
            list.add(
                .fault, .featureInfoRefused, "'\(layer)' as \(format)", failure,
                remedy:
                    "fix it, set the layer's queryable to 0, or do not list the format")
        }
        if !good.isEmpty { passed.append("GetFeatureInfo for '\(layer)' works as \(good.joined(separator: ", "))") }
    }
}
