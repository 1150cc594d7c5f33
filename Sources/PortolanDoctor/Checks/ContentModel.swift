import PortolanServices
import PortolanXML

/// The elements that a standard's schema allows in each element, and their order.
///
/// Only elements that clients read are listed. Elements of a namespace other than their parent's are ignored: schemas
/// allow extensions.
struct ContentModel: Hashable, Sendable {
    private var children: [String: [String]]

    private init(_ children: [String: String]) { self.children = children.mapValues(\.words) }

    /// The schema of a WMS version, or `nil` for version 1.0.0, whose elements differ much.
    static func wms(_ version: WMSCapabilities.Version) -> ContentModel? {
        switch version {
        case .v1_0_0: nil
        case .v1_1_0: older.with("Request", "GetCapabilities GetMap GetFeatureInfo DescribeLayer")
        case .v1_1_1: older
        case .v1_3_0: newest
        }
    }

    /// The document types of WMS 1.1.1 (OGC 01-068r3 annex A.1).
    private static let older = ContentModel([
        "Service": "Name Title Abstract KeywordList OnlineResource ContactInformation Fees AccessConstraints",
        "Capability": "Request Exception VendorSpecificCapabilities UserDefinedSymbolization Layer",
        "Request": "GetCapabilities GetMap GetFeatureInfo DescribeLayer GetLegendGraphic GetStyles PutStyles",
        "Layer": """
        Name Title Abstract KeywordList SRS LatLonBoundingBox BoundingBox Dimension Extent Attribution AuthorityURL \
        Identifier MetadataURL DataURL FeatureListURL Style ScaleHint Layer
        """,
        "Style": "Name Title Abstract LegendURL StyleSheetURL StyleURL", "LegendURL": "Format OnlineResource",
    ])

    /// The schema of WMS 1.3.0 (OGC 06-042 annex E.1).
    private static let newest = ContentModel([
        "WMS_Capabilities": "Service Capability",
        "Service": """
        Name Title Abstract KeywordList OnlineResource ContactInformation Fees AccessConstraints LayerLimit MaxWidth \
        MaxHeight
        """,
        "Capability": "Request Exception Layer", "Request": "GetCapabilities GetMap GetFeatureInfo",
        "Layer": """
        Name Title Abstract KeywordList CRS EX_GeographicBoundingBox BoundingBox Dimension Attribution AuthorityURL \
        Identifier MetadataURL DataURL FeatureListURL Style MinScaleDenominator MaxScaleDenominator Layer
        """,
        "Style": "Name Title Abstract LegendURL StyleSheetURL StyleURL", "LegendURL": "Format OnlineResource",
    ])

    /// The schema of WMTS (OGC 07-057r7 annex B), whose elements have two namespaces.
    static let wmts = ContentModel([
        "Contents": "Layer TileMatrixSet",
        "Layer": """
        Title Abstract Keywords WGS84BoundingBox Identifier BoundingBox WGS84BoundingBox BoundingBox Metadata Style Format InfoFormat Dimension \
        TileMatrixSetLink ResourceURL
        """,
        "TileMatrixSet":
            "Title Abstract Keywords Identifier BoundingBox SupportedCRS WellKnownScaleSet TileMatrix",
        "TileMatrix": """
        Title Abstract Keywords Identifier ScaleDenominator TopLeftCorner TileWidth TileHeight MatrixWidth MatrixHeight
        """,
        "TileMatrixSetLink": "TileMatrixSet TileMatrixSetLimits", "TileMatrixSetLimits": "TileMatrixLimits",
    ])

    private func with(_ name: String, _ list: String) -> ContentModel {
        var model = self
        model.children[name] = list.words
        return model
    }

    /// Adds the findings about an element and its descendants, each kind of mistake once.
    ///
    /// - Parameter namespaces: those of the listed elements; empty if the standard has none.
    func check(_ element: XMLElement, namespaces: [String], into list: inout FindingList) {
        // One listed name is also that of a link, which holds no matrices.
        let isLink = element.name == "TileMatrixSet" && element.children.isEmpty
        if let order = children[element.name], !isLink {
            var last = 0
            for child in element.children where namespaces.isEmpty || namespaces.contains(child.namespace ?? "") {
                // If a name has several positions, the next one counts.
                guard let place = order[last...].firstIndex(of: child.name) ?? order.firstIndex(of: child.name) else {
                    list.add(
                        .deviation, .elementMisplaced, "<\(element.name)>",
                        "<\(child.name)> is not allowed here by the schema; strict clients reject the document",
                        remedy: "remove it, or put it in your own namespace where the schema allows that")
                    continue
                }
                if place < last {
                    list.add(
                        .deviation, .elementMisplaced, "<\(element.name)>",
                        "<\(child.name)> follows <\(order[last])>, contrary to the order of the schema; strict clients "
                            + "reject the document",
                        remedy: "write the elements in the order of the schema")
                }
                last = max(last, place)
            }
        }
        for child in element.children { check(child, namespaces: namespaces, into: &list) }
    }
}
