import Foundation
package import Portolan
package import PortolanRouteBook
import PortolanWeb

/// The ratings and comments of a published route, stored in `opinions.json` in the folder of the route.
package struct RouteOpinions: Hashable, Sendable, Codable {
    /// A comment on a route.
    package struct Comment: Hashable, Sendable, Codable {
        /// The identifier, unique within the route.
        package let id: Int
        /// The name of the author.
        package let author: String
        /// The text.
        package let text: String
        /// The time in UTC, in the format of RFC 3339.
        package let date: String
    }

    /// The ratings by person, 1 to 5 stars.
    package private(set) var stars: [String: Int] = [:]
    /// The comments, oldest first.
    package private(set) var comments: [Comment] = []
    /// The number of times that the route was opened.
    package fileprivate(set) var openings = 0
    private var nextComment = 1

    /// The maximum characters of a comment, and the maximum comments of a route.
    package static let maximumTextCount = 2000, maximumCommentCount = 1000

    /// Creates empty opinions.
    package init() {}

    /// The mean number of stars, or `nil` without ratings.
    package var rating: Double? {
        stars.isEmpty ? nil : Double(stars.values.reduce(0, +)) / Double(stars.count)
    }

    /// Sets the rating of a person, or removes it.
    package mutating func rate(_ count: Int?, by person: String) { stars[person] = count.map { min(max($0, 1), 5) } }

    /// Adds a comment, or returns `nil` if the route has the maximum number of comments.
    package mutating func comment(_ text: String, by person: String) -> Comment? {
        guard comments.count < Self.maximumCommentCount else { return nil }
        let comment = Comment(id: nextComment, author: person, text: text, date: Date.now.formatted(.iso8601))
        nextComment += 1
        comments.append(comment)
        return comment
    }

    /// Removes a comment.
    package mutating func removeComment(_ id: Int) { comments.removeAll { $0.id == id } }

    /// Whether the decoded values are valid.
    fileprivate var isPlausible: Bool {
        openings >= 0 && stars.values.allSatisfy { (1...5).contains($0) } && stars.count <= 100_000
            && comments.count <= Self.maximumCommentCount && comments.allSatisfy { $0.id < nextComment }
    }
}

extension RouteBook {
    private static let opinionsName = "/opinions.json"
    /// The maximum comments at maximum length, with a margin.
    private static let opinionsByteLimit = 32 << 20

    /// Returns the opinions about a route.
    ///
    /// - Throws: ``/Portolan/MapError`` with the code `notFound`, or `unreadableFile` if the file is damaged.
    package func opinions(of id: String) throws(MapError) -> RouteOpinions {
        let file = try folder(of: id) + Self.opinionsName
        // A route without opinions has no file.
        guard FileManager.default.fileExists(atPath: file) else { return RouteOpinions() }
        guard let bytes = try? LocalFile(at: file).bytes(limit: Self.opinionsByteLimit),
            let opinions = try? JSONDecoder().decode(RouteOpinions.self, from: Data(bytes)), opinions.isPlausible
        else {
            throw MapError(.unreadableFile, place: file, "the file is damaged; remove it to reset stars and comments")
        }
        return opinions
    }

    /// Changes the opinions about a route, with a lock against other processes.
    ///
    /// - Returns: the result of the change.
    /// - Throws: ``/Portolan/MapError``; the opinions are then unchanged.
    package func changeOpinions<Value>(
        of id: String, _ change: (inout RouteOpinions) throws(MapError) -> Value
    ) throws(MapError) -> Value {
        try changing { () throws(MapError) in try self.changed(id, change) }
    }

    /// Adds openings to routes.
    ///
    /// Routes that were removed, or whose opinions are damaged, are skipped.
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
            throw MapError(.unwritableFile, place: file, "cannot write the file: \(error.localizedDescription)")
        }
        return value
    }
}
