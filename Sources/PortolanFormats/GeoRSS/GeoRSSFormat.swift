public import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanXML

/// RSS and Atom feeds with positions: GeoRSS Simple, GeoRSS GML, and the W3C's `lat` and `long`.
///
/// An item or entry becomes a feature. Its elements become properties: `title`, `link` (for Atom its URL),
/// `description` or `summary`, times, `id` or `guid`. A repeated element becomes a list. Latitude is first, also in GML
/// unless a `srsName` specifies otherwise (OGC 17-002r1). The title of the feed is the member `name` of the collection.
///
/// Coordinates are WGS 84, or in the CRS that GML names.
public struct GeoRSSFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `GeoRSS`.
    public var name: String { "GeoRSS" }

    /// Returns whether the first element is `rss`, `feed`, or the `RDF` of RSS 1.0.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        guard let root = XMLRoot(start) else { return false }
        return ["rss", "feed", "RDF", "entry"].contains(root.name)
    }

    /// Reads a document.
    ///
    /// Items without a position become features without geometry.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        try GeoRSSReader.read(document, limits: limits)
    }
}

/// Reads a feed item by item.
private final class GeoRSSReader: XMLFragmentHandler {
    private var gathering: FeatureGathering
    private var system = CommonSystem()
    private var members: Properties = [:]
    private var depth = 0
    private var fault: FeatureFileError?

    private init(_ gathering: FeatureGathering) { self.gathering = gathering }

    static func read(_ document: [UInt8], limits: FeatureLimits) throws(FeatureFileError) -> FeatureCollection {
        let gathering = try FeatureGathering("GeoRSS", limits: limits, documentLength: document.count)
        var reader = GeoRSSReader(gathering)
        let xml = XMLReader(limits: XMLLimits(limits))
        do {
            let warnings = try xml.readLeniently(document) { document throws(XMLError) in
                reader = GeoRSSReader(gathering)
                return try xml.read(document, inFragmentsTo: reader)
            }
            for warning in warnings { reader.gathering.add(warning) }
        } catch { throw reader.fault ?? FeatureFileError(error, in: "GeoRSS") }
        return reader.gathering.collection(crs: reader.system.crs, foreignMembers: reader.members)
    }

    func begin(_ tag: XMLStartTag) throws(XMLError) -> XMLFragmentChoice {
        switch tag.name {
        case "item", "entry", "title": return .whole
        case "channel" where depth == 1, "rss" where depth == 0, "feed" where depth == 0, "RDF" where depth == 0:
            depth += 1
            return .enter
        default:
            guard depth > 0 else {
                throw XMLError(
                    .refused("not a feed: the root element is '\(tag.name)'"), line: tag.line)
            }
            return .skip
        }
    }

    func end() throws(XMLError) { depth -= 1 }

    func whole(_ element: XMLElement) throws(XMLError) {
        guard element.name != "title" else {
            if members["name"] == nil, !element.text.isEmpty { members["name"] = .string(element.text) }
            return
        }
        let item = GeoRSSItem(element)
        var feature = item.feature
        if item.isBroken {
            let name = feature.warningName ?? "\(gathering.features.count + 1)"
            gathering.warn(.omitted, feature: name, line: element.line, "cannot read its geometry")
        }
        feature.geometry = feature.geometry.flatMap { system.geometry($0, in: item.crs) }
        do throws(FeatureFileError) { try gathering.add(feature, at: .line(element.line)) } catch {
            fault = error
            throw XMLError(.limit(error.detail), line: element.line)
        }
    }
}
