public import PortolanPlan

/// The report of a render: the view, the sources of its resources, and missing resources.
///
/// ```swift
/// let result = try await map.refresh()
/// for layer in result.report.layers where !layer.failed.isEmpty {
///     print("\(layer.name): \(layer.failed.count) of \(layer.requested) missing")
/// }
/// ```
///
/// Its JSON, by `Codable`, is the format of `portolan render --report`.
public struct RenderReport: Hashable, Sendable, Codable {
    /// Whether nothing is missing: no resource, no style layer or part of one, no requested legend, and no content that
    /// a warning reports as omitted.
    public internal(set) var complete: Bool
    /// The view.
    public internal(set) var view: View
    /// The layers, the lowest first.
    public internal(set) var layers: [Layer]
    /// The durations of the steps.
    public internal(set) var milliseconds: Milliseconds
    /// Additional warnings.
    ///
    /// In JSON, `warnings` has their texts, and `warningDetails` their codes and layers in the same order.
    public internal(set) var warnings: [MapWarning]

    /// The rendered view.
    public struct View: Hashable, Sendable, Codable {
        /// The name of the map's CRS.
        public let crs: String
        /// minX, minY, maxX, maxY in units of the CRS, x east.
        public let extent: [Double]
        /// Units of the CRS per view pixel.
        public let resolution: Double
        /// The zoom level with its fraction.
        public let zoom: Double
        /// The bearing at the top, in degrees.
        public let rotation: Double
        /// Width and height in view pixels.
        public let size: [Int]
        /// Picture pixels per view pixel.
        public let pixelRatio: Double
    }

    /// The outcome of one layer.
    public struct Layer: Hashable, Sendable, Codable {
        /// The layer's name.
        public let name: String
        /// The kind of the layer, such as `wms`, `wmts`, `xyz` or `features`.
        public let kind: String
        /// The number of resources that the view needed.
        public internal(set) var requested: Int
        /// The number of transferred resources.
        public internal(set) var fetched: Int
        /// The number of resources from memory or disk, including those that the server confirmed as unchanged.
        public internal(set) var cached: Int
        /// The number of stale resources that were shown.
        public internal(set) var stale: Int
        /// The number of available tiles that the source reports as empty.
        public var empty: Int { emptyCount ?? 0 }
        /// The number of empty tiles, or `nil` for none, so that the JSON omits it.
        var emptyCount: Int?
        /// The missing resources.
        public internal(set) var failed: [Failure]
        /// The attribution, or `nil`.
        public let attribution: String?
        /// The labels that are not drawn, or `nil` if all are drawn.
        public internal(set) var droppedLabels: RenderReport.DroppedLabels?

        private enum CodingKeys: String, CodingKey {
            case name, kind, requested, fetched, cached, stale
            case emptyCount = "empty"
            case failed, attribution, droppedLabels
        }

        /// Creates the report of a layer without any content.
        package init(name: String, kind: String, failure: Failure) {
            self.init(
                name: name, kind: kind, requested: 1, fetched: 0, cached: 0, stale: 0, failed: [failure],
                attribution: nil)
        }

        init(
            name: String, kind: String, requested: Int, fetched: Int, cached: Int, stale: Int, failed: [Failure],
            attribution: String?
        ) {
            self.name = name
            self.kind = kind
            self.requested = requested
            self.fetched = fetched
            self.cached = cached
            self.stale = stale
            self.failed = failed
            self.attribution = attribution
        }
    }

    /// A missing resource.
    public struct Failure: Hashable, Sendable, Codable {
        /// The kind of failure.
        public let code: ResourceError.Cause
        /// The HTTP status of the response, or `nil` without a response.
        public let status: Int?
        /// The name of the tile or extent, and its URL without secrets.
        public let resource: String
        /// The error message, with the message of the server if there is one.
        public let error: String

        /// The identity of the resource, or `nil` for a whole layer.
        ///
        /// It is not part of the JSON.
        public let id: Resource.ID?
        /// The reason why the resource is missing, or `nil` for a whole layer.
        ///
        /// It is not part of the JSON.
        public let cause: ResourceError?
        /// The style warning that caused the failure, or `nil`.
        ///
        /// It is not part of the JSON.
        package internal(set) var style: MapWarning?

        private enum CodingKeys: String, CodingKey { case code, status, resource, error }

        /// Creates the failure of a whole layer.
        package init(resource: String, code: ResourceError.Cause, status: Int? = nil, error: String) {
            self.code = code
            self.status = status
            self.resource = resource
            self.error = error
            id = nil
            cause = nil
        }

        init(id: Resource.ID, resource: String, cause: ResourceError, error: String) {
            code = cause.cause
            status = cause.status
            self.resource = resource
            self.error = error
            self.id = id
            self.cause = cause
        }

        /// Decodes a failure.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                resource: try values.decode(String.self, forKey: .resource),
                code: try values.decodeIfPresent(ResourceError.Cause.self, forKey: .code) ?? .transfer,
                status: try values.decodeIfPresent(Int.self, forKey: .status),
                error: try values.decode(String.self, forKey: .error))
        }

        /// Returns whether two failures are equal, by the members in the JSON.
        public static func == (left: Failure, right: Failure) -> Bool {
            left.code == right.code && left.status == right.status && left.resource == right.resource
                && left.error == right.error
        }

        /// Hashes the members that ``==(_:_:)`` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(code)
            hasher.combine(status)
            hasher.combine(resource)
            hasher.combine(error)
        }

        /// Whether it is a feature icon.
        package var isIcon: Bool { if case .icon? = id?.item { true } else { false } }

        /// Whether it is a legend image.
        package var isLegend: Bool { if case .legend? = id?.item { true } else { false } }
    }

    /// Wall-clock milliseconds of the steps.
    ///
    /// Decoding runs during fetching and is included in `fetch`.
    public struct Milliseconds: Hashable, Sendable, Codable {
        /// Planning of the resources.
        public internal(set) var plan = 0.0
        /// Fetching and decoding.
        public internal(set) var fetch = 0.0
        /// Decoding only, summed over all resources.
        public internal(set) var decode = 0.0
        /// Drawing.
        public internal(set) var paint = 0.0
        /// Encoding; 0 in a report of the library, where the caller encodes.
        public internal(set) var encode = 0.0
        /// The total.
        public internal(set) var total = 0.0
    }

    /// Adds layers without any content, and warnings of the caller.
    package mutating func add(_ missing: [Layer], warnings: [MapWarning]) {
        layers += missing
        // Cache problems, for example, are detected both by services and by images.
        var seen: Set<String> = []
        self.warnings = (warnings + self.warnings).filter { seen.insert($0.description).inserted }
        if !missing.isEmpty || warnings.contains(where: \.isLoss) { complete = false }
    }

    /// Adds the duration of the encoding.
    package mutating func setEncoding(_ duration: Duration) {
        milliseconds.encode = duration.milliseconds
        milliseconds.total += duration.milliseconds
    }

    /// The number of resources that the view needed, over all layers.
    public var requestedCount: Int { layers.reduce(0) { $0 + $1.requested } }

    /// Whether missing resources may become available later; unsupported style parts do not.
    package var mayBecomeWhole: Bool { layers.contains { $0.failed.contains { $0.code != .notDrawn } } }

    /// The first loss, or `nil` if the picture is complete.
    package var firstLoss: String? {
        layers.lazy.compactMap { layer in layer.failed.first.map { "layer '\(layer.name)': \($0.error)" } }.first
            ?? warnings.first(where: \.isLoss)?.description
    }

    /// The number of missing resources, over all layers.
    public var failedCount: Int { layers.reduce(0) { $0 + $1.failed.count } }
}

extension RenderReport {
    private enum CodingKeys: String, CodingKey { case complete, view, layers, milliseconds, warnings, warningDetails }

    private struct WarningDetail: Codable {
        let code: String
        let effect: MapWarning.Effect?
        let layer: String?
        let styleLayer: String?
        let feature: String?
        let member: String?
        let source: String?
        let line: Int?
        let byteOffset: Int?
        let message: String

        init(_ warning: MapWarning) {
            code = warning.code.rawValue
            effect = warning.effect
            layer = warning.subject.layer
            styleLayer = warning.subject.styleLayer
            feature = warning.subject.feature
            member = warning.subject.member
            source = warning.place?.source
            line = warning.place?.line
            byteOffset = warning.place?.byteOffset
            message = warning.message
        }

        var warning: MapWarning {
            let place = MapWarning.Place(source: source, line: line, byteOffset: byteOffset)
            return MapWarning(
                MapWarning.Code(rawValue: code),
                MapWarning.Subject(layer: layer, styleLayer: styleLayer, feature: feature, member: member),
                at: place == MapWarning.Place() ? nil : place, effect: effect ?? .note, message: message)
        }
    }

    /// Decodes a report.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        complete = try values.decode(Bool.self, forKey: .complete)
        view = try values.decode(View.self, forKey: .view)
        layers = try values.decode([Layer].self, forKey: .layers)
        milliseconds = try values.decode(Milliseconds.self, forKey: .milliseconds)
        warnings = try values.decode([WarningDetail].self, forKey: .warningDetails).map(\.warning)
    }

    /// Encodes the report in the format of `portolan render --report`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(complete, forKey: .complete)
        try values.encode(view, forKey: .view)
        try values.encode(layers, forKey: .layers)
        try values.encode(milliseconds, forKey: .milliseconds)
        try values.encode(warnings.map(\.description), forKey: .warnings)
        try values.encode(warnings.map(WarningDetail.init), forKey: .warningDetails)
    }
}
