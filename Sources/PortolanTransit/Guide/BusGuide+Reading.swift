import Foundation
import PortolanBeacons
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRouting
import PortolanWeb

extension BusGuide {
    /// Reads a guide from a KML document with stops and routes and a JSON list of cooperatives.
    ///
    /// Placemarks with a point are stops, placemarks with a line are routes.
    ///
    /// - Stops: the name, the identifier (`id`), and `uuid`, `major` and `minor` of the beacon.
    /// - Routes: the name, `id`, `cooperative`, `mode` (a ``TransitMode``), `direction`, `first`, `last`, `minutes`,
    ///   `loop` and `stops`, the stop identifiers separated by spaces or commas. A route without `stops` gets all stops
    ///   within 40 m of its path, in path order.
    /// - Cooperatives: `[{"id": …, "name": …, "mail": …, "phone": …}]`.
    ///
    /// - Parameters:
    ///   - kml: the document, KML or KMZ.
    ///   - cooperatives: the JSON list, or `nil`.
    /// - Throws: ``BusGuide/ParseError``.
    /// - Complexity: O(routes × stops) for routes without a stop list.
    public init(kml: [UInt8], cooperatives: [UInt8]? = nil) throws(BusGuide.ParseError) {
        self.init()
        let limits = FeatureLimits(
            maximumByteCount: 256 << 20, maximumFeatureCount: 2 * Self.maximumCount,
            maximumCoordinateCount: 5_000_000)
        let collection: FeatureCollection
        do { collection = try FeatureFormats([KMLFormat.KMZ(), KMLFormat()]).read(kml, limits: limits) } catch {
            throw .malformed(document: "the document of routes and stops", what: "\(error)")
        }
        try readCooperatives(cooperatives)
        try readStops(collection)
        try readRoutes(collection)
        notice = collection.foreignMembers["description"]?.stringValue ?? ""
        index()
    }

    private mutating func report(_ problem: String) {
        if problems.count < 100 { problems.append(ReadableText.line(problem, limit: 200)) }
    }

    private mutating func readCooperatives(_ bytes: [UInt8]?) throws(BusGuide.ParseError) {
        guard let bytes else { return }
        let document = "the list of cooperatives"
        let value: PropertyValue
        do throws(GeoJSONError) { value = try JSONReader.value(bytes: bytes) } catch {
            throw .malformed(document: document, what: "\(error)")
        }
        guard let list = value.arrayValue else { throw .malformed(document: document, what: "it is not a list") }
        guard list.count <= Self.maximumCount else { throw .tooMany("cooperatives", limit: Self.maximumCount) }
        var known: Set<String> = []
        for (number, item) in list.enumerated() {
            guard let members = item.objectValue, let id = members["id"]?.displayText, !id.isEmpty,
                let name = members["name"]?.stringValue, !name.isEmpty
            else {
                report("cooperative \(number + 1) has no identifier and name")
                continue
            }
            guard known.insert(id).inserted else {
                report("duplicate cooperative \(id)")
                continue
            }
            var cooperative = Cooperative(id: id, name: name)
            cooperative.mail = members["mail"]?.stringValue ?? ""
            cooperative.phone = members["phone"]?.displayText ?? ""
            cooperatives.append(cooperative)
        }
        cooperatives.sort { (PlainName.of($0.name), $0.id) < (PlainName.of($1.name), $1.id) }
    }

    private mutating func readStops(_ collection: FeatureCollection) throws(BusGuide.ParseError) {
        var known: Set<String> = []
        for feature in collection.features {
            guard let geometry = feature.geometry, geometry.kind == .point, let place = geometry.coordinates.first,
                place.isOnEarth
            else { continue }
            let name = feature.title ?? ""
            guard let id = feature.identifier?.description, StopCode.isIdentifier(id) else {
                report("the stop \(name.debugDescription) has no identifier")
                continue
            }
            guard known.insert(id).inserted else {
                report("duplicate stop \(id)")
                continue
            }
            guard stops.count < Self.maximumCount else { throw .tooMany("stops", limit: Self.maximumCount) }
            func text(_ name: String) -> String? { feature.properties[name]?.displayText }
            var stop = Stop(id: id, name: name.isEmpty ? id : name, place: place)
            if let uuid = text("uuid") {
                stop.beacon = BeaconAdvertisement.Identity("\(uuid)/\(text("major") ?? "")/\(text("minor") ?? "")")
                if stop.beacon == nil { report("the beacon of the stop \(id) has no UUID, major and minor") }
            }
            stops.append(stop)
        }
        stops.sort { (PlainName.of($0.name), $0.id) < (PlainName.of($1.name), $1.id) }
    }

    private mutating func readRoutes(_ collection: FeatureCollection) throws(BusGuide.ParseError) {
        let stopsByID = Dictionary(stops.indices.map { (stops[$0].id, $0) }) { first, _ in first }
        let owners = Dictionary(cooperatives.indices.map { (cooperatives[$0].id, $0) }) { first, _ in first }
        for feature in collection.features {
            guard let geometry = feature.geometry, [.lineString, .multiLineString].contains(geometry.kind),
                let line = GroundLine(Array(geometry.coordinates)), line.length > 0
            else { continue }
            guard routes.count < Self.maximumCount else { throw .tooMany("routes", limit: Self.maximumCount) }
            func text(_ name: String) -> String { feature.properties[name]?.displayText ?? "" }
            let name = feature.title ?? ""
            let id = feature.identifier?.description ?? "\(name)/\(text("direction"))"
            var route = Route(id: id, name: name.isEmpty ? id : name, path: Array(geometry.coordinates))
            route.cooperative = owners[text("cooperative")]
            if route.cooperative == nil { report("unknown cooperative of the route \(id)") }
            route.mode = text("mode").isEmpty ? .bus : TransitMode(rawValue: text("mode")) ?? .other
            route.direction = text("direction")
            route.firstHour = text("first")
            route.lastHour = text("last")
            route.minutes = Double(text("minutes")).flatMap { (0..<10_000).contains($0) ? $0 : nil }
            route.isLoop = ["1", "true", "yes"].contains(text("loop"))
            route.length = line.length
            let list = text("stops").split { $0 == " " || $0 == "," || $0.isNewline }.map(String.init)
            guard list.count <= Self.maximumStopCount else {
                throw .tooMany("stops of a route", limit: Self.maximumStopCount)
            }
            if list.isEmpty { placeStops(&route, along: line) }
            for id in list {
                if let stop = stopsByID[id] {
                    route.stops.append(stop)
                } else {
                    report("unknown stop \(id) of the route \(route.id)")
                }
            }
            measure(&route, along: line)
            if route.stops.count < 2 { report("the route \(id) has fewer than two stops") }
            routes.append(route)
        }
        routes.sort {
            (PlainName.of($0.name), PlainName.of($0.direction), $0.id)
                < (PlainName.of($1.name), PlainName.of($1.direction), $1.id)
        }
    }

    /// Assigns the stops near the path to a route without a stop list.
    private func placeStops(_ route: inout Route, along line: GroundLine) {
        guard let box = Geometry.lineString(route.path).boundingBox else { return }
        let margin = 0.002
        let near = stops.indices.compactMap { index -> (measure: Double, stop: Int)? in
            let place = stops[index].place
            guard (box.minX - margin...box.maxX + margin).contains(place.x),
                (box.minY - margin...box.maxY + margin).contains(place.y)
            else { return nil }
            let nearest = line.nearest(to: place)
            return nearest.meters <= 40 ? (nearest.measure, index) : nil
        }
        route.stops = near.sorted { ($0.measure, $0.stop) < ($1.measure, $1.stop) }.prefix(Self.maximumStopCount)
            .map(\.stop)
    }

    /// Computes the distance of each stop along the path.
    ///
    /// Where the path crosses itself, distances never decrease.
    private func measure(_ route: inout Route, along line: GroundLine) {
        var last = 0.0
        for stop in route.stops {
            let ahead = line.nearest(to: stops[stop].place, within: last...line.length)
            last = max(last, ahead.measure)
            route.measures.append(last)
        }
    }
}
