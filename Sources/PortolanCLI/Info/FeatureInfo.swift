import Portolan

/// What a file of features holds, for people and scripts.
struct FeatureInfo: InfoDocument, Encodable {
    struct Property: Encodable {
        var name: String
        /// In how many features the property stands.
        var count: Int
        var example: String?
    }

    var type = "GeoJSON"
    var crs: String
    var features: Int
    var coordinates: Int
    /// West, south, east, north in units of the CRS.
    var boundingBox: [Double]?
    var geometries: [String: Int]
    var properties: [Property]
    var routes: [String]
    var attribution: String?
    var warnings: [String]

    init(_ collection: FeatureCollection) {
        crs = collection.effectiveCRS.name
        features = collection.features.count
        coordinates = collection.features.reduce(0) { $0 + ($1.geometry?.coordinateCount ?? 0) }
        boundingBox = collection.boundingBox.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
        geometries = [:]
        routes = collection.features.compactMap { $0.route?.name }
        attribution = collection.foreignMembers["attribution"]?.stringValue
        warnings = collection.warnings.map(\.description)
        var order: [String] = [], found: [String: Property] = [:]
        for feature in collection.features {
            geometries[feature.geometry.map { "\($0.kind)" } ?? "none", default: 0] += 1
            for property in feature.properties {
                if found[property.name] == nil {
                    order.append(property.name)
                    found[property.name] = Property(name: property.name, count: 0)
                }
                found[property.name]?.count += 1
                if found[property.name]?.example == nil {
                    found[property.name]?.example = property.value.displayText.map { String($0.prefix(40)) }
                }
            }
        }
        properties = order.compactMap { found[$0] }
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = "GeoJSON, \(features) features, \(coordinates) coordinates, \(crs)\n"
        if let attribution { text += "\(PlainText.oneLine(attribution))\n" }
        if let boundingBox { text += "Extent      \(boundingBox.map(ServiceInfo.short).joined(separator: " "))\n" }
        let kinds = geometries.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        text += "Geometries  \(kinds.joined(separator: ", "))\n"
        if !routes.isEmpty { text += "Routes      \(PlainText.oneLine(routes.joined(separator: ", ")))\n" }
        if !properties.isEmpty {
            text +=
                "\n"
                + TextTable.text(
                    [["PROPERTY", "IN", "EXAMPLE"]]
                        + properties.map {
                            [$0.name, String($0.count), $0.example ?? ""]
                        })
        }
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }
}
