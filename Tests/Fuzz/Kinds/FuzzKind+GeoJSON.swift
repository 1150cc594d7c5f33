import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb

extension FuzzKind {
    /// Features in GeoJSON.
    static let geoJSON = FuzzKind(
        name: "geojson", grammar: .json, corpus: ["Tests/Fuzz/Corpus/geojson/*", "Fixtures/routes/*.geojson"],
        read: readGeoJSON)

    private static func readGeoJSON(_ bytes: [UInt8]) throws -> Outcome {
        let collection: FeatureCollection
        let byThree = Result { try GeoJSONReader.read(bytes, threads: 3, runLength: 32) }
        do { collection = try GeoJSONReader.read(bytes) } catch {
            guard case .failure(let other as GeoJSONError) = byThree, other == error else {
                throw Violation("several threads do not read \(error)")
            }
            return try refused(error, of: bytes)
        }
        guard case .success(let other) = byThree, other == collection else {
            throw Violation("several threads read something else")
        }
        return try check(collection, of: bytes)
    }

    /// Features in sequences of GeoJSON, and whatever is recognised as such.
    static let geoJSONSequence = FuzzKind(
        name: "geojson-sequence", grammar: .json, corpus: ["Tests/Fuzz/Corpus/geojson-sequence/*"],
        read: { bytes in
            let collection: FeatureCollection
            do { collection = try FeatureFormats.standard.read(bytes) } catch let error as GeoJSONError {
                return try refused(error, of: bytes)
            } catch let error as FeatureFileError { return try refused(error.description) }
            return try check(collection, of: bytes)
        })

    private static func refused(_ error: GeoJSONError, of bytes: [UInt8]) throws -> Outcome {
        guard (0...bytes.count).contains(error.byteOffset), error.line > 0 else {
            throw Violation("an error at no place: \(error)")
        }
        return try refused(error.description)
    }

    private static func check(_ collection: FeatureCollection, of bytes: [UInt8]) throws -> Outcome {
        guard collection.warnings.allSatisfy({ (0...bytes.count).contains($0.place?.byteOffset ?? 0) }) else {
            throw Violation("a warning at no place")
        }
        for warning in collection.warnings { _ = try refused(warning.description) }
        let box = collection.boundingBox
        if let box, ![box.minX, box.minY, box.maxX, box.maxY].allSatisfy(\.isFinite) {
            throw Violation("a bounding box that is not finite")
        }
        // What is written may differ from what was read, by the direction of rings; written again, it must not.
        let written = GeoJSONWriter.write(collection)
        do {
            let again = try GeoJSONReader.read(written)
            guard again.features.count == collection.features.count else { throw Violation("features were lost") }
            guard GeoJSONWriter.write(again) == written else { throw Violation("written twice, it differs") }
        } catch let error as GeoJSONError {
            throw Violation("what was written cannot be read: \(error)")
        } catch let violation as Violation { throw violation } catch { throw Violation("\(error)") }
        return .value(
            "\(magnitude(collection.features.count)) \(magnitude(collection.warnings.count)) \(box == nil) "
                + "\(collection.effectiveCRS)")
    }
}
