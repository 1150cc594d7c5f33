import Foundation
public import Portolan
public import PortolanFeatures
public import PortolanFormats
import PortolanGeo
public import PortolanWeb

/// A folder of routes with their original documents and summaries.
///
/// Each route is a subfolder named by its identifier, with the document (`route.geojson` or `route.gpx`), `about.json`,
/// and the files that the document refers to by relative URLs. There is no index that could become inconsistent, and a
/// damaged route only causes a warning. Changes are prepared in a separate folder and moved atomically, so that readers
/// and killed processes never see or leave partial routes. Processes take turns to change the book; readers never wait.
///
/// A route from a server remains a document of that server: its references cannot access local files.
public struct RouteBook: Sendable {
    /// The path of the folder.
    public let folder: String

    /// The maximum size of an imported document: 64 MiB.
    public static let maximumByteCount = 64 << 20

    /// The maximum number of routes in a book.
    public static let maximumRouteCount = 100_000

    let formats: FeatureFormats

    /// Creates a book in a folder, which does not need to exist yet.
    ///
    /// - Parameter formats: the formats for imports.
    public init(folder: String = RouteBook.standardFolder, formats: FeatureFormats = .standard) {
        self.folder = folder
        self.formats = formats
    }

    /// The default folder of the user: `portolan/routes` in `$XDG_DATA_HOME` or `~/.local/share`, or in Application
    /// Support on Apple platforms.
    public static var standardFolder: String {
        #if canImport(Darwin)
        let data = URL.applicationSupportDirectory.path(percentEncoded: false)
        #else
        // Relative paths must be ignored according to the XDG Base Directory Specification.
        let set = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
        let data = set.hasPrefix("/") ? set : NSHomeDirectory() + "/.local/share"
        #endif
        return data + "/portolan/routes"
    }

    /// Returns the routes in the order of addition, and a warning for each damaged one.
    ///
    /// - Throws: ``/Portolan/MapError`` if the folder cannot be read. A missing folder is an empty book.
    /// - Complexity: reads one small file for each route.
    public func routes() throws(MapError) -> (routes: [RouteBook.Summary], warnings: [MapWarning]) {
        var routes: [RouteBook.Summary] = [], warnings: [MapWarning] = []
        for id in try identifiers() {
            do { routes.append(try summary(of: id)) } catch  where error.code == .notFound {
                continue  // another process has just removed it
            } catch { warnings.append(MapWarning(.data, effect: .omitted, message: "\(error)")) }
        }
        return (routes.sorted { ($0.order ?? 0, $0.date, $0.id) < ($1.order ?? 0, $1.date, $1.id) }, warnings)
    }

    /// Returns the summary of a route.
    ///
    /// - Throws: ``/Portolan/MapError`` with the code `notFound`, or `unreadableFile` if the summary is damaged.
    public func summary(of id: String) throws(MapError) -> RouteBook.Summary {
        guard Self.isIdentifier(id) else { throw notFound(id) }
        let file = path(of: id) + "/about.json"
        guard let bytes = Self.contents(of: file, limit: 1 << 20) else { throw unreadable(file, of: id) }
        guard let summary = try? JSONDecoder().decode(RouteBook.Summary.self, from: Data(bytes)), summary.id == id,
            summary.isPlausible
        else {
            throw MapError(.unreadableFile, place: file, "damaged; remove the route and import it again")
        }
        return summary
    }

    /// Returns a route with its features.
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

    /// Returns the routes that contain a text in their name, description or the names and descriptions of their places,
    /// ignoring case and accents.
    ///
    /// - Complexity: reads one small file for each route, and the document if the summary does not contain all place
    ///   texts.
    public func search(_ text: String) throws(MapError) -> [RouteBook.Summary] {
        search(text, among: try routes().routes)
    }

    /// Returns the routes among the given ones that contain a text.
    package func search(_ text: String, among routes: [RouteBook.Summary]) -> [RouteBook.Summary] {
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

    /// Parses a document with at least one line or point, and returns its features in degrees.
    func collection(_ document: [UInt8], from place: String) throws(MapError) -> FeatureCollection {
        guard document.count <= Self.maximumByteCount else {
            throw MapError(
                .tooLarge, place: place,
                "\(document.count) bytes; the limit of a route is \(Self.maximumByteCount)")
        }
        guard formats.format(recognizing: document) != nil else {
            throw MapError(
                .malformedDocument, place: place, "it is \(FeatureFileError.FileKind(recognizing: document).words)")
        }
        let collection: FeatureCollection
        do {
            collection = try formats.read(document, limits: FeatureLimits(maximumByteCount: Self.maximumByteCount))
                .inDegrees().withPlaces()
        } catch { throw MapError(.malformedDocument, place: place, "\(error)") }
        guard let box = collection.boundingBox, collection.features.contains(where: \.isLineOrPlace) else {
            throw MapError(.nothingFound, place: place, "no line and no place in it")
        }
        let isInRange =
            [box.minX, box.maxX].allSatisfy { abs($0) <= 360 } && [box.minY, box.maxY].allSatisfy { abs($0) <= 90 }
        guard isInRange else {
            throw MapError(.malformedDocument, place: place, "its coordinates are not degrees")
        }
        return collection
    }

    /// Returns the folder names that are valid route identifiers.
    func identifiers() throws(MapError) -> [String] {
        let manager = FileManager.default
        guard manager.fileExists(atPath: folder) else { return [] }
        do {
            return try manager.contentsOfDirectory(atPath: folder).filter(Self.isIdentifier).sorted()
        } catch {
            throw MapError(.unreadableFile, place: folder, "cannot read the book: \(error.localizedDescription)")
        }
    }

    func path(of id: String) -> String { folder + "/" + id }

    func notFound(_ id: String) -> MapError {
        MapError(.notFound, place: id, "no such route in \(folder)")
    }

    /// Returns the folder of an existing route.
    package func folder(of id: String) throws(MapError) -> String {
        guard Self.isIdentifier(id), FileManager.default.fileExists(atPath: path(of: id)) else { throw notFound(id) }
        return path(of: id)
    }

    /// Returns the error for an unreadable file.
    ///
    /// Another process may have removed the route since it was listed.
    private func unreadable(_ file: String, of id: String) -> MapError {
        guard FileManager.default.fileExists(atPath: path(of: id)) else { return notFound(id) }
        return MapError(.unreadableFile, place: file, "cannot read it; remove the route and import it again")
    }

    /// Returns whether a name is a valid route identifier, which cannot lead out of the book.
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

/// A route of a book with everything needed to draw it.
public struct BookedRoute: Sendable {
    /// The summary.
    public let summary: RouteBook.Summary
    /// The original document.
    public let document: [UInt8]
    /// The features, in degrees.
    public let collection: FeatureCollection
    /// The base of relative URLs, with the access rights of the document.
    public let baseURL: BaseURL

    /// The selected place, or `nil`.
    public var selectedPlace: Feature? {
        guard let selected = summary.selectedPlace else { return nil }
        return collection.features.first { $0.identifier?.description == selected }
    }

    /// The facts derived from lines and properties.
    public var facts: RouteFacts { RouteFacts(collection, name: summary.name) }
}

extension FeatureCollection {
    /// The names and descriptions of the places, for searching.
    var placeTexts: [String] {
        features.filter { $0.pointOfInterest != nil }.flatMap { place in
            [place.title, place.properties["description"]?.displayText, place.properties["comment"]?.displayText]
                .compactMap(\.self)
        }
    }
}

extension Feature {
    /// Whether the feature is a line or a point.
    fileprivate var isLineOrPlace: Bool {
        switch geometry?.kind {
        case .lineString, .multiLineString, .point, .multiPoint: geometry?.isEmpty == false
        default: false
        }
    }
}

extension MapError {
    /// Creates the error of a route, document or file.
    package init(_ code: Code, place: String, _ reason: String) {
        self.init(code, reason, place: Place(file: place))
    }
}
