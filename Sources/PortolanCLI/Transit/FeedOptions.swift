import ArgumentParser
import Foundation
import Portolan
import PortolanCity
import PortolanFetch
import PortolanTransit
import PortolanWeb

/// The options of the timetable and the output.
struct FeedOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("A GTFS feed: a ZIP archive, a folder or a URL.", valueName: "feed"))
    var feed: String

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print no warnings.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    /// The feed with its problems, without the cache.
    ///
    /// Skipped rows are reported.
    func read() async throws -> TransitFeed {
        let feed = try await Self.feed(self.feed, try network.configuration())
        if !quiet { Self.tell(feed.problems.lossCount, of: self.feed) }
        return feed
    }

    /// The timetable and the number of skipped rows.
    ///
    /// A server is only asked for changes since the cached version.
    ///
    /// The cached timetable is used if the server provides no readable one.
    func timetable() async throws -> (timetable: Timetable, lost: Int) {
        let (timetable, warning, lost) = try await Self.timetable(feed, try network.configuration())
        if let warning, !quiet { StandardError.warn(warning) }
        if !quiet { Self.tell(lost, of: feed) }
        return (timetable, lost)
    }

    /// Warns about skipped rows.
    static func tell(_ lost: Int, of feed: String) {
        guard lost > 0 else { return }
        StandardError.warn(
            "\(FetchError.redacted(feed)): \(PhraseText.counted(lost, "row is|rows are")) left out or cut at a limit; "
                + "portolan transit validate for details")
    }

    private static func feed(_ source: String, _ configuration: RendererConfiguration) async throws -> TransitFeed {
        let client = ServiceClient(configuration: configuration)
        return try await Interruption.cancelling {
            do throws(MapError) { return try await TransitFeed(source: source, client: client) } catch {
                throw CommandFailure(ofFeed: error, at: source)
            }
        }
    }

    /// The timetable of a source, the warnings about its origin, and the number of skipped rows.
    static func timetable(
        _ source: String, _ configuration: RendererConfiguration
    ) async throws -> (timetable: Timetable, warning: String?, lost: Int) {
        guard !FileAddress.isLocal(source), let folder = configuration.cacheFolder else {
            let feed = try await feed(source, configuration)
            return (feed.timetable, nil, feed.problems.lossCount)
        }
        let address = NamedURL(source, namedBy: .user)
        var limits = TransitFeed.Limits()
        limits.memory = configuration.memory
        let store = FeedStore(folder: folder + "/feeds", fetcher: configuration.fetcher(), limits: limits)
        if configuration.isOffline {
            guard let held = store.held(of: address) else {
                throw CommandFailure(
                    .unavailable, "\(FetchError.redacted(source)): not in the cache, and --offline sends no requests")
            }
            return (held.timetable, nil, held.source.lossCount)
        }
        let found = try await Interruption.cancelling {
            do throws(FeedStore.DownloadError) {
                return try await store.feed(
                    at: address, headers: configuration.headers(for: address), policy: configuration.addressPolicy)
            } catch { throw CommandFailure(error) }
        }
        var warning: String?
        if case .kept(let fault) = found.state { warning = "\(fault); using the cached timetable" }
        if let fault = found.saveFault { warning = "cannot cache the timetable: \(fault)" }
        return (found.timetable, warning, found.source.lossCount)
    }

    /// The last change of a timetable, not after now: the time stated by the server for the cached version, else the file time of the
    /// archive or of the newest table in the folder; `nil` if unknown.
    static func changeDate(of source: String, _ configuration: RendererConfiguration) -> Date? {
        guard FileAddress.isLocal(source) else {
            guard let folder = configuration.cacheFolder else { return nil }
            let store = FeedStore(folder: folder + "/feeds", fetcher: configuration.fetcher())
            let told = store.held(of: NamedURL(source, namedBy: .user))?.source.lastModified
            return told.flatMap(HTTPDate.read).map { min(Date(timeIntervalSince1970: Double($0)), Date()) }
        }
        guard let url = URL(string: FileAddress.url(of: source)), url.isFileURL else { return nil }
        let files = FileManager.default, place = url.resolvingSymlinksInPath()
        let tables = (try? files.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)) ?? []
        let written = (tables.isEmpty ? [place] : tables.filter { $0.pathExtension == "txt" }).compactMap { file in
            (try? files.attributesOfItem(atPath: file.resolvingSymlinksInPath().path))?[.modificationDate] as? Date
        }
        return written.max().map { min($0, Date()) }
    }

    /// Prints a value as JSON, or a text.
    ///
    /// - Parameter lost: the number of skipped rows, which sets the exit code.
    func print(_ value: some Encodable, or text: @autoclosure () -> String, lost: Int = 0) throws {
        try OutputFile(path: "-").write(json ? try JSONText.bytes(value) : Array(text().utf8))
        if lost > 0 { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    /// Notes that a list is cut, if it is.
    func tell(_ shown: Int, of count: String, isCut: Bool) {
        guard isCut, !quiet else { return }
        StandardError.warn("listing \(shown) of \(count); raise --limit for more")
    }
}

extension CommandFailure {
    /// A timetable that is not available.
    init(ofFeed error: MapError, at source: String) {
        switch error.inner {
        case let error as ServiceError: self.init(error, of: source)
        case TransitFeed.ReadError.unreadable(let file, let what)?:
            self.init(.noInput, file == source ? "\(source): \(what)" : "\(source): \(file): \(what)")
        case let error as TransitFeed.ReadError: self.init(error)
        default: self.init(.noInput, "\(source): no such file")
        }
    }
}

extension CommandFailure {
    /// A feed that cannot be read.
    init(_ error: TransitFeed.ReadError) {
        if case .memory = error { self = .tooLarge(error.description) } else { self.init(.badData, error.description) }
    }
}

extension CommandFailure {
    /// A timetable of a server that is not cached.
    init(_ fault: FeedStore.DownloadError) {
        switch fault {
        case .fetch(let error) where error.code == .cancelled: self.init(.interrupted, "interrupted")
        case .fetch, .status: self.init(.unavailable, fault.description)
        case .feed, .empty: self.init(.badData, fault.description)
        }
    }
}
