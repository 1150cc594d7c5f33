public import Portolan
import PortolanFetch
public import PortolanTransit
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why no timetable can be had of a source.
public enum TransitSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such file or folder.
    case missing
    /// The server does not give it.
    case service(ServiceError)
    /// It is none.
    case feed(TransitFeedError)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .missing: "there is no such file"
        case .service(let error): error.description
        case .feed(let error): error.description
        }
    }
}

extension TransitFeed {
    /// Reads the feed of a folder, of an archive on this machine, or of one at a URL, which is kept as responses are.
    ///
    /// - Parameter client: asks the server.
    public init(source: String, client: ServiceClient) async throws(TransitSourceError) {
        var limits = FeedLimits()
        if FileAddress.isLocal(source) {
            guard FileManager.default.fileExists(atPath: source) else { throw .missing }
            limits.memory = client.memory(forOwn: Self.byteCount(at: source))
            do { self = try TransitFeed(at: source, limits: limits) } catch { throw .feed(error) }
            return
        }
        let bytes: [UInt8]
        do { bytes = try await client.data(at: FileAddress.url(of: source)) } catch { throw .service(error) }
        limits.memory = client.memory
        do {
            self = try TransitFeed(archive: bytes, name: FetchError.redacted(source), limits: limits)
        } catch { throw .feed(error) }
    }

    /// The bytes of a file, or of the tables in a folder.
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
