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
        if FileAddress.isLocal(source) {
            guard FileManager.default.fileExists(atPath: source) else { throw .missing }
            do { self = try TransitFeed(at: source) } catch { throw .feed(error) }
            return
        }
        let bytes: [UInt8]
        do { bytes = try await client.data(at: FileAddress.url(of: source)) } catch { throw .service(error) }
        do { self = try TransitFeed(archive: bytes, name: FetchError.redacted(source)) } catch { throw .feed(error) }
    }
}
