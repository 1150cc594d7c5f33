import Foundation
public import Portolan
public import PortolanFeatures
public import PortolanFormats
import PortolanGeo
public import PortolanWeb

/// Routes that are kept in a folder, each as it came, with what is known about it.
///
/// A route is a folder named by its identifier, with the document (`route.geojson` or `route.gpx`), `about.json`, and files
/// that the document names by relative addresses. There is no index to fall out of step: what is damaged is one warning. Each
/// change is made beside the book and takes its place in one step, so that a reader, or a process that is killed, never leaves
/// or sees half of it. Processes that change the book take turns; readers never wait.
///
/// A route that came from a server stays a document of that server: what it names leads nowhere on this machine.
public struct RouteBook: Sendable {
    /// The path of the folder.
    public let folder: String

    /// The longest document that is imported, in bytes: 64 MiB.
    public static let maximumByteCount = 64 << 20

    /// The most routes in a book.
    public static let maximumRouteCount = 100_000

    let formats: FeatureFormats

    /// Makes a book of a folder, which need not exist yet.
    ///
    /// - Parameter formats: the formats of documents that are imported.
    public init(folder: String = RouteBook.standardFolder, formats: FeatureFormats = .standard) {
        self.folder = folder
        self.formats = formats
    }

    /// The folder of the user's own book: `portolan/routes` in `$XDG_DATA_HOME`, `~/.local/share` where that is not set, or in
    /// Application Support on Apple platforms.
    public static var standardFolder: String {
        #if canImport(Darwin)
        let data = URL.applicationSupportDirectory.path(percentEncoded: false)
        #else
        // The XDG Base Directory Specification has relative paths ignored.
        let set = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
        let data = set.hasPrefix("/") ? set : NSHomeDirectory() + "/.local/share"
        #endif
        return data + "/portolan/routes"
    }

    /// The routes in the order in which they came, and a warning for each that is damaged.
    ///
    /// - Throws: ``/Portolan/MapError`` when there is a folder that cannot be read; where there is none the book is empty.
    /// - Complexity: a small file is read for each route.
    public func routes() throws(MapError) -> (routes: [RouteSummary], warnings: [MapWarning]) {
        var routes: [RouteSummary] = [], warnings: [MapWarning] = []
        for id in try identifiers() {
            do { routes.append(try summary(of: id)) } catch  where error.code == .notFound {
                continue  // another process has just removed it
            } catch { warnings.append(MapWarning(.data, effect: .omitted, message: "\(error)")) }
        }
        return (routes.sorted { ($0.order ?? 0, $0.date, $0.id) < ($1.order ?? 0, $1.date, $1.id) }, warnings)
    }

    /// What is known about a route.
    ///
    /// - Throws: ``/Portolan/MapError`` with the code `notFound`, or `file` when what is there is damaged.
    public func summary(of id: String) throws(MapError) -> RouteSummary {
        guard Self.isIdentifier(id) else { throw notFound(id) }
        let file = path(of: id) + "/about.json"
        guard let bytes = Self.contents(of: file, limit: 1 << 20) else { throw unreadable(file, of: id) }
        guard let summary = try? JSONDecoder().decode(RouteSummary.self, from: Data(bytes)), summary.id == id,
            summary.isPlausible
        else {
            throw MapError(.unreadableFile, place: file, "it is damaged; remove the route and import it again")
        }
        return summary
    }

    /// A route with its features.
    ///
    /// - Throws: ``/Portolan/MapError``.
    public func route(_ id: String) throws(MapError) -> BookedRoute {
        let summary = try summary(of: id), file = path(of: id) + "/" + summary.file
        guard let document = Self.contents(of: file, limit: Self.maximumByteCount) else {
            throw unreadable(file, of: id)
        }
        let collection = try collection(document, from: file)
        return BookedRoute(
            summary: summary, document: document, collection: collection,
            baseURL: summary.source.base(of: URL(filePath: file).absoluteString))
    }

    /// The routes whose name or description, or the name or description of one of whose places, contains a text, whatever its case
    /// and accents.
    ///
    /// - Complexity: a small file is read for each route, and the document where that file does not hold all texts of its places.
    public func search(_ text: String) throws(MapError) -> [RouteSummary] {
        search(text, among: try routes().routes)
    }

    /// Those of some routes that contain a text.
    package func search(_ text: String, among routes: [RouteSummary]) -> [RouteSummary] {
        let wanted = Self.folded(text)
        return routes.filter { route in
            let texts = [route.name, route.description ?? ""] + route.placeNames + (route.placeTexts ?? [])
            if texts.contains(where: { Self.folded($0).contains(wanted) }) { return true }
            guard route.placeTexts == nil, route.placeCount > 0, let whole = try? self.route(route.id) else {
                return false
            }
            return whole.collection.placeTexts.contains { Self.folded($0).contains(wanted) }
        }
    }

    /// The features of a document that has a line or a place, with coordinates in degrees.
    func collection(_ document: [UInt8], from place: String) throws(MapError) -> FeatureCollection {
        guard document.count <= Self.maximumByteCount else {
            throw MapError(
                .tooLarge, place: place,
                "it has \(document.count) bytes; a route has at most \(Self.maximumByteCount)")
        }
        guard formats.format(recognizing: document) != nil else {
            throw MapError(.malformedDocument, place: place, "it is \(FileKind(recognizing: document).words)")
        }
        let collection: FeatureCollection
        do {
            collection = try formats.read(document, limits: FeatureLimits(maximumByteCount: Self.maximumByteCount))
                .inDegrees().withPlaces()
        } catch { throw MapError(.malformedDocument, place: place, "\(error)") }
        guard let box = collection.boundingBox, collection.features.contains(where: \.isLineOrPlace) else {
            throw MapError(.nothingFound, place: place, "it has neither a line nor a place")
        }
        let isInRange =
            [box.minX, box.maxX].allSatisfy { abs($0) <= 360 } && [box.minY, box.maxY].allSatisfy { abs($0) <= 90 }
        guard isInRange else {
            throw MapError(.malformedDocument, place: place, "its coordinates are not degrees")
        }
        return collection
    }

    /// The names of the folders that may be routes.
    func identifiers() throws(MapError) -> [String] {
        let manager = FileManager.default
        guard manager.fileExists(atPath: folder) else { return [] }
        do {
            return try manager.contentsOfDirectory(atPath: folder).filter(Self.isIdentifier).sorted()
        } catch {
            throw MapError(.unreadableFile, place: folder, "the book cannot be read: \(error.localizedDescription)")
        }
    }

    func path(of id: String) -> String { folder + "/" + id }

    func notFound(_ id: String) -> MapError {
        MapError(.notFound, place: id, "there is no such route in \(folder)")
    }

    /// The folder of a route that is there.
    package func folder(of id: String) throws(MapError) -> String {
        guard Self.isIdentifier(id), FileManager.default.fileExists(atPath: path(of: id)) else { throw notFound(id) }
        return path(of: id)
    }

    /// Why a file of a route cannot be read: another process may have removed the route since it was listed.
    private func unreadable(_ file: String, of id: String) -> MapError {
        guard FileManager.default.fileExists(atPath: path(of: id)) else { return notFound(id) }
        return MapError(.unreadableFile, place: file, "it cannot be read; remove the route and import it again")
    }

    /// Whether a name is that of a route: nothing that could lead out of the book.
    static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100 && name.first != "-"
            && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    static func contents(of path: String, limit: Int) -> [UInt8]? {
        try? LocalFile(at: path).bytes(limit: limit)
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

/// A route of a book with all that is needed to draw it.
public struct BookedRoute: Sendable {
    /// What is known about it.
    public let summary: RouteSummary
    /// The document as it came.
    public let document: [UInt8]
    /// Its features, in degrees.
    public let collection: FeatureCollection
    /// What its relative addresses are relative to, and what they may lead to.
    public let baseURL: BaseURL

    /// The place that is selected, or `nil` when none is.
    public var selectedPlace: Feature? {
        guard let selected = summary.selectedPlace else { return nil }
        return collection.features.first { $0.identifier?.description == selected }
    }

    /// What the route's line and properties tell.
    public var facts: RouteFacts { RouteFacts(collection, name: summary.name) }
}

extension FeatureCollection {
    /// The names and descriptions of the places, for a search.
    var placeTexts: [String] {
        features.filter { $0.pointOfInterest != nil }.flatMap { place in
            [place.title, place.properties["description"]?.displayText, place.properties["comment"]?.displayText]
                .compactMap(\.self)
        }
    }
}

extension Feature {
    /// Whether it is a line, or a point.
    fileprivate var isLineOrPlace: Bool {
        switch geometry?.kind {
        case .lineString, .multiLineString, .point, .multiPoint: geometry?.isEmpty == false
        default: false
        }
    }
}

extension MapError {
    /// Makes the error of a route, document or file of a book.
    package init(_ code: Code, place: String, _ reason: String) {
        self.init(code, reason, place: Place(file: place))
    }
}
