import PortolanFeatures
public import PortolanFormats
package import PortolanGeo
import PortolanServices
import PortolanWeb

/// Reads responses to feature info requests of WMS and WMTS.
///
/// The format is recognized by the first bytes. Servers and proxies declare exceptions as `text/plain` with status 200,
/// and JSON as any type.
package enum FeatureInfoReader {
    /// The maximum size of a response, in bytes.
    package static let byteLimit = 16 << 20

    /// Reads a response body.
    ///
    /// - Parameters:
    ///   - status: the HTTP status of the response.
    ///   - wantsHTML: whether HTML was requested. Otherwise an HTML page is an error.
    ///   - crs: the CRS of GML geometries that name none, x first.
    /// - Complexity: linear in the length of the body.
    package static func read(
        _ body: [UInt8], status: Int = 200, contentType: String? = nil, wantsHTML: Bool = false, crs: CRS? = nil
    ) throws(ServiceError.Cause) -> ServiceClient.FeatureInfo {
        guard body.count <= byteLimit else { throw .answer("the response exceeds \(byteLimit >> 20) MiB") }
        let isSuccess = (200..<300).contains(status)
        guard let first = body.first(where: { $0 > 0x20 && $0 < 0x80 }) else {
            guard isSuccess else { throw .status(status) }
            return .features([])
        }
        guard let exception = ServiceExceptionReader.read(body, contentType: contentType) else {
            throw .answer("the response is an image; request another format")
        }
        switch exception.shape {
        case .serviceExceptionReport, .wmtException, .owsExceptionReport:
            throw .exception(exception, status: status)
        case .html:
            guard isSuccess, wantsHTML else { throw .exception(exception, status: status) }
            return page(ReadableText.decode(body))
        case .xml, .text:
            guard isSuccess else { throw .exception(exception, status: status) }
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            if let features = features(inJSON: body, crs: crs) { return .features(features) }
            if let exception = trailingException(in: body) { throw .exception(exception, status: status) }
        }
        if first == UInt8(ascii: "<"), let features = FeatureInfoXMLReader.read(body, crs: crs) {
            return .features(features)
        }
        let text = ReadableText.decode(body)
        // A template may be an HTML fragment.
        if first == UInt8(ascii: "<"), wantsHTML { return page(text) }
        guard !text.unicodeScalars.contains(where: { $0.value == 0 }) else { throw .answer(exception.text) }
        return NothingFound.isSaid(by: text) ? .features([]) : .text(text)
    }

    /// Returns the exception at the end of a truncated response, or `nil`.
    private static func trailingException(in body: [UInt8]) -> ServiceException? {
        let mark = Array("<ServiceException".utf8), tail = body.suffix(100_000)
        guard let place = tail.firstRange(of: mark)?.lowerBound,
            let exception = ServiceExceptionReader.read(Array(tail[place...])),
            exception.shape == .serviceExceptionReport
        else { return nil }
        return exception
    }

    private static func page(_ source: String) -> ServiceClient.FeatureInfo {
        let words = MarkupText(source).body.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty || NothingFound.isSaid(by: words) ? .features([]) : .html(text: words, source: source)
    }

    /// Returns the features of a GeoJSON document in degrees, or `nil` if the body is not GeoJSON.
    ///
    /// Servers omit the member `crs` and answer in the CRS of the map or with latitude first. The first interpretation
    /// that makes all coordinates valid degrees is used. If none exists, features have no geometry.
    private static func features(inJSON body: [UInt8], crs: CRS?) -> [IdentifiedFeature]? {
        let limits = FeatureLimits(
            maximumByteCount: byteLimit, maximumDepth: 64, maximumFeatureCount: 100_000,
            maximumCoordinateCount: 2_000_000)
        guard let collection = try? GeoJSONReader.read(body, limits: limits) else { return nil }
        let geometries =
            self.geometries(of: collection, in: collection.effectiveCRS)
            ?? crs.flatMap { self.geometries(of: collection, in: $0) }
            ?? self.geometries(of: collection, in: .crs84, isNorthFirst: true)
        let layer = collection.foreignMembers["name"]?.stringValue
        return collection.features.enumerated().map { index, feature in
            var feature = feature
            feature.geometry = geometries?[index]
            return IdentifiedFeature(layer: layer ?? feature.id.flatMap(Self.layer), feature: feature)
        }
    }

    /// Returns the geometries of all features in degrees, or `nil` if one cannot be transformed.
    private static func geometries(
        of collection: FeatureCollection, in crs: CRS, isNorthFirst: Bool = false
    ) -> [Geometry?]? {
        guard let transform = try? CoordinateTransform(from: crs, to: .crs84) else { return nil }
        var geometries: [Geometry?] = []
        for feature in collection.features {
            let written =
                isNorthFirst ? feature.geometry?.mapCoordinates { Coordinate(x: $0.y, y: $0.x) } : feature.geometry
            let geometry = written?.transformed(by: transform)
            guard geometry?.isInDegrees != false else { return nil }
            geometries.append(geometry)
        }
        return geometries
    }

    /// Returns the layer name in an identifier such as `roads.17`, which GeoServer writes.
    private static func layer(of id: Feature.ID) -> String? {
        guard case .string(let text) = id, let dot = text.lastIndex(of: "."), dot > text.startIndex,
            text.index(after: dot) < text.endIndex
        else { return nil }
        return String(text[..<dot])
    }
}

extension Geometry {
    /// Returns the geometry in another CRS, rounded to 1e-9 units, or `nil` if a coordinate cannot be transformed.
    func transformed(by transform: CoordinateTransform) -> Geometry? {
        if transform.isIdentity { return self }
        func rounded(_ value: Double) -> Double { (value * 1e9).rounded() / 1e9 }
        return mapWholeCoordinates { coordinate in
            transform(coordinate).map { Coordinate(x: rounded($0.x), y: rounded($0.y)) }
        }
    }
}

extension ServiceClient {
    /// The result of a feature info request: features or text of the service.
    public enum FeatureInfo: Hashable, Sendable {
        /// The features, the topmost first; empty if nothing was found.
        case features([IdentifiedFeature])
        /// Plain text of the service.
        case text(String)
        /// An HTML page: its text in one line, and its source.
        ///
        /// The source is untrusted and may contain scripts.
        case html(text: String, source: String)

        /// Whether nothing was found.
        public var isEmpty: Bool {
            switch self {
            case .features(let features): features.isEmpty
            case .text, .html: false
            }
        }
    }
}
