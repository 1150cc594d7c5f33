public import PortolanFeatures
import PortolanWeb
import PortolanXML
import PortolanZip

extension KMLFormat {
    /// KMZ: a ZIP archive with a KML document and the images of its styles (OGC 07-147r2 annex C).
    ///
    /// The document is the first file in the archive whose name ends in `.kml`. Network links to, and styles in, other
    /// documents of the archive are resolved. Images in the archive become `data:` URLs, so that they can be drawn without
    /// the archive. Other files are not read.
    public struct KMZ: FeatureFormat {
        /// Creates the format.
        public init() {}

        /// `KMZ`.
        public var name: String { "KMZ" }

        /// Returns whether the document starts like a ZIP archive.
        ///
        /// Reading fails without a KML document in it.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
            ContentKind(recognizing: Array(start.prefix(4))) == .zip
        }

        /// Reads an archive.
        ///
        /// - Throws: ``FeatureFileError``.
        /// - Complexity: linear in the archive, its documents and its images.
        public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
            let archive: ZipArchive
            do {
                archive = try ZipArchive(
                    document, limits: ZipArchive.Limits(byteCount: min(limits.maximumByteCount, 512 << 20)))
            } catch { throw FeatureFileError(error, in: name) }
            guard let entry = archive.entries.first(where: { $0.name.lowercased().hasSuffix(".kml") }) else {
                throw FeatureFileError(.otherFormat, in: name, "no .kml file in the archive")
            }
            return try KMZDocuments(archive, limits: limits).read(from: entry)
        }

        /// Returns the path in the archive of a URL relative to a folder, or `nil` if it is outside of the archive.
        package static func path(_ address: String, from folder: [String]) -> String? {
            guard address.utf8.count <= 1024, !address.contains(":"), address.utf8.first != UInt8(ascii: "/") else {
                return nil
            }
            var parts = folder
            for part in address.replacing("\\", with: "/").split(separator: "/") {
                switch part {
                case ".": continue
                case "..":
                    guard parts.popLast() != nil else { return nil }
                default: parts.append(String(part))
                }
            }
            return parts.joined(separator: "/")
        }
    }
}

extension FeatureFileError {
    init(_ error: ZipError, in format: String) {
        let code: Code =
            switch error.code {
            case .malformed: .malformed
            case .unsupported: .unsupported
            case .encrypted: .encrypted
            case .limitExceeded: .limitExceeded
            }
        self.init(code, in: format, at: .byte(error.offset), error.detail)
    }
}

/// Base64 (RFC 4648 section 4).
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the Base64 text of bytes.
    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            let group = (0..<3).reduce(UInt32(0)) { $0 << 8 | ($1 < count ? UInt32(bytes[start + $1]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? letters[Int(group >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
