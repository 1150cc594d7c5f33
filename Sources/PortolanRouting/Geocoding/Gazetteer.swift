public import PortolanFeatures
public import PortolanGeo

/// A local geocoder for named features or a GeoNames table.
///
/// Names are compared without case, accents and punctuation. Exact names come first, then names that begin with the
/// text, then names with a word that begins with it. Ties are ordered by distance, then by population.
public struct Gazetteer: Geocoder {
    private struct Entry: Sendable {
        var name: String
        var detail: String?
        var coordinate: Coordinate
        var population: Double
        var names: [String]
    }

    private let entries: [Entry]

    /// The maximum number of places.
    public static let maximumCount = 5_000_000

    /// `gazetteer`.
    public var name: String { "gazetteer" }

    /// The number of places.
    public var count: Int { entries.count }

    /// Creates a gazetteer from the features of a collection in degrees that have a name (`name`, `name:xx`, `title`,
    /// `alt_name`).
    ///
    /// Lines and areas are represented by their label point.
    public init(_ collection: FeatureCollection) {
        entries = collection.features.compactMap { feature in
            guard let geometry = feature.geometry,
                let place = geometry.kind == .point ? geometry.coordinates.first : geometry.labelPoint
            else { return nil }
            let names = feature.properties.filter {
                $0.name == "name" || $0.name == "title" || $0.name.hasPrefix("name:") || $0.name == "alt_name"
            }.compactMap { $0.value.displayText }.filter { !$0.isEmpty }
            guard let first = feature.properties["name"]?.label ?? names.first else { return nil }
            return Entry(
                name: first, detail: feature.properties["addr:street"]?.label, coordinate: place,
                population: feature.properties["population"]?.doubleValue ?? 0, names: names.map(PlainName.of))
        }
    }

    /// Creates a gazetteer from a GeoNames table: nineteen tab-separated columns, one place per line (*GeoNames
    /// readme*, "main table").
    ///
    /// - Throws: ``RoutingError/malformed(provider:url:what:)`` with the number of an invalid line.
    public init(geoNames bytes: [UInt8], from place: String) throws(RoutingError) {
        var entries: [Entry] = []
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard !line.isEmpty, line != [UInt8(ascii: "\r")] else { continue }
            let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard columns.count >= 15, let latitude = Double(columns[4]), let longitude = Double(columns[5]),
                abs(latitude) <= 90, abs(longitude) <= 180, !columns[1].isEmpty
            else {
                throw .malformed(provider: "GeoNames", url: place, what: "line \(number) has no coordinates")
            }
            guard entries.count < Gazetteer.maximumCount else {
                throw .malformed(
                    provider: "GeoNames", url: place, what: "more than \(Gazetteer.maximumCount) places")
            }
            let others = columns[3].split(separator: ",").map(String.init)
            entries.append(
                Entry(
                    name: columns[1], detail: columns[8].isEmpty ? nil : columns[8],
                    coordinate: Coordinate(x: longitude, y: latitude), population: Double(columns[14]) ?? 0,
                    names: ([columns[1], columns[2]] + others).map(PlainName.of)))
        }
        self.entries = entries
    }

    /// Returns the places that match a name, best first.
    ///
    /// - Complexity: O(places).
    public func places(
        named text: String, near: Coordinate? = nil, limit: Int = 10
    ) throws(RoutingError) -> [FoundPlace] {
        let wanted = PlainName.of(text)
        guard !wanted.isEmpty, limit > 0 else { return [] }
        let found = entries.compactMap { entry -> (rank: Int, meters: Double, entry: Entry)? in
            guard let rank = entry.names.compactMap({ PlainName.rank($0, wanted) }).min() else { return nil }
            let meters = near.map { Geodesic.line(from: $0, to: entry.coordinate).meters } ?? 0
            return (rank, meters, entry)
        }
        return found.sorted { a, b in
            (a.rank, a.meters, -a.entry.population, a.entry.name) < (
                b.rank, b.meters, -b.entry.population, b.entry.name
            )
        }.prefix(limit).map {
            FoundPlace(name: $0.entry.name, detail: $0.entry.detail, coordinate: $0.entry.coordinate)
        }
    }

    /// Returns the nearest place within one kilometre, or `nil`.
    ///
    /// - Complexity: O(places).
    public func place(at coordinate: Coordinate) throws(RoutingError) -> FoundPlace? {
        let nearest = entries.min { a, b in
            Gazetteer.square(a.coordinate, coordinate) < Gazetteer.square(b.coordinate, coordinate)
        }
        guard let nearest, Geodesic.line(from: nearest.coordinate, to: coordinate).meters <= 1000 else { return nil }
        return FoundPlace(name: nearest.name, detail: nearest.detail, coordinate: nearest.coordinate)
    }

    /// Returns an approximate squared distance that is sufficient to compare nearby places.
    private static func square(_ a: Coordinate, _ b: Coordinate) -> Double {
        let scale = Libm.cosine(b.y * .pi / 180)
        var x = abs(a.x - b.x)
        if x > 180 { x = 360 - x }
        return x * x * scale * scale + (a.y - b.y) * (a.y - b.y)
    }
}
