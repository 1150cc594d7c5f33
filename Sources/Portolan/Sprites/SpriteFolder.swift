import PortolanCodecs
package import PortolanFetch
import PortolanRaster
package import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A folder of icons, from which sprites are packed.
///
/// Each file `NAME.svg` or `NAME.png` is the icon NAME, and those in subfolders are SUBFOLDER/NAME. An image
/// `NAME@2x.png` has two pixels per style pixel. `NAME.sdf.svg` and `NAME.sdf.png` become distance fields, which styles
/// can give any colour. SVG is drawn at the density of the sprite.
package struct SpriteFolder: Sendable {
    /// The largest file in bytes.
    private static let fileByteLimit = 4 << 20
    /// The most icons, and the deepest subfolder.
    private static let iconLimit = 20_000, depthLimit = 8
    /// The largest side of an icon in pixels.
    private static let sideLimit = 1024
    /// The number of pixels of a mask per pixel of a distance field made from SVG.
    private static let fieldDensity = 4

    /// The reason why a folder is not a sprite.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The folder does not exist or cannot be read.
        case unreadable(String)
        /// The document that names the folder may not refer to it.
        case refused(String, String)
        /// The folder has no icons.
        case empty(String)
        /// There are more icons than `limit`.
        case tooMany(String, limit: Int)
        /// The icons do not fit into an image.
        case tooLarge(String)
        /// An image cannot be written.
        case codec(CodecError)

        /// The message in one line.
        package var description: String {
            switch self {
            case .unreadable(let path): "\(path): no such folder, or no permission to read it"
            case .refused(let path, let reason): "\(path): \(reason)"
            case .empty(let path): "\(path): no icons; add files like NAME.svg or NAME.png"
            case .tooMany(let path, let limit): "\(path): more than \(limit) icons; use several folders"
            case .tooLarge(let path):
                "\(path): the icons do not fit into \(SpriteSheet.maximumSide) × \(SpriteSheet.maximumSide) pixels; use "
                    + "several folders"
            case .codec(let error): "\(error)"
            }
        }
    }

    /// The path.
    package let path: String
    /// Whether all icons become distance fields.
    package var isDistanceField = false
    private let origin: NamedURL.Origin
    private let policy: AddressPolicy

    /// A sprite at a density.
    package struct Packed: Sendable {
        /// The sprite.
        package let sheet: SpriteSheet
        /// The reasons why icons are left out or drawn in part, each with its file.
        package let warnings: [String]
        /// The versions of the files.
        package let validity: ContentValidity
    }

    /// Creates a folder of icons, which need not exist yet.
    ///
    /// - Parameters:
    ///   - origin: the origin of the path, which may permit only some folders.
    ///   - policy: the policy for it.
    package init(path: String, namedBy origin: NamedURL.Origin = .user, policy: AddressPolicy = .standard) {
        (self.path, self.origin, self.policy) = (path, origin, policy)
    }

    // MARK: - Packing

    /// Packs the icons.
    ///
    /// Icons that cannot be read are left out, with a warning.
    ///
    /// - Parameter ratio: the number of pixels per style pixel.
    /// - Throws: ``Failure``.
    package func packed(ratio: Int) throws(Failure) -> Packed {
        if let refusal = LocalFile.refusal(of: path, namedBy: origin, policy: policy) {
            throw .refused(path, "\(refusal)")
        }
        let listed = try files()
        // Read before the files, so that a change in the meantime is noticed.
        var stamps: [String: FileStamp] = [:]
        for path in listed.folders + listed.icons.map(\.path) { stamps[path] = FileStamp(path: path) }
        var icons: [SpriteSheet.Icon] = [], warnings = listed.warnings
        for (name, files) in Dictionary(grouping: listed.icons, by: \.name).sorted(by: { $0.key < $1.key }) {
            guard let file = Self.best(of: files, ratio: ratio) else { continue }
            let bytes: [UInt8]
            do throws(LocalFileError) {
                bytes = try LocalFile(at: file.path, namedBy: origin, policy: policy).bytes(limit: Self.fileByteLimit)
            } catch {
                warnings.append("\(error)")
                continue
            }
            let isField = isDistanceField || file.isDistanceField
            do {
                var icon = try Self.icon(file, bytes, ratio: ratio, isField: isField, &warnings)
                if isField { icon = try Self.field(of: icon, file, bytes, ratio: ratio) }
                guard icon.width <= Self.sideLimit, icon.height <= Self.sideLimit else { throw IconFailure.size }
                icons.append(
                    SpriteSheet.Icon(
                        name: name, pixels: icon, ratio: file.isSVG ? ratio : file.ratio, isDistanceField: isField))
            } catch {
                warnings.append("\(file.path): left out: \(error)")
            }
        }
        guard !icons.isEmpty || !warnings.isEmpty else { throw .empty(path) }
        guard let sheet = SpriteSheet(icons) else { throw .tooLarge(path) }
        return Packed(sheet: sheet, warnings: warnings, validity: ContentValidity(files: stamps))
    }

    /// Returns the paths of the folder, its subfolders and the icons.
    package func filePaths() throws(Failure) -> [String] {
        let listed = try files()
        return (listed.folders + listed.icons.map(\.path)).sorted()
    }

    private enum IconFailure: Error, CustomStringConvertible {
        case size

        var description: String { "an icon has at most \(SpriteFolder.sideLimit) × \(SpriteFolder.sideLimit) pixels" }
    }

    /// Returns the SVG file of an icon, or the image whose density suits best.
    private static func best(of files: [IconFile], ratio: Int) -> IconFile? {
        files.min {
            func rank(_ file: IconFile) -> (Int, Int, String) {
                (file.isSVG ? 0 : file.ratio >= ratio ? 1 : 2, abs(file.ratio - ratio), file.path)
            }
            return rank($0) < rank($1)
        }
    }

    private static func icon(
        _ file: IconFile, _ bytes: [UInt8], ratio: Int, isField: Bool, _ warnings: inout [String]
    ) throws -> PixelBuffer {
        guard file.isSVG else {
            return try ImageDecoders.standard.decode(
                bytes, limits: ImageDecoders.Limits(maximumPixelCount: sideLimit * sideLimit))
        }
        let icon = try SVGIcon(bytes)
        if !icon.losses.isEmpty {
            warnings.append("\(file.path): not drawn: \(icon.losses.prefix(5).joined(separator: ", "))")
        }
        guard icon.width * Double(ratio) <= Double(sideLimit), icon.height * Double(ratio) <= Double(sideLimit),
            let pixels = icon.pixels(scale: Double(ratio))
        else { throw IconFailure.size }
        return pixels
    }

    /// Returns the distance field of an icon: black, with the distances as opacity.
    private static func field(
        of icon: PixelBuffer, _ file: IconFile, _ bytes: [UInt8], ratio: Int
    ) throws -> PixelBuffer {
        var mask = icon, density = 1
        if file.isSVG, let dense = try SVGIcon(bytes).pixels(scale: Double(ratio * fieldDensity)) {
            (mask, density) = (dense, fieldDensity)
        }
        let coverage = mask.pixels.map { UInt8(truncatingIfNeeded: $0 >> 24) }
        guard
            let field = SignedDistances(
                coverage: coverage, width: mask.width, height: mask.height, density: density),
            let size = ImageSize(width: field.width, height: field.height),
            let pixels = PixelBuffer(size: size, pixels: field.values.map { UInt32($0) << 24 })
        else { throw IconFailure.size }
        return pixels
    }

    // MARK: - Files

    private struct IconFile {
        let path: String
        let name: String
        let isSVG: Bool
        let ratio: Int
        let isDistanceField: Bool

        /// - Parameter file: the path below the folder.
        init?(_ file: String, in folder: String) {
            guard let dot = file.lastIndex(of: "."), file[dot...].count == 4 else { return nil }
            let type = file[dot...].lowercased()
            guard type == ".svg" || type == ".png" else { return nil }
            path = "\(folder)/\(file)"
            isSVG = type == ".svg"
            var name = file[..<dot]
            (name, ratio) = isSVG ? (name, 1) : SpriteFolder.splitting(density: name)
            isDistanceField = name.hasSuffix(".sdf")
            if isDistanceField { name = name.dropLast(4) }
            guard !name.isEmpty else { return nil }
            self.name = String(name)
        }
    }

    /// Splits `name@2x` into the name and the density.
    private static func splitting(density name: Substring) -> (Substring, Int) {
        for ratio in 2...4 where name.hasSuffix("@\(ratio)x") { return (name.dropLast(3), ratio) }
        return (name, 1)
    }

    private func files() throws(Failure) -> (icons: [IconFile], folders: [String], warnings: [String]) {
        var icons: [IconFile] = [], folders: [String] = [], warnings: [String] = []
        var open = [(path: "", depth: 0)]
        while let (below, depth) = open.popLast() {
            let folder = below.isEmpty ? path : "\(path)/\(below)"
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
                guard below.isEmpty else { continue }
                throw .unreadable(path)
            }
            folders.append(folder)
            for name in names.sorted() where !name.hasPrefix(".") {
                let file = below.isEmpty ? name : "\(below)/\(name)"
                if let icon = IconFile(file, in: path) {
                    icons.append(icon)
                    guard icons.count <= Self.iconLimit else { throw .tooMany(path, limit: Self.iconLimit) }
                } else if Self.isFolder("\(path)/\(file)") {
                    if depth < Self.depthLimit {
                        open.append((file, depth + 1))
                    } else {
                        warnings.append("\(path)/\(file): left out: too many levels of folders")
                    }
                }
            }
        }
        return (icons, folders, warnings)
    }

    /// Returns whether a path is a folder; links to folders count as none, since they may form a circle.
    private static func isFolder(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == .typeDirectory
    }
}

extension SpriteFolder {
    /// A part of a sprite that is asked for by a path: `FOLDER.json`, `FOLDER@2x.png` and the like.
    package struct Part: Hashable, Sendable {
        /// The folder of the icons.
        package let folder: String
        /// The number of pixels per style pixel.
        package let ratio: Int
        /// Whether the index is asked for, and not the image.
        package let isIndex: Bool

        /// Creates a part.
        package init(folder: String, ratio: Int, isIndex: Bool) {
            (self.folder, self.ratio, self.isIndex) = (folder, ratio, isIndex)
        }

        /// Returns `nil` if the file exists, or if there is no such folder.
        package init?(ofFile path: String) {
            guard let dot = path.lastIndex(of: "."), [".json", ".png"].contains(path[dot...]),
                !FileManager.default.fileExists(atPath: path)
            else { return nil }
            let (folder, ratio) = SpriteFolder.splitting(density: path[..<dot])
            guard !folder.isEmpty, SpriteFolder.isFolder(String(folder)) else { return nil }
            self.folder = String(folder)
            self.ratio = ratio
            isIndex = path[dot...] == ".json"
        }
    }

    /// The bytes of a part, and the versions of the files that they were made from.
    package struct Content: Sendable {
        /// The bytes.
        package let bytes: [UInt8]
        /// The versions of the files.
        package let validity: ContentValidity
    }

    /// Returns a part of a sprite.
    ///
    /// - Parameters:
    ///   - origin: the origin of the path.
    ///   - policy: the policy for it.
    package static func content(
        of part: Part, namedBy origin: NamedURL.Origin = .user, policy: AddressPolicy = .standard
    ) throws(Failure) -> Content {
        let packed = try SpriteFolder(path: part.folder, namedBy: origin, policy: policy).packed(ratio: part.ratio)
        guard !part.isIndex else { return Content(bytes: packed.sheet.index, validity: packed.validity) }
        do throws(CodecError) {
            return Content(bytes: try packed.sheet.png(), validity: packed.validity)
        } catch { throw .codec(error) }
    }
}
