import Foundation
package import Portolan
package import PortolanRouteBook
import PortolanWeb

/// What people say about a route of a book that is published, as it stands in `opinions.json` beside the route.
package struct RouteOpinions: Hashable, Sendable, Codable {
    /// What somebody writes about a route.
    package struct Comment: Hashable, Sendable, Codable {
        /// What tells it from the others of its route.
        package let id: Int
        /// Who wrote it.
        package let author: String
        /// What is written.
        package let text: String
        /// When, in UTC, as RFC 3339 writes it.
        package let date: String
    }

    /// The stars that each person gave, 1 to 5.
    package private(set) var stars: [String: Int] = [:]
    /// What was written, the oldest first.
    package private(set) var comments: [Comment] = []
    /// How often the route was opened.
    package fileprivate(set) var openings = 0
    private var nextComment = 1

    /// The most characters of a comment, and the most comments of a route.
    package static let maximumTextCount = 2000, maximumCommentCount = 1000

    /// Nobody has said anything yet.
    package init() {}

    /// The mean of the stars, or `nil` where nobody gave any.
    package var rating: Double? {
        stars.isEmpty ? nil : Double(stars.values.reduce(0, +)) / Double(stars.count)
    }

    /// Gives a route stars in the name of a person, or takes them back.
    package mutating func rate(_ count: Int?, by person: String) { stars[person] = count.map { min(max($0, 1), 5) } }

    /// Adds a comment, or returns `nil` where the route has as many as it takes.
    package mutating func comment(_ text: String, by person: String) -> Comment? {
        guard comments.count < Self.maximumCommentCount else { return nil }
        let comment = Comment(id: nextComment, author: person, text: text, date: Date.now.formatted(.iso8601))
        nextComment += 1
        comments.append(comment)
        return comment
    }

    /// Takes a comment back.
    package mutating func removeComment(_ id: Int) { comments.removeAll { $0.id == id } }

    /// Whether what was read can be used.
    fileprivate var isPlausible: Bool {
        openings >= 0 && stars.values.allSatisfy { (1...5).contains($0) } && stars.count <= 100_000
            && comments.count <= Self.maximumCommentCount && comments.allSatisfy { $0.id < nextComment }
    }
}

extension RouteBook {
    private static let opinionsName = "/opinions.json"
    /// A thousand comments of two thousand characters, and room.
    private static let opinionsByteLimit = 32 << 20

    /// What people say about a route.
    ///
    /// - Throws: ``/Portolan/MapError`` with the code `notFound`, or `unreadableFile` if the file is damaged.
    package func opinions(of id: String) throws(MapError) -> RouteOpinions {
        let file = try folder(of: id) + Self.opinionsName
        // Nobody has said anything yet.
        guard FileManager.default.fileExists(atPath: file) else { return RouteOpinions() }
        guard let bytes = try? LocalFile(at: file).bytes(limit: Self.opinionsByteLimit),
            let opinions = try? JSONDecoder().decode(RouteOpinions.self, from: Data(bytes)), opinions.isPlausible
        else { throw MapError(.unreadableFile, place: file, "it is damaged; remove it, and what people said is gone") }
        return opinions
    }

    /// Changes what people say about a route, while no other process does.
    ///
    /// - Returns: what the change returns.
    /// - Throws: ``/Portolan/MapError``; the opinions are then as they were.
    package func changeOpinions<Value>(
        of id: String, _ change: (inout RouteOpinions) throws(MapError) -> Value
    ) throws(MapError) -> Value {
        try changing { () throws(MapError) in try self.changed(id, change) }
    }

    /// Adds to how often routes were opened; those that are gone, or whose opinions are damaged, are passed over.
    package func addOpenings(_ counts: [String: Int]) throws(MapError) {
        try changing { () throws(MapError) in
            for (id, count) in counts { try? changed(id) { $0.openings += count } }
        }
    }

    private func changed<Value>(
        _ id: String, _ change: (inout RouteOpinions) throws(MapError) -> Value
    ) throws(MapError) -> Value {
        var opinions = try opinions(of: id)
        let value = try change(&opinions), file = try folder(of: id) + Self.opinionsName
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { try encoder.encode(opinions).write(to: URL(filePath: file), options: .atomic) } catch {
            throw MapError(.unwritableFile, place: file, "it cannot be written: \(error.localizedDescription)")
        }
        return value
    }
}
