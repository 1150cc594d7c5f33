import PortolanGeo
import PortolanServices
import PortolanWeb
import PortolanXML

/// Checks the documents of a Tile Map Service against *Tile Map Service Specification* 1.0.0.
///
/// Sends no requests.
package enum TMSCheck {
    /// The findings about a document.
    ///
    /// - Complexity: linear in its length.
    package static func findings(in evidence: CapabilitiesEvidence) -> [Finding] {
        var list = FindingList()
        let document: TMSDocument, tree: XMLTree
        do {
            document = try TMSReader.read(evidence.bytes, contentType: evidence.contentType)
            tree = try XMLReader().tree(of: evidence.bytes)
        } catch {
            list.add(
                .fault, .documentUnreadable, evidence.address, "\(error)",
                remedy: "open the document in a browser and fix the stated line")
            return list.findings
        }
        let address = AddressCheck(askedAt: evidence.address)
        switch document {
        case .services(let services): check(services, address, into: &list)
        case .service(let service): check(service.maps, address, into: &list)
        case .map(let map):
            let subject = "'\(map.title)'"
            list.add(DocumentCheck(evidence, subject: subject).findings(markup: tree.warnings))
            for warning in map.warnings where !tree.warnings.contains(warning) {
                list.add(
                    .deviation, .documentOdd, subject, warning.description,
                    remedy: "write the document by the Tile Map Service 1.0.0 specification")
            }
            check(map, subject, into: &list)
            for set in map.tileSets.prefix(1) {
                address.check(
                    address.base.resolving(set.href), subject: subject, isPrefix: false, into: &list)
            }
            return list.findings
        }
        list.add(DocumentCheck(evidence, subject: "document").findings(markup: tree.warnings))
        return list.findings
    }

    private static func check(_ references: [TMSReference], _ address: AddressCheck, into list: inout FindingList) {
        if references.isEmpty {
            list.add(
                .fault, .layersMissing, "document", "it lists no tile map",
                remedy: "list each map with its URL")
        }
        for reference in references {
            address.check(
                address.base.resolving(reference.href), subject: "'\(reference.title)'", isPrefix: false, into: &list)
        }
    }

    private static func check(_ map: TMSTileMap, _ subject: String, into list: inout FindingList) {
        if map.crs == nil {
            list.add(
                .note, .crsUnknown, map.crsName, "unknown coordinate system; the map cannot be used",
                remedy: "write AUTHORITY:CODE, as EPSG:3857")
        }
        if map.extent == nil {
            list.add(
                .deviation, .boundingBoxUnusable, subject, "no usable bounding box",
                remedy: "give minx, miny, maxx and maxy in units of the SRS")
        }
        let resolutions = map.tileSets.sorted { $0.order < $1.order }.map(\.resolution)
        if resolutions != resolutions.sorted(by: >) {
            list.add(
                .deviation, .matrixOrder, subject, "the levels are not ordered from coarsest to finest",
                remedy: "number them so that units-per-pixel decreases")
        }
        guard let profile = map.profile, let crs = map.crs else { return }
        let expected: CRS? =
            profile.hasSuffix("global-mercator") ? .webMercator : profile.hasSuffix("global-geodetic") ? .crs84 : nil
        if let expected, !crs.hasCoordinates(of: expected) {
            list.add(
                .deviation, .documentOdd, subject, "the profile '\(profile)' does not match \(map.crsName)",
                remedy: "write profile=\"local\"")
        }
    }
}
