import PortolanFeatures
import PortolanGeo
import PortolanXML

/// A feed item as a feature.
struct GeoRSSItem {
    /// The feature.
    private(set) var feature = Feature(geometry: nil)
    /// The CRS of its geometry, or `nil` for longitude and latitude on WGS 84.
    private(set) var crs: CRS?
    /// Whether a position is invalid.
    private(set) var isBroken = false

    private static let shapes: Set<String> = ["point", "line", "polygon", "box", "circle"]

    /// Reads an `item` or `entry` (OGC 17-002r1; W3C Basic Geo).
    init(_ element: XMLElement) {
        var shapes: [Geometry] = []
        var latitude: Double?, longitude: Double?, altitude: Double?
        func add(_ shape: Geometry?) {
            if let shape { shapes.append(shape) } else { isBroken = true }
        }
        func addGML(_ element: XMLElement) {
            let shape = GMLGeometryReader(isNorthFirst: true).shape(element)
            crs = shape?.crs
            add(crs == nil ? shape?.geometry.continuedOverAntimeridian() : shape?.geometry)
        }
        for child in element.children.prefix(GMLFeatureReader.propertyLimit) {
            let isGeoRSS = child.prefix == "georss" || child.namespace?.contains("georss") == true
            switch child.name {
            case let name where isGeoRSS && Self.shapes.contains(name): add(Self.simple(child))
            case "where" where isGeoRSS:
                for inside in child.children { addGML(inside) }
            case _ where GMLGeometryReader.isGeometry(child): addGML(child)
            case "elev" where isGeoRSS: altitude = child.text.decimalValue
            case "lat": latitude = child.text.decimalValue
            case "long", "lon": longitude = child.text.decimalValue
            case "alt": altitude = child.text.decimalValue
            case "Point" where child.child("lat") != nil:
                latitude = child.text(of: "lat")?.decimalValue
                longitude = child.text(of: "long")?.decimalValue
            case "id", "guid":
                feature.id = .string(child.text)
            case "link":
                let address = child.text.isEmpty ? child.attribute("href") ?? "" : child.text
                if !address.isEmpty { feature.properties.add(.string(address), to: "link") }
            case "category" where child.text.isEmpty:
                if let term = child.attribute("term") { feature.properties.add(.string(term), to: "category") }
            case "author" where !child.children.isEmpty:
                feature.properties.add(.string(child.text(of: "name") ?? child.allText), to: "author")
            default:
                // Markup in a text is read as text.
                let text = child.text.isEmpty ? child.allText : child.text
                if !text.isEmpty { feature.properties.add(.string(text), to: child.name) }
            }
        }
        if shapes.isEmpty, let latitude, let longitude {
            shapes.append(.point(Coordinate(x: longitude, y: latitude)))
        }
        guard let first = shapes.first else { return }
        feature.geometry = shapes.count == 1 ? first : .collection(shapes)
        if case .point = first.kind, shapes.count == 1, let altitude, let place = first.coordinates.first,
            first.altitudes.isEmpty
        {
            feature.geometry = .point(place, altitude: altitude)
        }
    }

    /// Returns a GeoRSS Simple geometry, with alternating latitude and longitude.
    private static func simple(_ element: XMLElement) -> Geometry? {
        let numbers = element.text.split { $0.isWhitespace || $0 == "," }.map(\.decimalValue)
        guard numbers.allSatisfy({ $0 != nil }) else { return nil }
        var places: [Coordinate] = []
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            guard let y = numbers[index], let x = numbers[index + 1] else { return nil }
            places.append(Coordinate(x: x, y: y))
        }
        guard let first = places.first else { return nil }
        switch element.name {
        case "line": return places.count > 1 ? Geometry.lineString(places).continuedOverAntimeridian() : nil
        case "polygon": return places.count > 2 ? Geometry.polygon([places]).continuedOverAntimeridian() : nil
        case "box":
            guard places.count == 2 else { return nil }
            // From west to east, across the antimeridian if west is greater.
            let other = Coordinate(x: places[1].x + (places[1].x < first.x ? 360 : 0), y: places[1].y)
            return .polygon([
                [first, Coordinate(x: other.x, y: first.y), other, Coordinate(x: first.x, y: other.y), first]
            ])
        // A circle becomes its centre, as the radius is in metres on the ground.
        default: return .point(first)
        }
    }
}
