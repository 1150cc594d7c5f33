import PortolanFeatures
import PortolanZip

/// The compression of pages.
enum ParquetCodec: Int {
    case uncompressed, snappy, gzip, lzo, brotli, lz4, zstandard, lz4Raw

    private var label: String {
        switch self {
        case .uncompressed: "uncompressed"
        case .snappy: "Snappy"
        case .gzip: "gzip"
        case .lzo: "LZO"
        case .brotli: "Brotli"
        case .lz4, .lz4Raw: "LZ4"
        case .zstandard: "Zstandard"
        }
    }

    /// The most bytes that a byte of a page can become.
    var greatestRatio: Int {
        switch self {
        case .zstandard: CompressedContent.zstd.greatestRatio
        default: CompressedContent.gzip.greatestRatio
        }
    }

    /// Decompresses a page, which must have a known length.
    func content(of bytes: [UInt8], byteCount: Int) throws(ParquetFault) -> [UInt8] {
        let content: [UInt8]
        switch self {
        case .uncompressed: content = bytes
        case .snappy: return try SnappyDecoder.content(of: bytes, byteCount: byteCount)
        case .gzip: content = try Self.unpack(.gzip, bytes, byteCount, label)
        case .zstandard: content = try Self.unpack(.zstd, bytes, byteCount, label)
        case .lzo, .brotli, .lz4, .lz4Raw: throw Self.unsupported("\(label) compression is not supported")
        }
        guard content.count == byteCount else {
            throw .malformed("a page has \(content.count) bytes instead of \(byteCount)")
        }
        return content
    }

    private static func unpack(
        _ kind: CompressedContent, _ bytes: [UInt8], _ byteCount: Int, _ label: String
    ) throws(ParquetFault) -> [UInt8] {
        do throws(ZipError) { return try kind.unpack(bytes[...], byteLimit: byteCount) } catch {
            guard error.code != .unsupported else { throw unsupported(error.detail) }
            throw .malformed("a page cannot be decompressed by \(label): \(error.detail)")
        }
    }

    private static func unsupported(_ reason: String) -> ParquetFault {
        ParquetFault(
            .unsupported,
            "\(reason); write the file with Snappy or gzip, as "
                + "'ogr2ogr -lco COMPRESSION=SNAPPY new.parquet old.parquet'")
    }
}
