import Portolan
import PortolanFeatures

extension FuzzKind {
    /// Answers to GetFeatureInfo: GML, GeoJSON, pages, words and exceptions.
    static let featureInfo = FuzzKind(
        name: "feature-info", grammar: .xml,
        corpus: [
            "Tests/PortolanServicesTests/Fixtures/mapproxy/info-*",
            "Tests/PortolanServicesTests/Fixtures/mapserver/info-*",
            "Tests/Fuzz/Corpus/feature-info/*",
        ], read: readFeatureInfo)

    private static func readFeatureInfo(_ bytes: [UInt8]) throws -> Outcome {
        let wantsHTML = bytes.count.isMultiple(of: 2)
        do {
            switch try FeatureInfoReader.read(bytes, wantsHTML: wantsHTML, crs: .webMercator) {
            case .features(let found):
                let features = found.map(\.feature)
                let box = FeatureCollection(features: features).boundingBox
                if let box, ![box.minX, box.minY, box.maxX, box.maxY].allSatisfy(\.isFinite) {
                    throw Violation("a bounding box that is not finite")
                }
                let written = GeoJSONWriter.write(FeatureCollection(features: features))
                do {
                    let again = try GeoJSONReader.read(written, limits: FeatureLimits(maximumDepth: 128))
                    guard again.features.count == features.count else { throw Violation("features were lost") }
                } catch let error as GeoJSONError { throw Violation("what was written cannot be read: \(error)") }
                let shapes = Set(features.map { $0.geometry.map { "\($0)".prefix { $0 != "(" } } ?? "none" }).sorted()
                let properties = features.map(\.properties.count).max() ?? 0
                return .value("\(magnitude(features.count)) \(shapes.prefix(4)) \(magnitude(properties))")
            case .text(let text): return .value("text \(magnitude(text.utf8.count))")
            case .html(let text, _): return .value("page \(magnitude(text.utf8.count))")
            }
        } catch let failure as ServiceError.Cause { return try refused(failure.description) }
    }
}
