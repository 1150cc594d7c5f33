import Foundation
public import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanWeb

extension RouteBook {
    /// The maximum number of files copied along with a document, and their maximum total size in bytes.
    private static let attachedFileLimit = 200, attachedByteLimit = 64 << 20

    /// Adds the document at a path or URL to the book.
    ///
    /// Local files that a file refers to by relative URLs, such as icons and images, are copied.
    ///
    /// - Parameters:
    ///   - address: a file path or URL.
    ///   - name: the name of the route, or `nil` to use the one in the document.
    ///   - services: the client for requests.
    /// - Returns: the summary of the route.
    /// - Throws: ``/Portolan/MapError``.
    @discardableResult
    public func add(
        from address: String, named name: String? = nil, by services: ServiceClient
    ) async throws(MapError) -> RouteBook.Summary {
        try await services.reading(address) { (document, base, url) throws(MapError) in
            let collection = try collection(document, from: address)
            let name = name ?? RouteFacts.name(of: collection) ?? Self.stem(of: url)
            guard let path = Self.path(of: url) else {
                let source = RouteBook.Source(base, url: FetchError.redacted(url))
                return try add(document, of: collection, named: name, from: source)
            }
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            return try add(
                document, of: collection, named: name, from: RouteBook.Source(file: path),
                files: Self.files(namedBy: collection, in: folder))
        }
    }

    /// Returns the file name without folders and extension, or `nil`.
    private static func stem(of url: String) -> String? {
        let path = LooseURL(url).path.split(separator: "/").last ?? ""
        let stem = path.prefix { $0 != "." }
        return stem.isEmpty ? nil : String(stem).removingPercentEncoding
    }

    private static func path(of url: String) -> String? {
        guard LooseURL(url).isFile else { return nil }
        return URL(string: url)?.path(percentEncoded: false)
    }

    /// Returns the files in a folder that features refer to by relative URLs, within the limits.
    private static func files(
        namedBy collection: FeatureCollection, in folder: String
    ) -> [(path: String, bytes: [UInt8])] {
        var files: [(path: String, bytes: [UInt8])] = [], seen: Set<String> = [], rest = attachedByteLimit
        func look(_ value: PropertyValue, named name: String) {
            switch value {
            case .string(let text) where addressNames.contains(name):
                guard files.count < attachedFileLimit, let path = relativePath(text), seen.insert(path).inserted,
                    let bytes = contents(of: folder + "/" + path, limit: rest)
                else { return }
                rest -= bytes.count
                files.append((path, bytes))
            case .array(let values): for value in values { look(value, named: name) }
            case .object(let properties): for element in properties { look(element.value, named: element.name) }
            case .string, .null, .bool, .integer, .number: break
            }
        }
        for feature in collection.features {
            for element in feature.properties { look(element.value, named: element.name) }
        }
        return files
    }

    /// The properties that contain URLs.
    private static let addressNames: Set = [
        "externalGraphic", "image", "picture", "photo", "audio", "sound", "video", "href", "url", "link", "links",
        "media",
    ]

    /// Returns a text as a path below a folder, or `nil` if it is another kind of URL or leads outside.
    private static func relativePath(_ text: String) -> String? {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.isEmpty, path.utf8.count < 1000, !path.contains(":"), !path.contains("\\"), !path.contains("\0"),
            !parts.contains(where: { $0.isEmpty || $0.first == "." }), parts.count < 20
        else { return nil }
        // The file names of the book are reserved.
        let own = ["about.json", "opinions.json", "route.geojson", "route.gpx", "route.dat"]
        return own.contains(String(path)) ? nil : String(path)
    }
}
