import PortolanGeo
import PortolanServices
import PortolanXML

/// Checks a capabilities document of a WMTS against OGC 07-057r7, and for what clients stumble over.
///
/// It is pure: nothing is fetched.
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
                remedy: "ask for the document in a browser and mend what the line tells")
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
                "the document is declared as '\(type)'; clients may take it for something else",
                remedy: "send application/xml as its Content-Type")
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
                .fault, .operationMissing, "GetTile", "neither an address nor a template is given for tiles",
                remedy: "give the operation an address, or each layer a ResourceURL")
        }
    }

    // MARK: Matrix sets

    private static func check(_ set: WMTSMatrixSet, into list: inout FindingList) {
        let subject = "matrix set '\(set.identifier)'"
        switch Result(catching: { () throws(CRSError) in try CRS(set.crsName) }) {
        case .failure(.unknown):
            list.add(
                .note, .crsUnknown, set.crsName,
                "the reference system is not in the EPSG dataset as Portolan knows it; the set cannot be used",
                remedy: "offer the layers in an EPSG system too")
        case .failure:
            list.add(
                .deviation, .crsMalformed, set.crsName, "this is not the name of a reference system",
                remedy: "write urn:ogc:def:crs:EPSG::25830")
        case .success:
            let parts = set.crsName.split(separator: ":", omittingEmptySubsequences: false)
            if parts.first?.lowercased() == "urn", parts.count == 6 {
                list.add(
                    .deviation, .crsMalformed, set.crsName,
                    "the place of the version is missing between authority and code (OGC 07-092r3)",
                    remedy: "write two colons: urn:ogc:def:crs:EPSG::\(parts[5])")
            }
        }
        let denominators = set.matrices.map(\.scaleDenominator)
        if denominators != denominators.sorted(by: >) {
            list.add(
                .note, .matrixOrder, subject,
                "the matrices do not go from the coarsest to the finest; clients that count on it show wrong tiles",
                remedy: "sort them by ScaleDenominator, the greatest first")
        }
        if Set(set.matrices.map(\.identifier)).count < set.matrices.count {
            list.add(
                .deviation, .nameTwice, subject, "two matrices have the same identifier",
                remedy: "give each matrix an identifier of its own")
        }
    }

    private static func checkNumbers(of matrix: XMLElement, into list: inout FindingList) {
        for name in ["TileWidth", "TileHeight", "MatrixWidth", "MatrixHeight"] {
            guard let text = matrix.text(of: name), Int(text) == nil else { continue }
            list.add(
                .deviation, .valueMalformed, "<\(name)>", "'\(text)' is no whole number; clients refuse the matrix",
                remedy: "write digits alone")
        }
        if let text = matrix.text(of: "ScaleDenominator"), Double(text) == nil {
            list.add(
                .deviation, .valueMalformed, "<ScaleDenominator>", "'\(text)' is no number; clients refuse the matrix",
                remedy: "write digits with a point before the fraction")
        }
    }

    // MARK: Layers

    private static func checkLayers(_ capabilities: WMTSCapabilities, into list: inout FindingList) {
        if capabilities.layers.isEmpty {
            list.add(
                .fault, .layersMissing, "Contents", "there are no layers",
                remedy: "list the layers under Contents")
        }
        var names: Set<String> = []
        for layer in capabilities.layers {
            let subject = "'\(layer.identifier)'"
            if !names.insert(layer.identifier).inserted {
                list.add(
                    .deviation, .nameTwice, subject,
                    "another layer has the same identifier; only one of them can be asked for",
                    remedy: "give each layer an identifier of its own")
            }
            if let format = layer.formats.first(where: { !$0.contains("/") }) {
                list.add(
                    .deviation, .formatMissing, subject,
                    "the format '\(format)' is no media type; clients may not know that its tiles are images",
                    remedy: "write image/png or what the tiles are")
            }
            if layer.formats.isEmpty {
                list.add(
                    .deviation, .formatMissing, subject, "no format is listed",
                    remedy: "list each format in a <Format>")
            }
            if layer.geographicBox == nil {
                list.add(
                    .note, .geographicBoxMissing, subject,
                    "the layer does not tell in degrees where it is; clients cannot go there",
                    remedy: "give it an ows:WGS84BoundingBox")
            }
            checkTemplates(of: layer, subject, into: &list)
            for link in layer.links {
                guard let set = capabilities.matrixSet(named: link.matrixSet) else {
                    list.add(
                        .fault, .matrixSetMissing, subject, "the matrix set '\(link.matrixSet)' is not there",
                        remedy: "describe the set, or leave out the link")
                    continue
                }
                check(link, to: set, of: layer, subject, into: &list)
            }
        }
    }

    private static func checkTemplates(of layer: WMTSLayer, _ subject: String, into list: inout FindingList) {
        for resource in layer.resources where !["tile", "FeatureInfo", "simpleProfileTile"].contains(resource.kind) {
            list.add(
                .deviation, .valueMalformed, subject,
                "the resourceType '\(resource.kind)' is none of 'tile', 'simpleProfileTile' and 'FeatureInfo'; clients pass "
                    + "the template over",
                remedy: "write one of the three")
        }
        for resource in layer.resources where resource.isTile {
            guard let template = WMTSTemplate(resource.template, values: [:]) else {
                list.add(
                    .fault, .templateUnusable, subject, "tiles cannot be told apart by '\(resource.template)'",
                    remedy: "put {TileMatrix}, {TileRow} and {TileCol} in it")
                continue
            }
            let missing = template.dimensions.filter { layer.dimension(named: $0) == nil }
            if !missing.isEmpty {
                list.add(
                    .deviation, .templateUnusable, subject,
                    "the template asks for \(missing.joined(separator: ", ")), which the layer does not have",
                    remedy: "take it out of the template, or describe the dimension")
            }
        }
    }

    private static func checkRepetitions(
        of link: WMTSLayer.Link, to set: WMTSMatrixSet, _ subject: String, into list: inout FindingList
    ) {
        var seen: Set<String> = []
        guard let first = link.limits.first(where: { !seen.insert($0.matrix).inserted }) else { return }
        list.add(
            .deviation, .limitsContradict, subject,
            "it has several limits of matrix '\(first.matrix)' of set '\(set.identifier)'; clients may follow one of them alone",
            remedy: "write one TileMatrixLimits for each matrix (OGC 07-057r7, table 14)")
    }

    private static func check(
        _ link: WMTSLayer.Link, to set: WMTSMatrixSet, of layer: WMTSLayer, _ subject: String,
        into list: inout FindingList
    ) {
        var maker = WMTSGrid(of: set, for: layer)
        _ = try? maker.grid()
        if maker.countsDots {
            list.add(
                .deviation, .scaleDenominatorUnit, "matrix set '\(set.identifier)'",
                "the scale denominators are those of pixels of 96 dots an inch, not of 0.28 mm (OGC 07-057r7 6.1)",
                remedy: "multiply each by 0.0254 / 96 / 0.00028 = 0.944940")
        }
        if maker.hasSwappedCorners {
            list.add(
                .deviation, .cornerAxes, "matrix set '\(set.identifier)'",
                "the corners have their axes the other way round than \(set.crsName)",
                remedy: "write TopLeftCorner in the order of the system's axes, latitude first in EPSG:4326")
        }
        switch maker.limitCount {
        case .fromTop: break
        case .fromBottom:
            list.add(
                .fault, .limitsContradict, subject,
                "its limits to set '\(set.identifier)' count rows from the bottom; clients that follow them ask for no "
                    + "tile where the layer is",
                remedy: "count MinTileRow and MaxTileRow from the top, as TileRow is (OGC 07-057r7 6.1)")
        case .unknown:
            list.add(
                .fault, .limitsContradict, subject,
                "its limits to set '\(set.identifier)' have no tile in common with its box",
                remedy: "count rows and columns from the top left corner of each matrix, or mend the box")
        case .doubtful:
            list.add(
                .deviation, .limitsContradict, subject,
                "its limits to set '\(set.identifier)' are a small part of its box; nothing tells whether their rows count from "
                    + "the top",
                remedy: "write the box of what the limits hold into WGS84BoundingBox")
        }
        checkRepetitions(of: link, to: set, subject, into: &list)
        let matrices = Dictionary(set.matrices.map { ($0.identifier, $0) }) { first, _ in first }
        if link.unusableLimitCount > 0 {
            list.add(
                .deviation, .limitsContradict, subject,
                "\(link.unusableLimitCount) of its limits to set '\(set.identifier)' are no numbers, or the least is above the "
                    + "greatest",
                remedy: "tell the extent of the layer, from which they are counted, or leave the limits out")
        }
        for limits in link.limits {
            guard let matrix = matrices[limits.matrix] else {
                list.add(
                    .deviation, .limitsContradict, subject,
                    "its limits name a matrix that set '\(set.identifier)' does not have",
                    remedy: "write each identifier letter for letter as the set does")
                continue
            }
            if limits.rows.upperBound >= matrix.rowCount || limits.columns.upperBound >= matrix.columnCount {
                list.add(
                    .deviation, .limitsContradict, subject,
                    "its limits reach beyond a matrix of set '\(set.identifier)'",
                    remedy: "count rows and columns from 0; the greatest is one less than MatrixHeight and MatrixWidth")
            }
        }
    }
}
