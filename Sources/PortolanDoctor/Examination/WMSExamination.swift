import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

/// The examination of a WMS.
struct WMSExamination: Sendable {
    let url: String
    /// The base of the URLs in the documents.
    let base: BaseURL
    let options: ServiceDoctor.Options
    var probe: ServiceProbe
    var sections: [ServiceDiagnosis.Section] = []
    /// The documents by their own versions.
    var documents: [WMSCapabilities.Version: WMSCapabilities] = [:]
    /// The newest document.
    var newest: WMSCapabilities
    /// The layers to request.
    var layers: [WMSCapabilities.Layer] = []

    /// Examines the service.
    ///
    /// - Throws: ``ServiceError`` if the URL is not a WMS.
    static func run(
        _ url: String, _ options: ServiceDoctor.Options, _ probe: ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis {
        var probe = probe
        let opening = try await Opening.ask(url, options, &probe)
        var examination = WMSExamination(
            url: url, base: opening.base, options: options, probe: probe, documents: opening.documents,
            newest: opening.newest)
        examination.sections.append(opening.section)
        try examination.chooseLayers()
        if try await examination.drawsTilesAlone() == false {
            try await examination.checkMaps()
            try await examination.checkFormats()
        }
        try await examination.checkTileSets()
        try await examination.checkExceptions()
        try await examination.checkQuestions()
        return examination.diagnosis
    }

    private var diagnosis: ServiceDiagnosis {
        ServiceDiagnosis(
            kind: .wms, url: FetchError.redacted(url), title: newest.service.title,
            versions: documents.keys.sorted(by: >).map(\.rawValue), sections: sections, requestCount: probe.count,
            isCutShort: probe.isCutShort)
    }

    /// The named layers, else the first named ones without sublayers.
    ///
    /// Those visible at all scales come first, because
    /// a world map shows them.
    private mutating func chooseLayers() throws(ServiceError) {
        for name in options.layers {
            guard let layer = newest.layer(named: name) else {
                let error = WMSNegotiationError.layerNotFound(name, suggestion: nil, offers: newest.layerNames)
                throw ServiceError(.wms(error), url: url)
            }
            layers.append(layer)
        }
        guard options.layers.isEmpty else { return }
        let named = newest.allLayers.filter { $0.name != nil }
        let leaves = named.filter(\.children.isEmpty)
        let all = leaves.isEmpty ? named : leaves
        let unlimited = all.filter { $0.minScaleDenominator == nil && $0.maxScaleDenominator == nil }
        let limited = all.filter { $0.minScaleDenominator != nil || $0.maxScaleDenominator != nil }
        layers = Array((unlimited + limited).prefix(max(options.maximumLayerCount, 0)))
    }

    /// The template of map requests for a layer, or the reason for its absence.
    func template(
        of layer: WMSCapabilities.Layer, version: WMSCapabilities.Version, crsName: String? = nil, format: String? = nil
    ) -> Result<WMSMapTemplate, WMSNegotiationError> {
        guard let document = documents[version] else { return .failure(.noLayers(offers: [])) }
        let options = WMSOptions(
            layers: [layer.name ?? ""], version: version, crsName: crsName, format: format)
        return Result { () throws(WMSNegotiationError) in
            try WMSNegotiation.template(for: options, of: document, baseURL: base, mapCRS: .webMercator)
        }
    }

    /// Adds a section if it has contents.
    mutating func add(_ title: String, _ list: FindingList, passed: [String], skipped: [String] = []) {
        guard !(list.findings.isEmpty && passed.isEmpty && skipped.isEmpty) else { return }
        var section = ServiceDiagnosis.Section(title)
        section.passed = passed
        section.findings = list.gravestFirst
        section.skipped = skipped
        sections.append(section)
    }
}
