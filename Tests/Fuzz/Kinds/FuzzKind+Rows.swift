import PortolanFeatures
import PortolanFormats
import PortolanWeb

extension FuzzKind {
    /// Rows of a database table.
    static let featureRows = FuzzKind(
        name: "feature-rows", grammar: .words, corpus: ["Tests/Fuzz/Corpus/feature-rows/*"]
    ) { bytes in
        let rows: FeatureRows
        do throws(FeatureFileError) { rows = try FeatureRows(bytes, limits: FeatureLimits()) } catch {
            if case .byte(let offset)? = error.place, !(0...bytes.count).contains(offset) {
                throw Violation("an error at no place: \(error)")
            }
            return try refused(error.description)
        }
        for warning in rows.collection.warnings { _ = try refused(warning.description) }
        return .value("\(magnitude(rows.collection.features.count)) \(rows.isCut)")
    }
}
