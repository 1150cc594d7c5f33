public import PortolanPlan

/// What a picture shows, where its parts came from and what is missing of it.
///
/// Its JSON, by `Codable`, is the format of `portolan render --report`.
public struct RenderReport: Hashable, Sendable, Codable {
    /// Whether nothing is missing: no resource, no layer of a style or part of one, no legend that was asked for, and nothing
    /// that a warning says is left out.
    public internal(set) var complete: Bool
    /// What the picture shows.
    public internal(set) var view: View
    /// The layers, bottom first.
    public internal(set) var layers: [Layer]
    /// How long the steps took.
    public internal(set) var milliseconds: Milliseconds
    /// What else a person should know; in JSON a sentence each under `warnings`, and in the same order their codes and
    /// layers under `warningDetails`.
    public internal(set) var warnings: [MapWarning]

    /// The view that was drawn.
    public struct View: Hashable, Sendable, Codable {
        /// The name of the map's CRS.
        public let crs: String
        /// minX, minY, maxX, maxY in units of the CRS, x east.
        public let extent: [Double]
        /// Units of the CRS a view pixel.
        public let resolution: Double
        /// The zoom level, with its fraction.
        public let zoom: Double
        /// The bearing that points up, in degrees.
        public let rotation: Double
        /// Width and height in view pixels.
        public let size: [Int]
        /// Picture pixels a view pixel.
        public let pixelRatio: Double
    }

    /// What became of one layer.
    public struct Layer: Hashable, Sendable, Codable {
        /// The layer's name.
        public let name: String
        /// `wms`, `wmsc`, `wmts`, `tms`, `xyz` or `features`.
        public let kind: String
        /// Resources the view needed.
        public internal(set) var requested: Int
        /// Resources that were transferred.
        public internal(set) var fetched: Int
        /// Resources that were in memory or on disk already, or that the server confirmed to be as they were.
        public internal(set) var cached: Int
        /// Resources shown although they are out of date.
        public internal(set) var stale: Int
        /// Of those that were fetched, cached or out of date, the tiles of which the source says that nothing is there.
        public var empty: Int { emptyCount ?? 0 }
        /// The same, and `nil` for none, so that it stands in the JSON of layers alone that have some.
        var emptyCount: Int?
        /// Resources that are missing on the picture.
        public internal(set) var failed: [Failure]
        /// Who is to be named, or `nil`.
        public let attribution: String?
        /// The labels that are not drawn, or `nil` where all are.
        public internal(set) var droppedLabels: DroppedLabels?

        private enum CodingKeys: String, CodingKey {
            case name, kind, requested, fetched, cached, stale
            case emptyCount = "empty"
            case failed, attribution, droppedLabels
        }

        /// A layer of which nothing could be had.
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

    /// One resource that is missing.
    public struct Failure: Hashable, Sendable, Codable {
        /// The kind of failure.
        public let code: ResourceError.Cause
        /// The HTTP status of the answer, or `nil` where none came.
        public let status: Int?
        /// The tile or extent, and its URL without secrets.
        public let resource: String
        /// What went wrong; the server's own words where it sent any.
        public let error: String

        /// The identity of the resource, or `nil` for a whole layer; it is no part of the JSON.
        public let id: ResourceID?
        /// Why the resource is missing, or `nil` for a whole layer; it is no part of the JSON.
        public let cause: ResourceError?
        /// The finding about a style that it comes of, or `nil` for any other; it is no part of the JSON.
        package internal(set) var style: MapWarning?

        private enum CodingKeys: String, CodingKey { case code, status, resource, error }

        /// Makes a failure of a whole layer.
        package init(resource: String, code: ResourceError.Cause, status: Int? = nil, error: String) {
            self.code = code
            self.status = status
            self.resource = resource
            self.error = error
            id = nil
            cause = nil
        }

        init(id: ResourceID, resource: String, cause: ResourceError, error: String) {
            code = cause.cause
            status = cause.status
            self.resource = resource
            self.error = error
            self.id = id
            self.cause = cause
        }

        /// Reads a failure of a report.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                resource: try values.decode(String.self, forKey: .resource),
                code: try values.decodeIfPresent(ResourceError.Cause.self, forKey: .code) ?? .transfer,
                status: try values.decodeIfPresent(Int.self, forKey: .status),
                error: try values.decode(String.self, forKey: .error))
        }

        /// Whether two failures say the same, as their JSON does.
        public static func == (left: Failure, right: Failure) -> Bool {
            left.code == right.code && left.status == right.status && left.resource == right.resource
                && left.error == right.error
        }

        /// Hashes what ``==(_:_:)`` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(code)
            hasher.combine(status)
            hasher.combine(resource)
            hasher.combine(error)
        }

        /// Whether it is the icon of a feature.
        package var isIcon: Bool { if case .icon? = id?.item { true } else { false } }

        /// Whether it is an image in the legend.
        package var isLegend: Bool { if case .legend? = id?.item { true } else { false } }
    }

    /// Wall-clock milliseconds of the steps; decoding runs while other resources are fetched, so it is a part of `fetch`.
    public struct Milliseconds: Hashable, Sendable, Codable {
        /// Deciding what is needed.
        public internal(set) var plan = 0.0
        /// Getting and decoding it.
        public internal(set) var fetch = 0.0
        /// Decoding alone, summed over all resources.
        public internal(set) var decode = 0.0
        /// Painting.
        public internal(set) var paint = 0.0
        /// Encoding; 0 in a report of the library, which leaves that to its caller.
        public internal(set) var encode = 0.0
        /// Everything.
        public internal(set) var total = 0.0
    }

    /// Adds layers of which nothing could be had, and warnings of a caller.
    package mutating func add(_ missing: [Layer], warnings: [MapWarning]) {
        layers += missing
        // What is wrong with the cache, say, is noticed while services are asked and again while images are.
        var seen: Set<String> = []
        self.warnings = (warnings + self.warnings).filter { seen.insert($0.description).inserted }
        if !missing.isEmpty || warnings.contains(where: \.isLoss) { complete = false }
    }

    /// Says how long the encoding of the picture took.
    package mutating func setEncoding(_ duration: Duration) {
        milliseconds.encode = duration.milliseconds
        milliseconds.total += duration.milliseconds
    }

    /// How many resources the view needed, over all layers.
    public var requestedCount: Int { layers.reduce(0) { $0 + $1.requested } }

    /// Whether something is missing that may be there the next time; what a style asks for in vain stays missing.
    package var mayBecomeWhole: Bool { layers.contains { $0.failed.contains { $0.code != .notDrawn } } }

    /// What is missing first, or `nil` if the picture is complete.
    package var firstLoss: String? {
        layers.lazy.compactMap { layer in layer.failed.first.map { "layer '\(layer.name)': \($0.error)" } }.first
            ?? warnings.first(where: \.isLoss)?.description
    }

    /// How many of them are missing.
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

    /// Reads a report.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        complete = try values.decode(Bool.self, forKey: .complete)
        view = try values.decode(View.self, forKey: .view)
        layers = try values.decode([Layer].self, forKey: .layers)
        milliseconds = try values.decode(Milliseconds.self, forKey: .milliseconds)
        warnings = try values.decode([WarningDetail].self, forKey: .warningDetails).map(\.warning)
    }

    /// Writes the report as `portolan render --report` does.
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
