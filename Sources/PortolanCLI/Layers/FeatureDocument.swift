import Portolan
import PortolanWeb

/// Features as they come in a file, or the advice for what is none.
enum FeatureDocument {
    /// The features in a document.
    static func features(in bytes: [UInt8], from source: String) throws(CommandFailure) -> FeatureCollection {
        try refuseArchive(bytes, source)
        if let sentence = SourceAdvice.sentence(about: bytes, from: source) { throw CommandFailure(.badData, sentence) }
        let kind = AnswerKind(recognizing: bytes)
        if kind == .image {
            throw CommandFailure(
                .badData, "'\(source)' is an image, not features; images are drawn as tiles and from services alone")
        }
        if let kind, ![.geoJSON, .features, .json, .page].contains(kind),
            let advice = SourceAdvice.advice(for: kind, at: source, wanted: .features)
        {
            throw CommandFailure(.usage, "'\(source)' \(kind.words), not with features; \(advice)")
        }
        if ContentKind(recognizing: bytes)?.isMarkup == true { throw notGeoJSON(source) }
        do throws(GeoJSONError) { return try GeoJSONReader.read(bytes: bytes) } catch {
            var advice = error.code == .missingMember ? "; a map document is given without -l" : ""
            // Not even the beginning of JSON.
            if kind == nil, error.byteOffset == 0, !bytes.isEmpty {
                advice = "; " + SourceAdvice.conversion(of: source)
            }
            throw CommandFailure(.badData, "\(source): \(error)\(advice)")
        }
    }

    /// The failure of features in a format that is not read.
    static func notGeoJSON(_ source: String) -> CommandFailure {
        .notSupportedYet(
            "'\(source)': a vector format other than GeoJSON", instead: SourceAdvice.conversion(of: source))
    }

    /// Throws when a file begins as an SQLite file does.
    static func refuseArchive(_ bytes: [UInt8], _ source: String) throws(CommandFailure) {
        guard ContentKind(recognizing: bytes) == .sqlite else { return }
        throw CommandFailure(
            .usage,
            "layer '\(source)': this is an SQLite file; write mbtiles:\(source), or gpkg:\(source) for a GeoPackage")
    }
}
