public import Portolan
import PortolanFetch
public import PortolanTransit
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransitFeed.ReadError: MapErrorConvertible {
    package var mapError: MapError {
        switch self {
        case .memory: MapError(.tooLarge, description, underlying: self)
        case .unreadable(let file, let what):
            MapError(.unreadableFile, what, place: MapError.Place(file: file), underlying: self)
        default: MapError(.malformedDocument, description, underlying: self)
        }
    }
}

extension TransitFeed {
    /// Reads a feed from a folder, a local archive or a URL.
    ///
    /// Downloads are cached like other responses.
    ///
    /// - Parameter client: the client for requests.
    /// - Throws: ``/Portolan/MapError``.
    public init(source: String, client: ServiceClient) async throws(MapError) {
        var limits = TransitFeed.Limits()
        if FileAddress.isLocal(source) {
            guard FileManager.default.fileExists(atPath: source) else {
                throw MapError(.notFound, "no such file", place: MapError.Place(file: source))
            }
            limits.memory = client.memory(forOwn: Self.byteCount(at: source))
            do { self = try TransitFeed(at: source, limits: limits) } catch { throw MapError(error) }
            return
        }
        let bytes = try await client.data(from: FileAddress.url(of: source))
        limits.memory = client.memory
        do {
            self = try TransitFeed(archive: bytes, name: FetchError.redacted(source), limits: limits)
        } catch { throw MapError(error) }
    }

    /// Returns the size of a file, or of the tables in a folder, in bytes.
    private static func byteCount(at path: String) -> Int {
        let files = FileManager.default
        func size(of path: String) -> Int {
            let target = URL(filePath: path).resolvingSymlinksInPath().path
            return (try? files.attributesOfItem(atPath: target))?[.size] as? Int ?? 0
        }
        guard let tables = try? files.contentsOfDirectory(atPath: path) else { return size(of: path) }
        return tables.filter { $0.hasSuffix(".txt") }.reduce(0) { $0 + size(of: path + "/" + $1) }
    }
}
