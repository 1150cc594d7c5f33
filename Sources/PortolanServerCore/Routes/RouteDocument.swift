import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanRouteBook
import PortolanWeb

/// The JSON documents about routes.
enum RouteDocument {
    /// The file formats of routes.
    enum File: String, CaseIterable {
        case geoJSON = ".geojson"
        case gpx = ".gpx"
    }

    /// Splits the name of a route in a URL into its identifier and format.
    static func file(of name: String) -> (id: String, file: File?) {
        for file in File.allCases where name.hasSuffix(file.rawValue) {
            return (String(name.dropLast(file.rawValue.count)), file)
        }
        return (name, nil)
    }

    /// Returns the summary of a route, without its source file.
    ///
    /// - Parameter openings: the openings that are not yet included in its opinions.
    static func summary(
        _ route: RouteBook.Summary, _ opinions: RouteOpinions, openings: Int, at base: String
    ) -> PropertyValue {
        let address = "\(base)/routes/\(route.id)"
        var members: Properties = [
            "id": .string(route.id), "name": .string(route.name), "date": .string(route.date),
            "places": .array(route.placeNames.map(PropertyValue.string)),
            "bounds": .array(route.bounds.map(PropertyValue.number)), "geojson": .string("\(address).geojson"),
            "gpx": .string("\(address).gpx"), "snapshot": .string("\(address)/snapshot.png"),
            "ratings": .integer(opinions.stars.count), "comments": .integer(opinions.comments.count),
            "openings": .integer(opinions.openings + openings),
        ]
        if let rating = opinions.rating { members["rating"] = .number((rating * 100).rounded() / 100) }
        if let publisher = route.source.publisher { members["publisher"] = .string(publisher) }
        if let description = route.description { members["description"] = .string(description) }
        if let kilometers = route.kilometers { members["kilometers"] = .number(kilometers) }
        if let minutes = route.minutes { members["minutes"] = .number(minutes) }
        return .object(members)
    }

    /// Returns the mean rating and the number of ratings.
    static func rating(_ opinions: RouteOpinions) -> PropertyValue {
        var members: Properties = ["ratings": .integer(opinions.stars.count)]
        if let rating = opinions.rating { members["rating"] = .number((rating * 100).rounded() / 100) }
        return .object(members)
    }

    /// Returns the comments on a route.
    static func comments(_ opinions: RouteOpinions) -> PropertyValue {
        ["comments": .array(opinions.comments.map(comment))]
    }

    static func comment(_ comment: RouteOpinions.Comment) -> PropertyValue {
        [
            "id": .integer(comment.id), "author": .string(comment.author), "text": .string(comment.text),
            "date": .string(comment.date),
        ]
    }

    /// Returns a warning about a list, with the route that it refers to.
    static func warning(_ warning: MapWarning) -> PropertyValue {
        var members: Properties = [
            "code": .string(warning.code.rawValue), "effect": .string(warning.effect.rawValue),
            "message": .string(warning.message),
        ]
        if let route = warning.subject.feature { members["route"] = .string(route) }
        return .object(members)
    }

    /// Responds with a document that may change at any time, so that clients must revalidate it.
    static func answer(_ document: PropertyValue, to request: ServerRequest) -> ServerResponse {
        answer(ServerResponse(json: document), to: request)
    }

    /// Responds with a route as a file: the original if it was uploaded in that format.
    static func answer(_ file: File, of route: BookedRoute, to request: ServerRequest) -> ServerResponse {
        switch file {
        case .geoJSON:
            answer(
                ServerResponse(type: "application/geo+json", body: GeoJSONWriter.write(route.collection)), to: request)
        case .gpx:
            answer(
                ServerResponse(
                    type: "application/gpx+xml",
                    body: route.summary.file == "route.gpx"
                        ? route.document : GPXFormat().write(route.collection) ?? []), to: request)
        }
    }

    private static func answer(_ whole: ServerResponse, to request: ServerRequest) -> ServerResponse {
        let tag = EntityTag(whole.body)
        var response = whole
        if request.knows(tag) { response = ServerResponse(status: 304) }
        response.set("ETag", "\(tag)")
        response.set("Cache-Control", "no-cache")
        return response
    }
}

extension Problem {
    /// Creates a problem from an error of a route book, without file paths.
    init(_ error: MapError) {
        switch error.code {
        case .notFound: self.init(.notFound, "unknown route", key: "id")
        case .busy: self.init(.overloaded, "the route book is busy", retryAfter: 5)
        case .duplicate: self.init(.conflict, error.message)
        case .malformedDocument, .nothingFound: self.init(.unreadableBody, "not a valid route: \(error.message)")
        case .tooLarge: self.init(.full, error.message)
        default: self.init(.failed, "cannot read or write the route book")
        }
    }
}
