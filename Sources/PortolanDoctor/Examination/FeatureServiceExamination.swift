import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

/// The examination of a feature service: a WFS or an OGC API.
enum FeatureServiceExamination {
    /// The conformance class required for features.
    private static let coreClass = "ogcapi-features-1/1.0/conf/core"

    /// A feature type and its requests.
    struct Offer: Sendable {
        let name: String
        let crsNames: [String]
        let geographicBox: BoundingBox?
        /// The request in a coordinate system, by its name, or in the best one.
        let request: @Sendable (_ crsName: String?, _ axisOrder: WMSOptions.AxisOrderPolicy) throws -> FeatureRequest
    }

    /// Examines a WFS; `nil` if the URL is not one.
    static func wfs(
        _ address: String, _ options: ServiceDoctor.Options, _ probe: ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis? {
        var probe = probe
        let asked = NamedURL(address, namedBy: .user)
        let url = WFSCapabilitiesRequest(baseURL: asked).address
        guard case .success(let response)? = try await probe.answer(at: url),
            let offered = try? WFSCapabilitiesReader.read(
                response.body, contentType: response.header("Content-Type"))
        else { return nil }
        let base = probe.base(of: response, askedFor: asked)
        var opening = ServiceDiagnosis.Section("Capabilities"), list = FindingList()
        for warning in offered.warnings {
            list.add(
                .deviation, .documentOdd, "document", warning.description,
                remedy: "write the document by the schema of its version")
        }
        if offered.operation(named: "GetFeature")?.getURL == nil {
            list.add(
                .fault, .operationMissing, "GetFeature", "no URL for GET",
                remedy: "add one; clients have to guess it")
        }
        if offered.version < .v2_0_0 || offered.hasPaging == false {
            let count = offered.defaultCount.map { " of \($0)" } ?? ""
            list.add(
                .note, .pagesMissing, "GetFeature",
                "no paging: features beyond the service's limit\(count) cannot be requested",
                remedy: "serve version 2.0.0 with ImplementsResultPaging (OGC 09-025r2 7.7.4.4)")
        }
        let offers = offered.featureTypes.map { type in
            Offer(name: type.name, crsNames: type.crsNames, geographicBox: type.geographicBox) { crsName, axisOrder in
                var options = WFSOptions(typeName: type.name)
                options.crsName = crsName
                options.axisOrder = axisOrder
                return .wfs(try WFSNegotiation.request(for: options, of: offered, document: base))
            }
        }
        let chosen = try choose(of: offers, options, at: address) { name, names in
            .wfs(.typeNotFound(name, suggestion: nil, offers: names))
        }
        opening.findings = list.gravestFirst
        let sections = try await sections(of: offers, chosen, opening, &probe)
        return ServiceDiagnosis(
            kind: .wfs, url: FetchError.redacted(address), title: offered.title, versions: [offered.versionText],
            sections: sections, requestCount: probe.count, isCutShort: probe.isCutShort)
    }

    /// Examines an OGC API; `nil` if the URL is not one.
    static func ogcAPI(
        _ address: String, _ options: ServiceDoctor.Options, _ probe: ServiceProbe
    ) async throws(ServiceError) -> ServiceDiagnosis? {
        var probe = probe
        guard let first = try await document(at: NamedURL(address, namedBy: .user), &probe) else { return nil }
        var opening = ServiceDiagnosis.Section("Documents"), list = FindingList(), title = ""
        var collections: [OGCAPICollection] = [], base = first.base
        switch first.document {
        case .conformance: return nil
        case .collection(let one): collections = [one]
        case .collections(let all, let warnings):
            collections = all
            note(warnings, into: &list)
        case .landing(let landing):
            title = landing.title
            let place = APILocation(first.base)
            guard let url = place.address(of: landing.links, leadingTo: "data"),
                let found = try await document(at: url, &probe),
                case .collections(let all, let warnings) = found.document
            else {
                list.add(
                    .fault, .documentUnreadable, "collections", "the landing page has no link to the collections",
                    remedy: "link it with rel=data (OGC 17-069r4 7.2.4)")
                break
            }
            (collections, base) = (all, found.base)
            note(warnings, into: &list)
            if let url = place.address(of: landing.links, leadingTo: "conformance"),
                let found = try await document(at: url, &probe), case .conformance(let classes) = found.document,
                classes.contains(where: { $0.hasSuffix(coreClass) })
            {
                opening.passed.append("it declares conformance to OGC API - Features")
            } else {
                list.add(
                    .deviation, .conformanceMissing, "conformance",
                    "conformance to OGC API - Features, Core, is not declared",
                    remedy: "list .../\(coreClass) under /conformance (OGC 17-069r4 7.4)")
            }
        }
        let document = base
        let offers = collections.map { collection in
            Offer(
                name: collection.identifier, crsNames: collection.crsNames, geographicBox: collection.geographicBox
            ) { crsName, axisOrder in
                .ogcAPI(
                    try OGCAPIItemsRequest(
                        collection, crsName: crsName, axisOrder: axisOrder, document: document))
            }
        }
        let chosen = try choose(of: offers, options, at: address) { name, names in
            .ogcAPI(.collectionNotFound(name, suggestion: nil, offers: names))
        }
        opening.findings = list.gravestFirst
        let sections = try await sections(of: offers, chosen, opening, &probe)
        return ServiceDiagnosis(
            kind: .ogcAPI, url: FetchError.redacted(address), title: title, versions: ["1.0"], sections: sections,
            requestCount: probe.count, isCutShort: probe.isCutShort)
    }

    private static func note(_ warnings: [MapWarning], into list: inout FindingList) {
        for warning in warnings {
            list.add(
                .deviation, .documentOdd, "collections", warning.description,
                remedy: "write the document by the OGC API - Features schema")
        }
    }

    private static func document(
        at url: NamedURL, _ probe: inout ServiceProbe
    ) async throws(ServiceError) -> (document: OGCAPIDocument, base: BaseURL)? {
        guard case .success(let response)? = try await probe.answer(at: url),
            let document = try? OGCAPIReader.read(response.body)
        else { return nil }
        return (document, probe.base(of: response, askedFor: url))
    }

    /// The named types, or the first few.
    private static func choose(
        of offers: [Offer], _ options: ServiceDoctor.Options, at address: String,
        missing: (String, [String]) -> ServiceError.Cause
    ) throws(ServiceError) -> [Offer] {
        guard !options.layers.isEmpty else { return Array(offers.prefix(max(options.maximumLayerCount, 0))) }
        var chosen: [Offer] = []
        for name in options.layers {
            guard let offer = offers.first(where: { $0.name == name }) else {
                throw ServiceError(missing(name, offers.map(\.name)), url: address)
            }
            chosen.append(offer)
        }
        return chosen
    }

    private static func sections(
        of offers: [Offer], _ chosen: [Offer], _ opening: ServiceDiagnosis.Section, _ probe: inout ServiceProbe
    ) async throws(ServiceError) -> [ServiceDiagnosis.Section] {
        var opening = opening
        var check = FeatureOfferCheck(probe: probe)
        if offers.isEmpty {
            check.list.add(
                .fault, .layersMissing, "document", "it lists no features",
                remedy: "list each feature type with its name")
        } else {
            opening.passed.append("\(offers.count) feature types offered")
        }
        for offer in chosen { try await check.run(offer) }
        probe = check.probe
        var section = ServiceDiagnosis.Section("Features")
        section.passed = check.passed
        section.findings = check.list.gravestFirst
        if probe.isCutShort { section.skipped.append("some features: request limit reached") }
        return [opening, section]
    }
}
