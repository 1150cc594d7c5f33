import Foundation
import Portolan
import PortolanWeb

extension LayerBuilder {
    /// A layer of the features of a file, a URL or standard input.
    func featureLayer(
        _ specification: LayerSpecification, named name: String
    ) async throws -> (layer: MapLayer, warnings: [String]) {
        let url = FileAddress.url(of: specification.source)
        // Files of tiles may be too large to be read whole.
        if Self.isFile(specification.source), let file = FileHandle(forReadingAtPath: specification.source),
            let start = try? file.read(upToCount: 16)
        {
            try Self.refuseArchive([UInt8](start), specification.source)
        }
        let bytes =
            specification.source == "-"
            ? standardInput ?? []
            : try await client.naming(url, wanted: .geoJSON) { () throws(ServiceError) in
                try await client.data(at: url)
            }
        let collection: FeatureCollection
        do { collection = try Self.features(in: bytes, from: specification.source) } catch {
            if specification.source != "-" { await client.forget(url) }
            throw error
        }
        var keys = Properties()
        for key in LayerSpecification.styleKeys { keys[key] = specification[key].map { .string($0) } }
        var warnings: [FeatureWarning] = []
        var style = SimpleStyleReader.read(keys, feature: nil, warnings: &warnings)
        // In a file a value that cannot be read is passed over; here it can be mended at once.
        for warning in warnings {
            guard let key = warning.key, let expected = warning.expected else { continue }
            throw specification.bad(key, "is not \(expected)")
        }
        style.label = specification["label"].map { "${\($0)}" }
        try Self.readLabelBox(specification, &style)
        if style.label != nil, style.labelBackgroundColor == nil {
            style.labelOutlineColor = .white
            style.labelOutlineWidth = 2
        }
        let attribution = collection.foreignMembers["attribution"]?.stringValue
        var crs = collection.effectiveCRS
        if let text = specification["crs"] {
            do { crs = try CRS(text) } catch { throw specification.bad("crs", "is none: \(error)") }
        }
        var notes = (collection.warnings + warnings).map(\.description)
        if crs.isGeographic, let box = collection.boundingBox, max(abs(box.minY), abs(box.maxY)) > 90 {
            notes.append("its coordinates are no degrees; name their CRS with ';crs=EPSG:…'")
        }
        if let property = specification["label"],
            let warning = Self.labelWarning(property, in: collection.features)
        {
            notes.append(warning)
        }
        let source = FeatureSource(features: collection.features, crs: crs, baseURL: url, style: style)
        return (MapLayer(name: name, source: source, attribution: attribution), notes)
    }

    /// How another program makes GeoJSON of a file.
    static func conversion(of source: String) -> String {
        "convert it first, as with ogr2ogr -f GeoJSON -t_srs EPSG:4326 out.geojson \(source == "-" ? "FILE" : source)"
    }

    private static func refuseArchive(_ bytes: [UInt8], _ source: String) throws(CommandFailure) {
        guard ContentKind(recognizing: bytes) == .sqlite else { return }
        throw CommandFailure(
            .usage,
            "layer '\(source)': this is an SQLite file; write mbtiles:\(source), or gpkg:\(source) for a GeoPackage")
    }

    /// The features in a document.
    static func features(in bytes: [UInt8], from source: String) throws(CommandFailure) -> FeatureCollection {
        try refuseArchive(bytes, source)
        if let words = ForeignFile.words(of: bytes, source: source) { throw CommandFailure(.badData, words) }
        let kind = AnswerKind(recognizing: bytes)
        if kind == .image {
            throw CommandFailure(
                .badData, "'\(source)' is an image, not features; images are drawn as tiles and from services alone")
        }
        if let kind, ![.geoJSON, .features, .json, .page].contains(kind),
            let advice = Self.advice(for: kind, at: source, wanted: .features)
        {
            throw CommandFailure(.usage, "'\(source)' \(kind.words), not with features; \(advice)")
        }
        if ContentKind(recognizing: bytes)?.isMarkup == true {
            throw .notSupportedYet("'\(source)': a vector format other than GeoJSON", instead: conversion(of: source))
        }
        do { return try GeoJSONReader.read(bytes: bytes) } catch {
            var advice = error.code == .missingMember ? "; a map document is given without -l" : ""
            // Not even the beginning of JSON.
            if kind == nil, error.byteOffset == 0, !bytes.isEmpty { advice = "; " + conversion(of: source) }
            throw CommandFailure(.badData, "\(source): \(error)\(advice)")
        }
    }
}
