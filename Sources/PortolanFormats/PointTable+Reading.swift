public import PortolanFeatures

extension PointTable {
    /// Reads the points of a document.
    ///
    /// GeoJSON and GeoJSON sequences are read directly into the columns.
    ///
    /// - Throws: the error of the format.
    /// - Complexity: O(bytes).
    public static func reading(
        _ document: [UInt8], formats: FeatureFormats = .standard, limits: FeatureLimits = FeatureLimits()
    ) throws -> PointTable {
        switch formats.format(recognizing: document) {
        case is GeoJSONFormat: try readingGeoJSON(document, separatedBy: nil, limits: limits)
        case is GeoJSONFormat.Lines:
            try readingGeoJSON(document, separatedBy: GeoJSONFormat.Lines.separator, limits: limits)
        case is GeoJSONFormat.TextSequence:
            try readingGeoJSON(document, separatedBy: GeoJSONFormat.TextSequence.separator, limits: limits)
        default: PointTable(try formats.read(document, limits: limits))
        }
    }
}
