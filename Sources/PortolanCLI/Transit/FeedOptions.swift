import ArgumentParser
import Portolan
import PortolanTransit

/// Which timetable, and how results are printed.
struct FeedOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("A ZIP archive, a folder or a URL of GTFS.", valueName: "feed"))
    var feed: String

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print no warnings.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    /// The feed; that rows of it are left out is told.
    func read() async throws -> TransitFeed {
        let client = ServiceClient(configuration: try network.configuration())
        let feed = try await Interruption.cancelling {
            do throws(TransitSourceError) { return try await TransitFeed(source: self.feed, client: client) } catch {
                throw CommandFailure(error, of: self.feed)
            }
        }
        let lost = feed.problems.count(of: .error)
        if lost > 0, !quiet {
            StandardError.warn("\(self.feed): \(lost) rows are left out; portolan transit validate names them")
        }
        return feed
    }

    /// Prints a value as JSON, or a text.
    func print(_ value: some Encodable, or text: @autoclosure () -> String) throws(CommandFailure) {
        try OutputFile(path: "-").write(json ? try JSONText.bytes(value) : Array(text().utf8))
    }
}

extension CommandFailure {
    /// A timetable that cannot be had.
    init(_ error: TransitSourceError, of source: String) {
        switch error {
        case .service(let error): self.init(error, of: source)
        case .missing: self.init(.noInput, "\(source): there is no such file")
        case .feed(let error): self.init(.badData, error.description)
        }
    }
}
