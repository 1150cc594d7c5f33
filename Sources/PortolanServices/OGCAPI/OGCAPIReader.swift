package import PortolanFeatures
package import PortolanGeo
import PortolanWeb

/// Reads the documents that describe an OGC API.
package enum OGCAPIReader {
    /// The maximum number of collections in a document.
    private static let collectionLimit = 20_000

    /// Reads a document, whose kind is recognized by its members.
    ///
    /// It follows OGC 17-069r4 clauses 7.2, 7.4, 7.13 and 7.14, and OGC 18-058r1 clause 6.2.
    ///
    /// - Throws: ``OGCAPIError``.
    /// - Complexity: linear in its length.
    package static func read(_ bytes: [UInt8]) throws(OGCAPIError) -> OGCAPIDocument {
        let value: PropertyValue
        do { value = try JSONReader.value(bytes: bytes, limits: FeatureLimits(maximumByteCount: 1 << 26)) } catch {
            guard let exception = ServiceExceptionReader.read(bytes) else { throw .otherDocument("an image") }
            // A document that starts like JSON is damaged JSON; other documents have their own message.
            let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { throw .malformed("\(error)") }
            throw .otherDocument(exception.entries.first?.text ?? "no JSON")
        }
        guard let members = value.objectValue else { throw .otherDocument("JSON that is not an object") }
        if let list = members["collections"]?.arrayValue {
            var notes = ReaderNotes(), collections: [OGCAPICollection] = []
            for (place, value) in list.prefix(collectionLimit).enumerated() {
                guard let collection = value.objectValue.flatMap({ collection($0, &notes) }) else {
                    notes.add("the collection at index \(place) has no id; skipped")
                    continue
                }
                collections.append(collection)
            }
            if list.count > collectionLimit {
                notes.add("more than \(collectionLimit) collections; the rest is skipped")
            }
            return .collections(collections, warnings: notes.warnings)
        }
        if let classes = members["conformsTo"]?.arrayValue, members["links"] == nil {
            return .conformance(classes.prefix(1000).compactMap(\.stringValue))
        }
        var notes = ReaderNotes()
        let links = links(of: members)
        // A feature file has no collections to choose from.
        if let type = members["type"]?.stringValue, ["FeatureCollection", "Feature"].contains(type) {
            throw .otherDocument("GeoJSON with features")
        }
        if members["id"] != nil, let collection = collection(members, &notes) { return .collection(collection) }
        guard links.first(leadingTo: "data") != nil || links.first(leadingTo: "conformance") != nil else {
            if let words = OGCAPIReader.words(ofException: members) { throw .exception(words) }
            throw .otherDocument("JSON that is neither a landing page nor a list of collections")
        }
        return .landing(
            OGCAPILanding(
                title: text(members["title"]) ?? "", description: text(members["description"]), links: links))
    }

    /// Returns the message of an exception (OGC 17-069r4 clause 7.5.1, RFC 7807), or `nil` for other documents.
    package static func words(ofException members: Properties) -> String? {
        let code = text(members["code"]) ?? text(members["type"])
        guard let words = text(members["description"]) ?? text(members["detail"]) ?? text(members["title"]),
            code != nil || members["status"] != nil
        else { return nil }
        return code.map { "\($0): \(words)" } ?? words
    }

    /// Returns the message of an exception in a response body, or `nil` if none exists.
    package static func words(ofException body: [UInt8]) -> String? {
        guard body.count <= 1 << 20, body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
            let members = try? JSONReader.value(bytes: body).objectValue
        else { return nil }
        return words(ofException: members).map { ReadableText.line($0, limit: 2000) }
    }

    /// Returns the links of a document that have a URL.
    package static func links(of members: Properties) -> [OGCAPILink] {
        (members["links"]?.arrayValue ?? []).prefix(1000).compactMap { value in
            guard let link = value.objectValue, let href = link["href"]?.stringValue?.trimmingSpace(), !href.isEmpty
            else { return nil }
            return OGCAPILink(href: href, relation: link["rel"]?.stringValue ?? "", type: link["type"]?.stringValue)
        }
    }

    private static func collection(_ members: Properties, _ notes: inout ReaderNotes) -> OGCAPICollection? {
        guard let id = members["id"] ?? members["name"], let identifier = id.displayText, !identifier.isEmpty else {
            return nil
        }
        let spatial = members["extent"]?.objectValue?["spatial"]?.objectValue
        // Drafts of the standard had a single box here.
        let boxes = spatial?["bbox"]?.arrayValue ?? members["extent"]?.objectValue?["spatial"]?.arrayValue
        let sides = boxes?.first?.arrayValue ?? boxes ?? []
        let crs = (members["crs"]?.arrayValue ?? []).prefix(10_000).compactMap { $0.stringValue?.trimmingSpace() }
        return OGCAPICollection(
            identifier: identifier, title: text(members["title"]) ?? "", description: text(members["description"]),
            itemType: members["itemType"]?.stringValue ?? "feature",
            geographicBox: box(sides.compactMap(\.doubleValue), "collection '\(identifier)'", &notes),
            crsNames: crs, storageCRSName: members["storageCrs"]?.stringValue?.trimmingSpace(),
            links: links(of: members))
    }

    private static func box(_ sides: [Double], _ subject: String, _ notes: inout ReaderNotes) -> BoundingBox? {
        if sides.isEmpty { return nil }
        let flat = sides.count == 6 ? [sides[0], sides[1], sides[3], sides[4]] : sides
        guard flat.count == 4, flat[1] <= flat[3],
            let box = ServiceNumber.degrees(west: flat[0], south: flat[1], east: flat[2], north: flat[3])
        else {
            notes.add("\(subject): invalid box")
            return nil
        }
        return box
    }

    private static func text(_ value: PropertyValue?) -> String? {
        value?.displayText.map { ReadableText.line($0, limit: 2000) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A reason why an OGC API cannot provide the requested data.
package enum OGCAPIError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document is not valid JSON, or exceeds a limit; the text has byte and line.
    case malformed(String)
    /// The document is of another kind, which the text describes.
    case otherDocument(String)
    /// The service answered with an exception.
    case exception(String)
    /// The collection does not exist.
    case collectionNotFound(String, suggestion: String?, offers: [String])
    /// The collection has items of another type than features.
    case noFeatures(String, itemType: String)
    /// The collection is not available in the CRS.
    case crsNotOffered(String, collection: String, offers: [String])
    /// The requested CRS is unknown.
    case crs(CRSError)
    /// The document has no link to the required resource, or only one that it may not access.
    case noLink(String)

    /// The error message, in one line.
    package var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .malformed(let reason): "cannot read the document: \(reason)"
        case .otherDocument(let text): "not an OGC API document: \(text)"
        case .exception(let text): "error from the service: \(text)"
        case .collectionNotFound(let name, let suggestion, let offers):
            "unknown collection '\(name)'"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? ";") + " available: \(offers.listed)"
        case .noFeatures(let name, let itemType): "the collection '\(name)' has no features, but: \(itemType)"
        case .crsNotOffered(let name, let collection, let offers):
            "the collection '\(collection)' is not available in \(name); available: \(offers.listed)"
        case .crs(let error): error.description
        case .noLink(let what): "no usable URL for \(what) in the document"
        }
    }
}
