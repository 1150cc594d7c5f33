import Foundation
public import Portolan
import PortolanArchives
public import PortolanFeatures
import PortolanFetch
import PortolanGeo

extension RouteBook {
    /// The seconds to wait for another process that changes the book.
    private static let patience = 10.0
    /// The maximum size of place texts that are stored in the summary of a route.
    private static let maximumTextByteCount = 20_000
    /// The folder of unfinished additions and removals.
    ///
    /// Remains of killed processes are deleted by the next change.
    private var staging: String { folder + "/.staging" }

    /// Adds a document to the book.
    ///
    /// - Parameters:
    ///   - name: the name of the route, or `nil` to use the one in the document.
    ///   - source: the origin of the document.
    ///   - files: the files that the document refers to by relative URLs, as paths in its folder with their bytes.
    /// - Returns: the summary of the route.
    /// - Throws: ``/Portolan/MapError`` if the document is not a route, is already in the book, or cannot be written.
    ///   The book is then unchanged.
    /// - Complexity: O(size of the document + routes).
    @discardableResult
    public func add(
        _ document: [UInt8], named name: String? = nil, from source: RouteBook.Source,
        files: [(path: String, bytes: [UInt8])] = []
    ) throws(MapError) -> RouteBook.Summary {
        try add(document, of: try collection(document, from: source.place), named: name, from: source, files: files)
    }

    /// Adds a parsed document to the book.
    func add(
        _ document: [UInt8], of collection: FeatureCollection, named name: String?, from source: RouteBook.Source,
        files: [(path: String, bytes: [UInt8])] = []
    ) throws(MapError) -> RouteBook.Summary {
        let facts = RouteFacts(collection, name: name)
        let digest = SHA256.hash(document).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let format = formats.format(recognizing: document)?.name ?? ""
        let file = format == "GPX" ? "route.gpx" : format.isEmpty ? "route.dat" : "route.geojson"
        let places = collection.features.compactMap(\.pointOfInterest?.name), texts = collection.placeTexts
        let isShort = texts.lazy.map(\.utf8.count).reduce(0, +) <= Self.maximumTextByteCount
        return try changing { () throws(MapError) in
            let known = try routes().routes
            if let twin = known.first(where: { $0.digest == digest }) {
                throw MapError(.duplicate, place: source.place, "already in the book, as '\(twin.id)'")
            }
            let taken = Set(try identifiers())
            guard taken.count < Self.maximumRouteCount else {
                throw MapError(
                    .tooLarge, place: folder, "a book can have at most \(Self.maximumRouteCount) routes")
            }
            let id = Self.identifier(for: facts.name, beside: taken)
            let summary = RouteBook.Summary(
                id: id, name: facts.name, description: Self.description(of: collection),
                kilometers: facts.kilometers.map { ($0 * 1000).rounded() / 1000 },
                minutes: facts.minutes.map { ($0 * 10).rounded() / 10 }, placeCount: facts.placeCount,
                placeNames: places.prefix(200).map { String($0.prefix(200)) }, placeTexts: isShort ? texts : nil,
                bounds: collection.boundingBox.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] } ?? [0, 0, 0, 0],
                source: source, date: Date.now.formatted(.iso8601),
                order: (known.compactMap(\.order).max() ?? 0) + 1, file: file, digest: digest, selectedPlace: nil)
            let made = staging + "/" + UUID().uuidString
            for (path, bytes) in files { try write(bytes, to: made + "/" + path) }
            try write(document, to: made + "/" + file)
            try write(try about(summary), to: made + "/about.json")
            try move(made, to: path(of: id))
            return summary
        }
    }

    /// Renames a route.
    ///
    /// Its identifier does not change.
    ///
    /// - Throws: ``/Portolan/MapError``.
    @discardableResult
    public func rename(_ id: String, to name: String) throws(MapError) -> RouteBook.Summary {
        try update(id) { $0.name = name }
    }

    /// Stores the selected place of a route, or `nil`.
    ///
    /// - Throws: ``/Portolan/MapError`` with the code `notFound` if the route has no such place.
    @discardableResult
    public func select(_ place: Feature.ID?, in id: String) throws(MapError) -> RouteBook.Summary {
        if let place, try route(id).collection.feature(id: place) == nil {
            throw MapError(.notFound, place: id, "no place '\(place)' in the route")
        }
        return try update(id) { $0.selectedPlace = place?.description }
    }

    /// Selects the next or previous stop of a route, and returns it.
    ///
    /// The first stop follows the last one.
    ///
    /// - Throws: ``/Portolan/MapError`` with the code `notFound` if the route has no stops.
    @discardableResult
    public func step(_ id: String, by count: Int) throws(MapError) -> Feature {
        let route = try route(id)
        let stops = route.collection.features.stops
        guard !stops.isEmpty else {
            throw MapError(.notFound, place: id, "no navigable place in the route")
        }
        let current = stops.firstIndex { $0.identifier?.description == route.summary.selectedPlace }
        let start = current ?? (count > 0 ? -1 : stops.count), place = start + count % stops.count
        let stop = stops[(place % stops.count + stops.count) % stops.count]
        try update(id) { $0.selectedPlace = stop.identifier?.description }
        return stop
    }

    /// Removes a route with its folder.
    ///
    /// The original document is not touched.
    ///
    /// - Throws: ``/Portolan/MapError``.
    public func remove(_ id: String) throws(MapError) {
        try changing { () throws(MapError) in
            let route = try folder(of: id)
            // Damaged routes can be removed, too. The move makes the removal atomic.
            let gone = staging + "/" + UUID().uuidString
            try move(route, to: gone)
            try? FileManager.default.removeItem(atPath: gone)
        }
    }

    @discardableResult
    private func update(
        _ id: String, _ change: (inout RouteBook.Summary) -> Void
    ) throws(MapError) -> RouteBook.Summary {
        try changing { () throws(MapError) in
            var summary = try summary(of: id)
            change(&summary)
            let file = path(of: id) + "/about.json"
            do { try Data(try about(summary)).write(to: URL(filePath: file), options: .atomic) } catch {
                throw MapError(.unwritableFile, place: file, "cannot write it: \(error.localizedDescription)")
            }
            return summary
        }
    }

    /// Performs a change while no other process changes the book.
    package func changing<Result>(_ work: () throws(MapError) -> Result) throws(MapError) -> Result {
        do { try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true) } catch {
            throw MapError(.unwritableFile, place: folder, "cannot write the book: \(error.localizedDescription)")
        }
        let lease = try lease()
        return try withExtendedLifetime(lease) { () throws(MapError) in
            for left in (try? FileManager.default.contentsOfDirectory(atPath: staging)) ?? [] {
                try? FileManager.default.removeItem(atPath: staging + "/" + left)
            }
            return try work()
        }
    }

    private func lease() throws(MapError) -> FileLease? {
        let end = Date.now + Self.patience
        while true {
            do { return try FileLease.taken(of: folder + "/.book") } catch {
                guard Date.now < end else { throw MapError(.busy, place: folder, error.detail) }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    /// Writes a new file and synchronizes it to the disk.
    private func write(_ bytes: [UInt8], to path: String) throws(MapError) {
        let manager = FileManager.default
        do {
            try manager.createDirectory(
                atPath: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), withIntermediateDirectories: true
            )
            try Data(bytes).write(to: URL(filePath: path))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            defer { try? file.close() }
            try file.synchronize()
        } catch {
            throw MapError(.unwritableFile, place: path, "cannot write it: \(error.localizedDescription)")
        }
    }

    private func move(_ path: String, to other: String) throws(MapError) {
        do { try FileManager.default.moveItem(atPath: path, toPath: other) } catch {
            throw MapError(.unwritableFile, place: other, "cannot write it: \(error.localizedDescription)")
        }
    }

    private func about(_ summary: RouteBook.Summary) throws(MapError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return [UInt8](try encoder.encode(summary)) } catch {
            throw MapError(.unwritableFile, place: summary.id, "cannot write its metadata")
        }
    }

    /// Returns a unique identifier made of the letters and digits of a name.
    private static func identifier(for name: String, beside taken: Set<String>) -> String {
        let plain = name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        let words = plain.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        var base = words.joined(separator: "-").prefix(40)
        while base.last == "-" { base.removeLast() }
        if base.isEmpty { base = "route" }
        guard taken.contains(String(base)) else { return String(base) }
        var number = 2
        while taken.contains("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }

    private static func description(of collection: FeatureCollection) -> String? {
        let lines = collection.features.lazy.filter(\.isLine)
        let stated =
            lines.compactMap(\.route?.description).first ?? collection.foreignMembers["description"]?.displayText
        let text =
            stated ?? lines.compactMap { $0.firstText(of: ["description", "desc", "summary"])?.displayText }.first
        return text.map { String($0.prefix(2000)) }
    }
}
