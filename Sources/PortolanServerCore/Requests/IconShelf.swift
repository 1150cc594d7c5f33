package import Portolan
import PortolanCodecs
import PortolanFeatures
import PortolanWeb

/// The images that clients may name for markers: files of a folder, and URLs of listed hosts.
package struct IconShelf: Sendable {
    /// The maximum bytes of an image.
    private static let byteLimit = 1 << 20
    /// The maximum pixels of a side of an image.
    private static let sideLimit = 1024
    /// The maximum number of different images of a picture.
    private static let countLimit = 10

    private let folder: String?
    private let policy: AddressPolicy
    private let client: ServiceClient

    /// Creates a shelf.
    ///
    /// - Parameters:
    ///   - folder: the absolute path of the folder, or `nil` for none.
    ///   - hosts: names in lower case, and `*.example.org` for all subdomains of a name.
    ///   - configuration: how URLs are fetched.
    package init(folder: String?, hosts: Set<String>, configuration: RendererConfiguration) {
        self.folder = folder
        var policy = AddressPolicy(allowedHosts: hosts)
        // Redirects lead to listed hosts as well.
        policy.isLimitedToAllowedHosts = true
        self.policy = policy
        var own = configuration
        own.addressPolicy = policy
        own.documentByteLimit = Self.byteLimit
        own.fileByteLimit = Self.byteLimit
        own.allowsFiles = false
        own.timeouts.total = .seconds(5)
        client = ServiceClient(configuration: own)
    }

    /// Returns the bytes of the images that overlays name.
    ///
    /// - Throws: ``Problem`` with the key and position of an image that is not available.
    func images(of overlays: [Overlay]) async throws(Problem) -> [OverlayIcon.Source: [UInt8]] {
        var images: [OverlayIcon.Source: [UInt8]] = [:], remote: [OverlayIcon.Source: OverlayIcon] = [:]
        for icon in overlays.compactMap(\.icon) where images[icon.source] == nil {
            if case .file(let path) = icon.source {
                images[icon.source] = try file(path, icon)
            } else {
                remote[icon.source] = icon
            }
            guard images.count + remote.count <= Self.countLimit else {
                throw icon.problem(.badRequest, "an image can have at most \(Self.countLimit) different icons")
            }
        }
        guard !remote.isEmpty else { return images }
        let responses = await withTaskGroup(of: (OverlayIcon.Source, Result<[UInt8], Problem>).self) { group in
            for (source, icon) in remote {
                group.addTask {
                    do throws(Problem) { return (source, .success(try await response(icon))) } catch {
                        return (source, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (source, response) in responses { images[source] = try response.get() }
        return images
    }

    /// Decodes an image.
    fileprivate static func picture(
        _ bytes: [UInt8], of icon: OverlayIcon
    ) throws(Problem) -> IconMarker.Source.Picture {
        let decoders = ImageDecoders.standard
        guard let size = try? decoders.size(of: bytes) else {
            throw icon.problem(.badRequest, "the icon is not an image; available: PNG, JPEG, WebP and GIF")
        }
        guard max(size.width, size.height) <= sideLimit else {
            throw icon.problem(.badRequest, "an icon can have at most \(sideLimit) pixels per side")
        }
        guard let pixels = try? decoders.decode(bytes) else {
            throw icon.problem(.badRequest, "the icon is not a complete image")
        }
        return IconMarker.Source.Picture(name: EntityTag(bytes).text, pixels: pixels)
    }

    private func file(_ path: String, _ icon: OverlayIcon) throws(Problem) -> [UInt8] {
        let shapes = NamedMark.names.joined(separator: ", ")
        guard let folder else {
            throw icon.problem(.badRequest, "unknown icon '\(path)'; available: \(shapes)")
        }
        let missing = icon.problem(
            .badRequest, "unknown icon '\(path)'; available: the files of the icon folder, and \(shapes)")
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.utf8.contains(0) }) else { throw missing }
        // Links that lead out of the folder are refused as well.
        do throws(LocalFileError) {
            return try LocalFile(at: "\(folder)/\(path)", namedBy: .file(within: folder)).bytes(limit: Self.byteLimit)
        } catch {
            guard case .tooLong = error.code else { throw missing }
            throw icon.problem(.badRequest, "an icon can have at most \(Self.byteLimit) bytes")
        }
    }

    private func response(_ icon: OverlayIcon) async throws(Problem) -> [UInt8] {
        guard case .url(let url) = icon.source else { return [] }
        let parts = LooseURL(url)
        guard ["http", "https"].contains(parts.scheme?.lowercased()), let host = parts.host, !host.isEmpty,
            !parts.origin.contains("@"), !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x5C })
        else { throw icon.problem(.badRequest, "'\(url)' is not an http or https URL of an icon") }
        guard policy.allowsPrivateAddresses(for: host) else {
            throw icon.problem(.badRequest, "icons of \(host) are not allowed; the server lists the hosts of icons")
        }
        let origin = NamedURL.Origin.document(NamedURL.RemoteDocument(host: host))
        do throws(ServiceError) { return try await client.asked(by: origin).content(at: url).bytes } catch {
            // The message of the error may have addresses of the server's network.
            throw icon.problem(.sourceFailed, "the icon cannot be fetched from \(host)")
        }
    }
}

extension StaticMap {
    /// Returns the bytes of the images of its markers.
    func iconImages(of shelf: IconShelf?) async throws(Problem) -> [OverlayIcon.Source: [UInt8]] {
        guard overlays.contains(where: { $0.icon != nil }) else { return [:] }
        let shelf = shelf ?? IconShelf(folder: nil, hosts: [], configuration: RendererConfiguration())
        return try await shelf.images(of: overlays)
    }

    /// Returns the map with the images of its markers.
    func with(_ images: [OverlayIcon.Source: [UInt8]]) throws(Problem) -> StaticMap {
        var decoded: [OverlayIcon.Source: IconMarker.Source.Picture] = [:], filled = self
        for (place, overlay) in overlays.enumerated() {
            guard let icon = overlay.icon, let bytes = images[icon.source] else { continue }
            if decoded[icon.source] == nil { decoded[icon.source] = try IconShelf.picture(bytes, of: icon) }
            guard let picture = decoded[icon.source] else { continue }
            filled.overlays[place].fill(icon.marker(picture, ratio: ratio))
        }
        return filled
    }
}
