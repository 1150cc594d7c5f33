import ArgumentParser
import Foundation
import Portolan
import PortolanCity
import PortolanFetch
import PortolanTransit
import PortolanWeb

/// Which timetable, and how results are printed.
struct FeedOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("A ZIP archive, a folder or a URL of GTFS.", valueName: "feed"))
    var feed: String

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print no warnings.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    /// The feed with its problems, as it is now; that rows of it are left out is told.
    func read() async throws -> TransitFeed {
        let feed = try await Self.feed(self.feed, try network.configuration())
        if !quiet { Self.tell(feed.problems.lossCount, of: self.feed) }
        return feed
    }

    /// The timetable, and how many rows of it are left out; one of a server is asked for only where it changed since it was kept.
    ///
    /// The one that is kept stands in where the server gives none that can be read.
    func timetable() async throws -> (timetable: Timetable, lost: Int) {
        let (timetable, warning, lost) = try await Self.timetable(feed, try network.configuration())
        if let warning, !quiet { StandardError.warn(warning) }
        if !quiet { Self.tell(lost, of: feed) }
        return (timetable, lost)
    }

    /// Tells that rows are left out.
    static func tell(_ lost: Int, of feed: String) {
        guard lost > 0 else { return }
        StandardError.warn(
            "\(FetchError.redacted(feed)): \(PhraseText.counted(lost, "row is|rows are")) left out or cut at a limit; "
                + "portolan transit validate names them")
    }

    private static func feed(_ source: String, _ configuration: RendererConfiguration) async throws -> TransitFeed {
        let client = ServiceClient(configuration: configuration)
        return try await Interruption.cancelling {
            do throws(MapError) { return try await TransitFeed(source: source, client: client) } catch {
                throw CommandFailure(ofFeed: error, at: source)
            }
        }
    }

    /// The timetable of a source, what is to be told of where it is from, and how many of its rows were left out.
    static func timetable(
        _ source: String, _ configuration: RendererConfiguration
    ) async throws -> (timetable: Timetable, warning: String?, lost: Int) {
        guard !FileAddress.isLocal(source), let folder = configuration.cacheFolder else {
            let feed = try await feed(source, configuration)
            return (feed.timetable, nil, feed.problems.lossCount)
        }
        let address = NamedURL(source, namedBy: .user)
        var limits = FeedLimits()
        limits.memory = configuration.memory
        let store = FeedStore(folder: folder + "/feeds", fetcher: configuration.fetcher(), limits: limits)
        if configuration.isOffline {
            guard let held = store.held(of: address) else {
                throw CommandFailure(
                    .unavailable, "\(FetchError.redacted(source)): is not kept, and --offline asks no server")
            }
            return (held.timetable, nil, held.source.lossCount)
        }
        let found = try await Interruption.cancelling {
            do throws(FeedDownloadError) {
                return try await store.feed(
                    at: address, headers: configuration.headers(for: address), policy: configuration.addressPolicy)
            } catch { throw CommandFailure(error) }
        }
        var warning: String?
        if case .kept(let fault) = found.state { warning = "\(fault); the timetable kept before stands in" }
        if let fault = found.saveFault { warning = "the timetable cannot be kept: \(fault)" }
        return (found.timetable, warning, found.source.lossCount)
    }

    /// When a timetable was changed last, not after now: what its server said of what is kept, else when its archive, or the newest
    /// table of its folder, was written; `nil` where nothing tells.
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
    /// - Parameter lost: how many rows of the feed it is without; the exit code tells.
    func print(_ value: some Encodable, or text: @autoclosure () -> String, lost: Int = 0) throws {
        try OutputFile(path: "-").write(json ? try JSONText.bytes(value) : Array(text().utf8))
        if lost > 0 { throw ExitCode(ExitStatus.incomplete.rawValue) }
    }

    /// Tells that a list is cut, where it is.
    func tell(_ shown: Int, of count: String, isCut: Bool) {
        guard isCut, !quiet else { return }
        StandardError.warn("the first \(shown) of \(count) are listed; --limit raises that")
    }
}

extension CommandFailure {
    /// A timetable that cannot be had.
    init(ofFeed error: MapError, at source: String) {
        switch error.inner {
        case let error as ServiceError: self.init(error, of: source)
        case TransitFeedError.unreadable(let file, let what)?:
            self.init(.noInput, file == source ? "\(source): \(what)" : "\(source): \(file): \(what)")
        case let error as TransitFeedError: self.init(error)
        default: self.init(.noInput, "\(source): there is no such file")
        }
    }
}

extension CommandFailure {
    /// A feed that cannot be read.
    init(_ error: TransitFeedError) {
        if case .memory = error { self = .tooLarge(error.description) } else { self.init(.badData, error.description) }
    }
}

extension CommandFailure {
    /// A timetable of a server of which none is kept.
    init(_ fault: FeedDownloadError) {
        switch fault {
        case .fetch(let error) where error.code == .cancelled: self.init(.interrupted, "interrupted")
        case .fetch, .status: self.init(.unavailable, fault.description)
        case .feed, .empty: self.init(.badData, fault.description)
        }
    }
}
