import PortolanPlan
import PortolanServices

extension LayerKind {
    /// The maximum value of `limit`.
    private static let largestLimit = 1_000_000

    /// The features of a WFS.
    public static let wfs = LayerKind(
        "wfs", source: .featureService,
        keys: ["layers", "version", "crs", "format", "limit", "axis", "url-policy"] + joinKeys + appearanceKeys,
        help: """
            wfs:URL  Features of a WFS.
            """,
        check: { (specification) throws(MapError) in _ = try wfsOptions(specification) },
        make: { (specification, name, builder) async throws(MapError) in
            let options = try wfsOptions(specification)
            var (appearance, notes) = (ServiceClient.FeatureAppearance(), [MapWarning]())
            try await read(&appearance, specification, builder, &notes)
            let (look, url) = (appearance, specification.source)
            let made = try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectWFS(
                    named: name, url: url, options: options, appearance: look)
            }
            return (made.layer, notes + made.warnings)
        })

    /// The features of an OGC API.
    public static let ogcAPI = LayerKind(
        "oaf", source: .featureService, keys: ["layers", "crs", "limit", "axis"] + joinKeys + appearanceKeys,
        help: """
            oaf:URL  Features of an OGC API - Features.
            """,
        check: { (specification) throws(MapError) in
            _ = try oneLayer(specification)
            _ = try specification.axisOrder()
        },
        make: { (specification, name, builder) async throws(MapError) in
            var choice = ServiceClient.CollectionOptions(collection: try oneLayer(specification))
            choice.crsName = specification["crs"]
            choice.axisOrder = try specification.axisOrder()
            var (appearance, notes) = (ServiceClient.FeatureAppearance(), [MapWarning]())
            try await read(&appearance, specification, builder, &notes)
            let (wanted, look, url) = (choice, appearance, specification.source)
            let made = try await specification.asking { () throws(ServiceError) in
                try await builder.client(for: specification).connectOGCAPI(
                    named: name, url: url, options: wanted, appearance: look)
            }
            return (made.layer, notes + made.warnings)
        })

    /// Returns the appearance of the features of a service or a database by the keys of a layer.
    package static func featureAppearance(
        of specification: LayerSpecification, _ builder: LayerBuilder, _ notes: inout [MapWarning]
    ) async throws(MapError) -> ServiceClient.FeatureAppearance {
        var appearance = ServiceClient.FeatureAppearance()
        try await read(&appearance, specification, builder, &notes)
        return appearance
    }

    private static func read(
        _ appearance: inout ServiceClient.FeatureAppearance, _ specification: LayerSpecification,
        _ builder: LayerBuilder, _ notes: inout [MapWarning]
    ) async throws(MapError) {
        if let limit = try specification.integer("limit", in: 1...largestLimit) { appearance.limit = limit }
        appearance.join = try await builder.join(of: specification, &notes)
        if let theme = try ThematicKeys(specification) {
            appearance.sheet = try theme.sheet(
                ThematicValues(appearance.join), color: builder.layerColor, &notes)
            return
        }
        appearance.style = try style(specification, color: builder.layerColor, &notes)
        let style = try await StyleReference.read(specification, builder, &notes)
        appearance.sheet = style?.sheet
        appearance.sheetBaseURL = style?.base
    }

    /// Returns the name of the feature type; a layer has only one, as it has one style.
    private static func oneLayer(_ specification: LayerSpecification) throws(MapError) -> String {
        guard let layers = specification.list("layers"), let first = layers.first, !first.isEmpty else {
            throw specification.error(.missingKey("layers", of: .layers))
        }
        guard layers.count == 1 else {
            throw specification.invalid(
                "layers", "has several names; add one layer for each, with its own style")
        }
        return first
    }

    private static func wfsOptions(_ specification: LayerSpecification) throws(MapError) -> WFSOptions {
        var options = WFSOptions(typeName: try oneLayer(specification))
        options.version = try specification.choice("version", of: WFSVersion.allCases)
        options.crsName = specification["crs"]
        options.outputFormat = specification["format"]
        options.axisOrder = try specification.axisOrder()
        options.urlPolicy = try specification.urlPolicy() ?? options.urlPolicy
        return options
    }
}
