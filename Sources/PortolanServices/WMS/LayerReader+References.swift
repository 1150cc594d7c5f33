import PortolanXML

extension LayerReader {
    /// Reads where there is more about a layer; of what is inherited only the authorities stay (OGC 06-042 table 7).
    func readReferences(of element: XMLElement, into layer: inout WMSLayer) {
        var references = WMSLayerReferences()
        references.authorities = layer.references.authorities
        for child in element.children("AuthorityURL") {
            guard let name = child.attribute("name"), let url = Self.link(of: child) else { continue }
            references.authorities[name] = url
        }
        references.metadata = Self.links(in: element, "MetadataURL")
        references.data = Self.links(in: element, "DataURL")
        references.featureLists = Self.links(in: element, "FeatureListURL")
        references.identifiers = element.children("Identifier").compactMap { child in
            child.attribute("authority").map { .init(authority: $0, value: child.text) }
        }
        layer.references = references
    }

    /// The addresses in the elements of a name.
    static func links(in element: XMLElement, _ name: String) -> [WMSLink] {
        element.children(name).compactMap { child in
            link(of: child).map {
                WMSLink(url: $0, format: child.text(of: "Format"), type: child.attribute("type"))
            }
        }
    }

    /// Notes the elements of a layer that no version of the standard has, each name once in a document.
    mutating func noteUnknown(in element: XMLElement) {
        for child in element.children where !Self.known.contains(child.name) && unknown.insert(child.name).inserted {
            let isRead = Self.known.contains { $0.lowercased() == child.name.lowercased() }
            notes.add(
                "line \(child.line): <\(child.name)> in a layer is not known to the standard; "
                    + (isRead ? "read as the element that differs in case" : "passed over"))
        }
    }

    private static let known: Set<String> = [
        "Name", "Title", "Abstract", "KeywordList", "Keywords", "SRS", "CRS", "EX_GeographicBoundingBox",
        "LatLonBoundingBox", "BoundingBox", "Dimension", "Extent", "Attribution", "AuthorityURL", "Identifier",
        "MetadataURL", "DataURL", "FeatureListURL", "Style", "MinScaleDenominator", "MaxScaleDenominator", "ScaleHint",
        "Layer",
    ]
}
