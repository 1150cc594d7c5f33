public import PortolanFeatures
package import PortolanGeo
import PortolanXML

/// Reads XML responses to feature info requests.
///
/// No standard defines their form (OGC 06-042 7.4.4 leaves it to the service). These forms are supported:
///
/// - GML feature collections of any version, which most servers send
/// - MapServer's `msGMLOutput`
/// - QGIS Server's `GetFeatureInfoResponse`
/// - ESRI's `FeatureInfoResponse`, with its fields as attributes or as elements
///
/// Values remain texts.
package enum FeatureInfoXMLReader {
    /// The limits of a response.
    private static let limits = XMLLimits(
        byteCount: 16 << 20, depth: 100, tagLength: 1 << 20, elementCount: 500_000, attributeCount: 1000)

    /// The maximum depth of features.
    private static let depth = 6

    /// Returns the features in a response, or `nil` if it is not XML or of an unsupported form.
    ///
    /// A response with a known root but unsupported content, such as those of ncWMS and THREDDS, counts as unsupported,
    /// so that it is not mistaken for an empty one.
    ///
    /// - Parameter crs: the CRS of geometries that name none, x first; degrees if `nil`.
    /// - Complexity: linear in the length of the response.
    package static func read(_ bytes: [UInt8], crs: CRS? = nil) -> [IdentifiedFeature]? {
        guard let root = (try? XMLReader(limits: limits).tree(of: bytes))?.root else { return nil }
        let geometries = GMLGeometryReader(defaultCRS: crs)
        let features: [IdentifiedFeature]? =
            switch root.name {
            case "msGMLOutput": mapServerFeatures(root, geometries)
            case "GetFeatureInfoResponse": qgisFeatures(root)
            case "FeatureInfoResponse": esriFeatures(root)
            default: collectionFeatures(root, geometries)
            }
        guard features?.isEmpty == true, hasContent(root, isRoot: true) else { return features }
        return nil
    }

    /// The content of responses without features: the position, and the names of layers without results.
    private static let headings: Set<String> = ["BoundingBox", "Layer", "name", "Name", "title", "Title"]

    private static let names: Set<String> = ["layername", "name", "id", "fid"]

    /// Returns whether an element has text, or values of elements other than headings.
    private static func hasContent(_ element: XMLElement, isRoot: Bool = false) -> Bool {
        if element.name == "boundedBy" { return false }
        let isHeading = headings.contains(element.name)
        if !isHeading, !element.isTextEmpty { return true }
        let values = isRoot || isHeading ? [] : element.attributes
        // A response without features may name the layer.
        if values.contains(where: { !$0.value.isEmpty && !names.contains($0.name.lowercased()) }) { return true }
        return element.children.contains { hasContent($0) }
    }

    /// MapServer: each layer in an element `NAME_layer`, each feature in an element `NAME_feature`.
    private static func mapServerFeatures(
        _ root: XMLElement, _ geometries: GMLGeometryReader
    ) -> [IdentifiedFeature] {
        root.children.filter { $0.name.hasSuffix("_layer") }.flatMap { layer in
            let name = String(layer.name.dropLast("_layer".count))
            return layer.children.filter { $0.name.hasSuffix("_feature") }.map {
                IdentifiedFeature(layer: name, feature: feature($0, geometries))
            }
        }
    }

    /// GML: features in `featureMember`, `featureMembers` or `member` elements.
    private static func collectionFeatures(
        _ root: XMLElement, _ geometries: GMLGeometryReader
    ) -> [IdentifiedFeature]? {
        guard let members = members(in: root, depth: depth) else {
            // An empty collection may omit its members.
            return root.name.hasSuffix("FeatureCollection") ? [] : nil
        }
        return members.map { IdentifiedFeature(layer: $0.name, feature: feature($0, geometries)) }
    }

    private static func members(in element: XMLElement, depth: Int) -> [XMLElement]? {
        let names: Set<String> = ["featureMember", "featureMembers", "member"]
        let holders = element.children.filter { names.contains($0.name) }
        if !holders.isEmpty {
            return holders.flatMap(\.children).flatMap { child in
                // A service with several layers may put a collection of each in a member.
                child.name.hasSuffix("FeatureCollection") && depth > 0
                    ? members(in: child, depth: depth - 1) ?? [] : [child]
            }
        }
        guard depth > 0 else { return nil }
        let found = element.children.compactMap { members(in: $0, depth: depth - 1) }
        return found.isEmpty ? nil : found.flatMap { $0 }
    }

    /// QGIS Server: attributes as name and value.
    ///
    /// Those of a raster layer are in the layer itself.
    private static func qgisFeatures(_ root: XMLElement) -> [IdentifiedFeature] {
        func properties(_ element: XMLElement) -> Properties {
            var properties = Properties()
            for attribute in element.children("Attribute").prefix(GMLFeatureReader.propertyLimit) {
                guard let name = attribute.attribute("name") else { continue }
                properties.add(.string(attribute.attribute("value") ?? attribute.text), to: name)
            }
            return properties
        }
        return root.children("Layer").flatMap { layer in
            let name = layer.attribute("name")
            let features = layer.children("Feature").map { element in
                Feature(
                    id: element.attribute("id").map { .string($0) }, geometry: nil, properties: properties(element))
            }
            let own = properties(layer)
            let raster = own.isEmpty ? [] : [Feature(geometry: nil, properties: own)]
            return (raster + features).map { IdentifiedFeature(layer: name, feature: $0) }
        }
    }

    /// ESRI: a feature is an element `FIELDS` with an attribute for each property, or a `FeatureInfo` with a `Field`
    /// for each.
    private static func esriFeatures(_ root: XMLElement) -> [IdentifiedFeature] {
        var features: [IdentifiedFeature] = []
        func add(_ element: XMLElement, layer: String?, depth: Int) {
            let layer = element.attribute("layername", ignoringCase: true) ?? layer
            var properties = Properties()
            if element.name.uppercased() == "FIELDS" {
                for attribute in element.attributes { properties.add(.string(attribute.value), to: attribute.name) }
            }
            for field in element.children("Field").prefix(GMLFeatureReader.propertyLimit) {
                guard let name = field.text(of: "FieldName") else { continue }
                properties.add(.string(field.text(of: "FieldValue") ?? ""), to: name)
            }
            if !properties.isEmpty {
                features.append(
                    IdentifiedFeature(layer: layer, feature: Feature(geometry: nil, properties: properties)))
            }
            guard depth > 0 else { return }
            for child in element.children { add(child, layer: layer, depth: depth - 1) }
        }
        add(root, layer: nil, depth: depth)
        return features
    }

    /// Returns the feature in a GML element.
    private static func feature(_ element: XMLElement, _ geometries: GMLGeometryReader) -> Feature {
        var reader = GMLFeatureReader(geometries: geometries)
        let found = reader.feature(element)
        guard let geometry = found.feature.geometry else { return found.feature }
        var feature = found.feature
        func inDegrees(_ crs: CRS?) -> Geometry? {
            geometries.inDegrees(GMLGeometryReader.Shape(geometry: geometry, crs: crs))
        }
        feature.geometry = inDegrees(found.crs)
        if feature.geometry?.isInDegrees == false {
            // Coordinates that are not valid degrees may be in the CRS of the map request.
            feature.geometry = geometries.defaultCRS.flatMap(inDegrees).flatMap { $0.isInDegrees ? $0 : nil }
        }
        return feature
    }
}

extension Geometry {
    /// Whether its coordinates may be longitudes and latitudes, with longitudes up to one and a half turns.
    package var isInDegrees: Bool {
        guard let box = boundingBox else { return true }
        return box.minX >= -540 && box.maxX <= 540 && box.minY >= -90.000_001 && box.maxY <= 90.000_001
    }
}

/// A feature found at a position on the map, and its layer.
public struct IdentifiedFeature: Hashable, Sendable {
    /// The layer name in the response, or `nil` if it has none.
    public var layer: String?
    /// The feature.
    ///
    /// Its geometry, if any, is in degrees, longitude first.
    public var feature: Feature

    /// Creates an identified feature.
    public init(layer: String? = nil, feature: Feature) {
        self.layer = layer
        self.feature = feature
    }
}
