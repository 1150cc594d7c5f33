package import PortolanGeo
package import PortolanWeb

/// A link in an OGC API document.
package struct OGCAPILink: Hashable, Sendable {
    /// The URL as written in the document.
    package let href: String
    /// The relation: `items`, `data`, `next`.
    package let relation: String
    /// The media type of the target, or `nil`.
    package let type: String?

    /// Returns whether the link has a relation, given by name or by its OGC URI.
    package func leads(to relation: String) -> Bool {
        self.relation == relation || self.relation.hasSuffix("ogc/1.0/\(relation)")
            || self.relation == "[ogc-rel:\(relation)]"
    }
}

/// An OGC API document that describes the service (OGC 17-069r4).
package enum OGCAPIDocument: Hashable, Sendable {
    /// The landing page, with a title and links.
    case landing(OGCAPILanding)
    /// The collections.
    case collections([OGCAPICollection], warnings: [MapWarning])
    /// A single collection.
    case collection(OGCAPICollection)
    /// The URIs of the conformance classes.
    case conformance([String])
}

/// The landing page of an OGC API (OGC 17-069r4, clause 7.2).
package struct OGCAPILanding: Hashable, Sendable {
    /// The title, or an empty string.
    package let title: String
    /// The description of the service, or `nil`.
    package let description: String?
    /// The links.
    package let links: [OGCAPILink]
}

/// A feature collection (OGC 17-069r4, clause 7.14).
package struct OGCAPICollection: Hashable, Sendable {
    /// The identifier in URLs.
    package let identifier: String
    /// The title, or an empty string.
    package let title: String
    /// The description, or `nil`.
    package let description: String?
    /// The type of its items; `feature` by default.
    package let itemType: String
    /// The bounding box of its features in degrees, or `nil` if unknown.
    package let geographicBox: BoundingBox?
    /// The available CRSs (OGC 18-058r1) as written; empty if the document names none.
    package let crsNames: [String]
    /// The native CRS, or `nil`.
    package let storageCRSName: String?
    /// The links.
    package let links: [OGCAPILink]
}

extension [OGCAPILink] {
    /// Returns the first link with a relation; GeoJSON is preferred to JSON, and JSON to other types.
    package func first(leadingTo relation: String) -> OGCAPILink? {
        let found = filter { $0.leads(to: relation) }
        func first(ofType type: String) -> OGCAPILink? {
            found.first { $0.type?.lowercased().split(separator: ";").first.map(String.init) == type }
        }
        return first(ofType: "application/geo+json") ?? first(ofType: "application/json")
            ?? found.first { $0.type == nil } ?? found.first
    }
}
