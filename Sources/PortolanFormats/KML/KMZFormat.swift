public import PortolanFeatures
import PortolanWeb
import PortolanXML
import PortolanZip

/// KMZ: a ZIP archive with a KML document and the pictures that its styles name (OGC 07-147r2 annex C).
///
/// The document is the first file that ends in `.kml`, in the archive's order, whatever its name. Network links to other documents of
/// the archive are followed, and styles in them are found. Pictures of the archive become `data:` addresses, so that nothing else is needed
/// to draw them; other files are not read.
public struct KMZFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `KMZ`.
    public var name: String { "KMZ" }

    /// Whether it begins as a ZIP archive; one without a KML document is refused when it is read.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        ContentKind(recognizing: Array(start.prefix(4))) == .zip
    }

    /// Reads an archive.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the archive, its documents and its pictures.
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

    /// The path in the archive of an address relative to a folder, or `nil` where it leads out of the archive.
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

    /// The text of bytes.
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
