public import Foundation
import PortolanBeacons
import PortolanFeatures
public import PortolanFetch
public import PortolanWeb

extension BusGuide {
    /// A guide stored in a folder and updated from a server.
    ///
    /// After the first successful download, the guide is available offline. Both documents are stored in one file, which is
    /// replaced atomically and only by valid documents.
    public struct Store: Sendable {
        /// A stored guide with the time of its last confirmation.
        public struct Kept: Hashable, Sendable {
            /// The guide.
            public var guide: BusGuide
            /// The time at which the server last sent or confirmed the guide.
            public var time: Date
        }

        /// The outcome of ``BusGuide/Store/start(at:)``.
        public enum Start: Hashable, Sendable {
            /// The guide is up to date, and may be new.
            case current(Kept, isNew: Bool)
            /// The guide is stored, but the update failed with this error.
            case kept(Kept, BusGuide.StoreError)
            /// There is no stored guide and the download failed with this error.
            case nothing(BusGuide.StoreError)

            /// The guide, or `nil`.
            public var guide: BusGuide? {
                switch self {
                case .current(let kept, _), .kept(let kept, _): kept.guide
                case .nothing: nil
                }
            }
        }

        private let path: String
        private let kml: NamedURL
        private let cooperatives: NamedURL?
        private let fetcher: Fetcher

        /// The maximum size of a downloaded document: 64 MiB.
        public static let maximumByteCount = 64 << 20

        /// Creates a store.
        ///
        /// - Parameters:
        ///   - folder: the folder of the guide, created if it does not exist.
        ///   - kml: the URL of the document with routes and stops.
        ///   - cooperatives: the URL of the list of cooperatives, or `nil`.
        public init(folder: String, kml: NamedURL, cooperatives: NamedURL? = nil, fetcher: Fetcher) {
            path = folder + "/guide.json"
            self.kml = kml
            self.cooperatives = cooperatives
            self.fetcher = fetcher
        }

        /// Returns the stored guide.
        ///
        /// - Throws: ``BusGuide/StoreError/empty`` if none was ever downloaded, or ``BusGuide/StoreError/damaged(path:)``.
        public func kept() throws(BusGuide.StoreError) -> Kept { try read().kept() }

        /// Updates the guide if possible, and returns the result.
        ///
        /// The stored guide is the fallback.
        ///
        /// - Complexity: two requests, with empty responses if nothing has changed.
        public func start(at now: Date) async -> Start {
            do throws(BusGuide.StoreError) {
                let (kept, isNew) = try await update(at: now)
                return .current(kept, isNew: isNew)
            } catch {
                do throws(BusGuide.StoreError) { return .kept(try kept(), error) } catch { return .nothing(error) }
            }
        }

        /// Downloads changed documents and stores them.
        ///
        /// - Returns: the guide, and whether it differs from the stored one.
        /// - Throws: ``BusGuide/StoreError``; the stored guide then stays unchanged.
        public func update(at now: Date) async throws(BusGuide.StoreError) -> (kept: Kept, isNew: Bool) {
            let old = try? read()
            var file = GuideFile(time: now, kml: try await document(at: kml, old?.kml))
            if let cooperatives { file.cooperatives = try await document(at: cooperatives, old?.cooperatives) }
            let kept = try file.kept()
            do {
                let folder = URL(filePath: path).deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(file.bytes).write(to: URL(filePath: path), options: .atomic)
            } catch { throw .unwritable(path: path) }
            return (kept, old?.kml.bytes != file.kml.bytes || old?.cooperatives?.bytes != file.cooperatives?.bytes)
        }

        /// Returns the current version of a document, which is the old one if the server reports no change.
        private func document(
            at address: NamedURL, _ old: GuideFile.Document?
        ) async throws(BusGuide.StoreError) -> GuideFile.Document {
            let source = FetchError.redacted(address.text)
            let old = old?.source == source ? old : nil
            var headers: [HTTPHeader] = []
            if let tag = old?.tag { headers.append(HTTPHeader(name: "If-None-Match", value: tag)) }
            if let modified = old?.modified { headers.append(HTTPHeader(name: "If-Modified-Since", value: modified)) }
            let response: HTTPResponse
            do {
                response = try await fetcher.fetch(
                    HTTPRequest(to: address, headers: headers, maximumBodyByteCount: Self.maximumByteCount))
            } catch { throw .fetch(error) }
            if response.status == 304, let old { return old }
            guard response.status == 200 else {
                throw .fetch(
                    FetchError(.httpStatus, url: address.text, status: response.status, detail: "no guide available"))
            }
            return GuideFile.Document(
                source: source, bytes: response.body, tag: response.header("ETag"),
                modified: response.header("Last-Modified"))
        }

        private func read() throws(BusGuide.StoreError) -> GuideFile {
            let bytes: [UInt8]
            do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: 2 * Self.maximumByteCount) } catch
            {
                throw error.code == .missing ? .empty : .damaged(path: path)
            }
            guard let file = GuideFile(bytes) else { throw .damaged(path: path) }
            return file
        }
    }
}

extension BusGuide {
    /// The reason why there is no guide or no newer one.
    public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
        /// No guide was ever downloaded.
        case empty
        /// The request failed or was refused.
        case fetch(FetchError)
        /// The downloaded documents are invalid.
        case guide(BusGuide.ParseError)
        /// The stored guide is damaged.
        case damaged(path: String)
        /// The guide cannot be written.
        case unwritable(path: String)

        /// A one-line message.
        public var description: String {
            switch self {
            case .empty: "no guide downloaded yet"
            case .fetch(let error): "\(error)"
            case .guide(let error): "\(error)"
            case .damaged(let path): "the stored guide is damaged: \(path)"
            case .unwritable(let path): "cannot store the guide: \(path)"
            }
        }

        /// Returns a message for passengers in a language (BCP 47): Spanish for `es`, otherwise English.
        public func words(in language: String = "en") -> String {
            let phrase: GuidePhrase =
                switch self {
                case .empty: .empty
                case .fetch: .notUpdated
                case .guide(let error): error.phrase
                case .damaged: .damaged
                case .unwritable: .unwritable
                }
            return GuidePhrase.languages.preferred([language]).text(phrase)
        }
    }
}

/// The file format of a stored guide: both documents as received, with their HTTP validators.
struct GuideFile: Sendable {
    struct Document: Hashable, Sendable {
        /// The URL, without secrets.
        var source: String
        var bytes: [UInt8]
        var tag: String?
        var modified: String?
    }

    var time: Date
    var kml: Document
    var cooperatives: Document?

    init(time: Date, kml: Document) {
        self.time = time
        self.kml = kml
    }

    init?(_ bytes: [UInt8]) {
        let limits = FeatureLimits(maximumByteCount: 256 << 20)
        guard let members = (try? JSONReader.value(bytes: bytes, limits: limits))?.objectValue,
            members["format"] == "portolan-guide-1", let seconds = members["time"]?.doubleValue,
            let kml = Self.document(members["kml"])
        else { return nil }
        time = Date(timeIntervalSince1970: min(max(seconds, 0), 1e11))
        self.kml = kml
        cooperatives = Self.document(members["cooperatives"])
        if cooperatives == nil, members["cooperatives"] != nil { return nil }
    }

    private static func document(_ value: PropertyValue?) -> Document? {
        guard let members = value?.objectValue, let source = members["source"]?.stringValue,
            let data = members["data"]?.stringValue.flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        return Document(
            source: source, bytes: [UInt8](data), tag: members["tag"]?.stringValue,
            modified: members["modified"]?.stringValue)
    }

    var bytes: [UInt8] {
        func value(_ document: Document) -> PropertyValue {
            var members: Properties = [
                "source": .string(document.source), "data": .string(Data(document.bytes).base64EncodedString()),
            ]
            if let tag = document.tag { members["tag"] = .string(tag) }
            if let modified = document.modified { members["modified"] = .string(modified) }
            return .object(members)
        }
        var members: Properties = [
            "format": "portolan-guide-1", "time": .number(time.timeIntervalSince1970), "kml": value(kml),
        ]
        if let cooperatives { members["cooperatives"] = value(cooperatives) }
        return GeoJSONWriter.json(.object(members))
    }

    /// Parses the documents in the file.
    func kept() throws(BusGuide.StoreError) -> BusGuide.Store.Kept {
        do throws(BusGuide.ParseError) {
            let guide = try BusGuide(kml: kml.bytes, cooperatives: cooperatives?.bytes)
            return BusGuide.Store.Kept(guide: guide, time: time)
        } catch { throw .guide(error) }
    }
}
