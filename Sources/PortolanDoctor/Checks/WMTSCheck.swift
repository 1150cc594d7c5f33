import PortolanGeo
import PortolanServices
import PortolanXML

/// Checks a WMTS capabilities document against OGC 07-057r7, and for problems of clients.
///
/// Sends no requests.
package enum WMTSCheck {
    /// The findings about a document.
    ///
    /// - Complexity: linear in its length, and in layers × the matrices of their sets.
    package static func findings(in evidence: CapabilitiesEvidence) -> [Finding] {
        var list = FindingList()
        let capabilities: WMTSCapabilities, tree: XMLTree
        do {
            capabilities = try WMTSCapabilitiesReader.read(evidence.bytes, contentType: evidence.contentType)
            tree = try XMLReader().tree(of: evidence.bytes)
        } catch {
            list.add(
                .fault, .documentUnreadable, "capabilities", "\(error)",
                remedy: "open the document in a browser and fix the stated line")
            return list.findings
        }
        let document = DocumentCheck(evidence, subject: "capabilities")
        list.add(document.findings(markup: tree.warnings))
        let namespace = "http://www.opengis.net/wmts/1.0"
        if tree.root.namespace != namespace {
            list.add(
                .deviation, .namespaceWrong, "capabilities",
                "the namespace is \(tree.root.namespace.map { "'\($0)'" } ?? "missing"), not '\(namespace)'",
                remedy: "declare xmlns=\"\(namespace)\" at the root element")
        }
        if let type = document.mediaType, !["text/xml", "application/xml"].contains(type) {
            list.add(
                .deviation, .contentType, "capabilities",
                "the Content-Type of the document is '\(type)'; clients may misinterpret it",
                remedy: "set the Content-Type to application/xml")
        }
        checkAddresses(capabilities, evidence.address, into: &list)
        for set in capabilities.matrixSets { check(set, into: &list) }
        checkLayers(capabilities, into: &list)
        let namespaces = [namespace, "http://www.opengis.net/ows/1.1"]
        for contents in tree.root.children("Contents") {
            ContentModel.wmts.check(contents, namespaces: namespaces, into: &list)
            for matrix in contents.children("TileMatrixSet").flatMap({ $0.children("TileMatrix") }) {
                checkNumbers(of: matrix, into: &list)
            }
        }
        return list.findings
    }

    private static func checkAddresses(
        _ capabilities: WMTSCapabilities, _ address: String, into list: inout FindingList
    ) {
        let check = AddressCheck(askedAt: address, clause: "OGC 07-057r7 8.2.1")
        for operation in capabilities.operations {
            for endpoint in operation.endpoints {
                check.check(
                    endpoint.url, subject: operation.name,
                    isPrefix: endpoint.takesParameters && !endpoint.encodings.isEmpty,
                    into: &list)
            }
        }
        let hasTemplates = capabilities.layers.contains { $0.resources.contains(where: \.isTile) }
        if capabilities.operation(named: "GetTile")?.endpoints.isEmpty ?? true, !hasTemplates {
            list.add(
                .fault, .operationMissing, "GetTile", "neither a URL nor a template for tiles",
                remedy: "give the operation a URL, or each layer a ResourceURL")
        }
    }

    // MARK: Matrix sets

    private static func check(_ set: WMTSCapabilities.MatrixSet, into list: inout FindingList) {
        let subject = "matrix set '\(set.identifier)'"
        switch Result(catching: { () throws(CRSError) in try CRS(set.crsName) }) {
        case .failure(.unknown):
            list.add(
                .note, .crsUnknown, set.crsName,
                "Portolan does not know this coordinate system from the EPSG dataset; the set cannot be used",
                remedy: "offer the layers in an EPSG system, too")
        case .failure:
            list.add(
                .deviation, .crsMalformed, set.crsName, "not a valid name of a coordinate system",
                remedy: "write urn:ogc:def:crs:EPSG::25830")
        case .success:
            let parts = set.crsName.split(separator: ":", omittingEmptySubsequences: false)
            if parts.first?.lowercased() == "urn", parts.count == 6 {
                list.add(
                    .deviation, .crsMalformed, set.crsName,
                    "the version field between authority and code is missing (OGC 07-092r3)",
                    remedy: "write two colons: urn:ogc:def:crs:EPSG::\(parts[5])")
            }
        }
        let denominators = set.matrices.map(\.scaleDenominator)
        if denominators != denominators.sorted(by: >) {
            list.add(
                .note, .matrixOrder, subject,
                "the matrices are not ordered from coarsest to finest; clients that rely on it show wrong tiles",
                remedy: "sort them by ScaleDenominator, largest first")
        }
        if Set(set.matrices.map(\.identifier)).count < set.matrices.count {
            list.add(
                .deviation, .nameTwice, subject, "two matrices have the same identifier",
                remedy: "give each matrix a unique identifier")
        }
    }

    private static func checkNumbers(of matrix: XMLElement, into list: inout FindingList) {
        for name in ["TileWidth", "TileHeight", "MatrixWidth", "MatrixHeight"] {
            guard let text = matrix.text(of: name), Int(text) == nil else { continue }
            list.add(
                .deviation, .valueMalformed, "<\(name)>", "'\(text)' is not a whole number; clients reject the matrix",
                remedy: "write digits only")
        }
        if let text = matrix.text(of: "ScaleDenominator"), Double(text) == nil {
            list.add(
                .deviation, .valueMalformed, "<ScaleDenominator>",
                "'\(text)' is not a number; clients reject the matrix",
                remedy: "write digits with a decimal point")
        }
    }

    // MARK: Layers

    private static func checkLayers(_ capabilities: WMTSCapabilities, into list: inout FindingList) {
        if capabilities.layers.isEmpty {
            list.add(
                .fault, .layersMissing, "Contents", "no layers",
                remedy: "list the layers under Contents")
        }
        var names: Set<String> = []
        for layer in capabilities.layers {
            let subject = "'\(layer.identifier)'"
            if !names.insert(layer.identifier).inserted {
                list.add(
                    .deviation, .nameTwice, subject,
                    "another layer has the same identifier; only one of them can be requested",
                    remedy: "give each layer a unique identifier")
            }
            if let format = layer.formats.first(where: { !$0.contains("/") }) {
                list.add(
                    .deviation, .formatMissing, subject,
                    "the format '\(format)' is not a media type; clients may not know that its tiles are images",
                    remedy: "write image/png, or the actual type of the tiles")
            }
            if layer.formats.isEmpty {
                list.add(
                    .deviation, .formatMissing, subject, "no format listed",
                    remedy: "list each format in a <Format>")
            }
            if layer.geographicBox == nil {
                list.add(
                    .note, .geographicBoxMissing, subject,
                    "no geographic box for the layer; clients cannot zoom to it",
                    remedy: "add an ows:WGS84BoundingBox")
            }
            checkTemplates(of: layer, subject, into: &list)
            for link in layer.links {
                guard let set = capabilities.matrixSet(named: link.matrixSet) else {
                    list.add(
                        .fault, .matrixSetMissing, subject, "the matrix set '\(link.matrixSet)' does not exist",
                        remedy: "describe the set, or remove the link")
                    continue
                }
                check(link, to: set, of: layer, subject, into: &list)
            }
        }
    }

    private static func checkTemplates(
        of layer: WMTSCapabilities.Layer, _ subject: String, into list: inout FindingList
    ) {
        for resource in layer.resources where !["tile", "FeatureInfo", "simpleProfileTile"].contains(resource.kind) {
            list.add(
                .deviation, .valueMalformed, subject,
                "the resourceType '\(resource.kind)' is not 'tile', 'simpleProfileTile' or 'FeatureInfo'; clients ignore "
                    + "the template",
                remedy: "use one of the three")
        }
        for resource in layer.resources where resource.isTile {
            guard let template = WMTSTemplate(resource.template, values: [:]) else {
                list.add(
                    .fault, .templateUnusable, subject,
                    "the template '\(resource.template)' gives all tiles the same URL",
                    remedy: "add {TileMatrix}, {TileRow} and {TileCol}")
                continue
            }
            let missing = template.dimensions.filter { layer.dimension(named: $0) == nil }
            if !missing.isEmpty {
                list.add(
                    .deviation, .templateUnusable, subject,
                    "the template needs \(missing.joined(separator: ", ")), which the layer does not have",
                    remedy: "remove it from the template, or describe the dimension")
            }
        }
    }

    private static func checkRepetitions(
        of link: WMTSCapabilities.Layer.Link, to set: WMTSCapabilities.MatrixSet, _ subject: String,
        into list: inout FindingList
    ) {
        var seen: Set<String> = []
        guard let first = link.limits.first(where: { !seen.insert($0.matrix).inserted }) else { return }
        list.add(
            .deviation, .limitsContradict, subject,
            "several limits for matrix '\(first.matrix)' of set '\(set.identifier)'; clients may use only one of them",
            remedy: "write one TileMatrixLimits for each matrix (OGC 07-057r7, table 14)")
    }

    private static func check(
        _ link: WMTSCapabilities.Layer.Link, to set: WMTSCapabilities.MatrixSet, of layer: WMTSCapabilities.Layer,
        _ subject: String,
        into list: inout FindingList
    ) {
        var maker = WMTSGrid(of: set, for: layer)
        _ = try? maker.grid()
        if maker.countsDots {
            list.add(
                .deviation, .scaleDenominatorUnit, "matrix set '\(set.identifier)'",
                "the scale denominators are for pixels at 96 dpi, not of 0.28 mm (OGC 07-057r7 6.1)",
                remedy: "multiply each by 0.0254 / 96 / 0.00028 = 0.944940")
        }
        if maker.hasSwappedCorners {
            list.add(
                .deviation, .cornerAxes, "matrix set '\(set.identifier)'",
                "the corners have their axes swapped, compared with \(set.crsName)",
                remedy: "write TopLeftCorner in the axis order of the system, latitude first in EPSG:4326")
        }
        switch maker.limitCount {
        case .fromTop: break
        case .fromBottom:
            list.add(
                .fault, .limitsContradict, subject,
                "its limits for set '\(set.identifier)' count rows from the bottom; clients that use them request no "
                    + "tile of the layer's area",
                remedy: "count MinTileRow and MaxTileRow from the top, like TileRow (OGC 07-057r7 6.1)")
        case .unknown:
            list.add(
                .fault, .limitsContradict, subject,
                "its limits for set '\(set.identifier)' do not overlap its box",
                remedy: "count rows and columns from the top left corner of each matrix, or fix the box")
        case .doubtful:
            list.add(
                .deviation, .limitsContradict, subject,
                "its limits for set '\(set.identifier)' are a small part of its box; clients cannot tell whether rows count from "
                    + "the top",
                remedy: "set WGS84BoundingBox to the area of the limits")
        }
        checkRepetitions(of: link, to: set, subject, into: &list)
        let matrices = Dictionary(set.matrices.map { ($0.identifier, $0) }) { first, _ in first }
        if link.unusableLimitCount > 0 {
            list.add(
                .deviation, .limitsContradict, subject,
                "\(link.unusableLimitCount) of its limits for set '\(set.identifier)' are not numbers, or the minimum exceeds the "
                    + "greatest",
                remedy: "compute the limits from the extent of the layer, or remove them")
        }
        for limits in link.limits {
            guard let matrix = matrices[limits.matrix] else {
                list.add(
                    .deviation, .limitsContradict, subject,
                    "its limits name a matrix that is not in set '\(set.identifier)'",
                    remedy: "write each identifier exactly as in the set")
                continue
            }
            if limits.rows.upperBound >= matrix.rowCount || limits.columns.upperBound >= matrix.columnCount {
                list.add(
                    .deviation, .limitsContradict, subject,
                    "its limits exceed a matrix of set '\(set.identifier)'",
                    remedy: "count rows and columns from 0; the maximum is MatrixHeight - 1 and MatrixWidth - 1")
            }
        }
    }
}
