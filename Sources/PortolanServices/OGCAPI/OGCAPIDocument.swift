package import PortolanGeo
package import PortolanWeb

/// A link of a document of OGC API.
package struct OGCAPILink: Hashable, Sendable {
    /// The address, as the document writes it.
    package let href: String
    /// What it is to the document: `items`, `data`, `next`.
    package let relation: String
    /// The media type of what is there, or `nil`.
    package let type: String?

    /// Whether it leads to what has a relation, named by itself or by the address that OGC has for it.
    package func leads(to relation: String) -> Bool {
        self.relation == relation || self.relation.hasSuffix("ogc/1.0/\(relation)")
            || self.relation == "[ogc-rel:\(relation)]"
    }
}

/// One of the documents by which an OGC API tells what it has (OGC 17-069r4).
package enum OGCAPIDocument: Hashable, Sendable {
    /// Where all begins: a title and links.
    case landing(OGCAPILanding)
    /// The collections.
    case collections([OGCAPICollection], warnings: [MapWarning])
    /// One collection.
    case collection(OGCAPICollection)
    /// The classes of conformance, by their addresses.
    case conformance([String])
}

/// The landing page of an OGC API (OGC 17-069r4, clause 7.2).
package struct OGCAPILanding: Hashable, Sendable {
    /// The title for people, or an empty text.
    package let title: String
    /// The description of the service, or `nil`.
    package let description: String?
    /// Where it leads.
    package let links: [OGCAPILink]
}

/// A collection of features (OGC 17-069r4, clause 7.14).
package struct OGCAPICollection: Hashable, Sendable {
    /// Its name in addresses.
    package let identifier: String
    /// The title for people, or an empty text.
    package let title: String
    /// What it holds, or `nil`.
    package let description: String?
    /// What its items are, `feature` where nothing is said.
    package let itemType: String
    /// Where its features lie, in degrees, or `nil` where that is not said.
    package let geographicBox: BoundingBox?
    /// The systems in which they can be had (OGC 18-058r1), as written; empty where the document names none.
    package let crsNames: [String]
    /// The system in which they are kept, or `nil`.
    package let storageCRSName: String?
    /// Where it leads.
    package let links: [OGCAPILink]
}

extension [OGCAPILink] {
    /// The first link of a relation; GeoJSON goes before JSON, and that before what is of another type.
    package func first(leadingTo relation: String) -> OGCAPILink? {
        let found = filter { $0.leads(to: relation) }
        func first(ofType type: String) -> OGCAPILink? {
            found.first { $0.type?.lowercased().split(separator: ";").first.map(String.init) == type }
        }
        return first(ofType: "application/geo+json") ?? first(ofType: "application/json")
            ?? found.first { $0.type == nil } ?? found.first
    }
}
