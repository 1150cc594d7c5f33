import Portolan
import PortolanFormats

/// The features at a point, as printed by `portolan identify`.
struct IdentifyDocument: Encodable, Sendable {
    /// The point.
    struct Place: Encodable {
        /// In view pixels.
        var pixel: [Double]
        /// In units of the map's CRS, x east.
        var coordinate: [Double]
        var crs: String
        /// In degrees, if known.
        var lonlat: [Double]?
    }

    /// A feature, similar to GeoJSON.
    struct FoundFeature: Encodable {
        var id: JSONValue?
        /// The service layer of the feature.
        var layer: String?
        var geometry: JSONValue?
        var properties: JSONValue
    }

    /// The result of one layer.
    struct Answer: Encodable {
        var layer: String
        var kind: String
        /// `false` if the layer cannot be queried.
        var queryable: Bool?
        var features: [FoundFeature]?
        var text: String?
        var html: String?
        var error: String?

        /// Whether the layer has responded.
        var isAnswered: Bool { features != nil || text != nil }
    }

    var at: Place
    var answers: [Answer]
    var warnings: [String]

    init(
        _ found: [LayerIdentification], missing: [RenderReport.Layer], at pixel: Point, in viewport: Viewport,
        warnings: [String]
    ) {
        let coordinate = viewport.coordinate(at: pixel)
        let degrees = (try? CoordinateTransform(from: viewport.crs, to: .crs84)).flatMap { $0(coordinate) }
        at = Place(
            pixel: [pixel.x, pixel.y], coordinate: [coordinate.x, coordinate.y], crs: viewport.crs.name,
            lonlat: degrees.map { [Self.rounded($0.x), Self.rounded($0.y)] })
        answers = found.map(Answer.init)
        answers += missing.map {
            Answer(layer: $0.name, kind: $0.kind, error: $0.failed.first?.error ?? "no data received")
        }
        self.warnings = warnings
    }

    /// Nine decimals of a degree: a tenth of a millimetre.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
}

extension IdentifyDocument.Answer {
    init(_ found: LayerIdentification) {
        self.init(layer: found.layer, kind: found.kind)
        switch found.outcome {
        case .answer(.features(let features)): self.features = features.map(IdentifyDocument.FoundFeature.init)
        case .answer(.text(let text)): self.text = text
        case .answer(.html(let text, let source)):
            self.text = text
            html = source
        case .notQueryable: queryable = false
        case .failure(let error): self.error = error.sentence
        }
    }
}

extension IdentifyDocument.FoundFeature {
    init(_ found: IdentifiedFeature) {
        let feature = found.feature
        self.init(
            id: feature.identifier.map { JSONValue($0.propertyValue) }, layer: found.layer,
            geometry: feature.geometry.map(JSONValue.init), properties: JSONValue(.object(feature.properties)))
    }
}
