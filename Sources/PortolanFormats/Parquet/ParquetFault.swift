import PortolanFeatures

/// A fault in a part of a Parquet file whose position is known to the caller.
struct ParquetFault: Error {
    let code: FeatureFileError.Code
    let detail: String

    init(_ code: FeatureFileError.Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    static func malformed(_ detail: String) -> ParquetFault { ParquetFault(.malformed, detail) }

    /// Returns the error of the file, with the byte at which the part starts.
    func error(at offset: Int?) -> FeatureFileError {
        FeatureFileError(code, in: GeoParquet.formatName, at: offset.map { .byte($0) }, detail)
    }
}
