import PortolanFeatures
import PortolanWeb

/// The bytes of a Parquet file, of which only the requested ones are read.
struct ParquetInput: Sendable {
    private enum Source {
        case bytes([UInt8])
        case file(LocalFile)
    }

    private let source: Source
    let byteCount: Int

    init(_ bytes: [UInt8]) {
        source = .bytes(bytes)
        byteCount = bytes.count
    }

    init(_ file: LocalFile) {
        source = .file(file)
        byteCount = file.byteCount
    }

    /// Returns the bytes in a range.
    func bytes(_ range: Range<Int>) throws(FeatureFileError) -> [UInt8] {
        let isInside = range.lowerBound >= 0 && range.upperBound <= byteCount
        let start = min(max(range.lowerBound, 0), byteCount)
        guard isInside else { throw ParquetFault.malformed("a part is outside the file").error(at: start) }
        switch source {
        case .bytes(let bytes): return Array(bytes[range])
        case .file(let file):
            let bytes: [UInt8]
            do throws(LocalFileError) { bytes = try file.bytes(at: range.lowerBound, count: range.count) } catch {
                throw FeatureFileError(error, in: GeoParquet.formatName)
            }
            guard bytes.count == range.count else { throw ParquetFault.malformed("the file was cut").error(at: start) }
            return bytes
        }
    }
}
