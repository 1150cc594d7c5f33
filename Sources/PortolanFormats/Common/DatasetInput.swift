import PortolanFeatures
import PortolanWeb

/// The bytes of a file or document, of which only the requested ones are read.
struct DatasetInput: Sendable {
    private enum Source {
        case bytes([UInt8])
        case file(LocalFile)
    }

    /// The format name for errors.
    private let format: String
    private let source: Source
    let byteCount: Int

    init(_ bytes: [UInt8], in format: String) {
        self.format = format
        source = .bytes(bytes)
        byteCount = bytes.count
    }

    init(_ file: LocalFile, in format: String) {
        self.format = format
        source = .file(file)
        byteCount = file.byteCount
    }

    /// Opens the file at a path.
    init(path: String, in format: String) throws(FeatureFileError) {
        do throws(LocalFileError) { self.init(try LocalFile(at: path), in: format) } catch {
            throw FeatureFileError(error, in: format)
        }
    }

    /// Returns the bytes in a range.
    func bytes(_ range: Range<Int>) throws(FeatureFileError) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= byteCount else {
            throw fault("a part is outside the file", at: min(max(range.lowerBound, 0), byteCount))
        }
        switch source {
        case .bytes(let bytes): return Array(bytes[range])
        case .file(let file):
            let bytes: [UInt8]
            do throws(LocalFileError) { bytes = try file.bytes(at: range.lowerBound, count: range.count) } catch {
                throw FeatureFileError(error, in: format)
            }
            guard bytes.count == range.count else { throw fault("the file was cut", at: range.lowerBound) }
            return bytes
        }
    }

    /// Returns all bytes.
    ///
    /// - Throws: ``FeatureFileError`` with the code ``FeatureFileError/Code/limitExceeded`` for a file of more than
    ///   `limit` bytes.
    func bytes(limit: Int) throws(FeatureFileError) -> [UInt8] {
        switch source {
        case .bytes(let bytes): return bytes
        case .file(let file):
            do throws(LocalFileError) { return try file.bytes(limit: limit, endsWithTask: true) } catch {
                throw FeatureFileError(error, in: format)
            }
        }
    }

    private func fault(_ detail: String, at offset: Int) -> FeatureFileError {
        FeatureFileError(.malformed, in: format, at: .byte(offset), detail)
    }
}
