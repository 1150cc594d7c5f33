import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb

extension FuzzKind {
    /// Way points, routes and tracks.
    static let gpx = FuzzKind(name: "gpx", grammar: .xml, corpus: ["Tests/Fuzz/Corpus/gpx/*"], read: readGPX)

    private static func readGPX(_ bytes: [UInt8]) throws -> Outcome {
        let collection: FeatureCollection
        do { collection = try GPXFormat().read(bytes, limits: FeatureLimits()) } catch let error as FeatureFileError {
            return try refused(error.description)
        }
        for warning in collection.warnings { _ = try refused(warning.description) }
        if let box = collection.boundingBox, abs(box.minX) > 1260 || abs(box.maxX) > 1260 || abs(box.maxY) > 90 {
            throw Violation("a place that is nowhere")
        }
        guard let written = GPXFormat().write(collection) else { throw Violation("it cannot be written") }
        // A named point of a route is a way point once it is written, so that the second time nothing changes.
        do {
            let again = try GPXFormat().read(written, limits: FeatureLimits())
            guard again.features.count >= collection.features.count else { throw Violation("features were lost") }
            guard GPXFormat().write(again) == written else { throw Violation("written twice, it differs") }
        } catch let error as FeatureFileError { throw Violation("what was written cannot be read: \(error)") }
        return .value("\(magnitude(collection.features.count)) \(magnitude(collection.warnings.count))")
    }
}
