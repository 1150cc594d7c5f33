public import PortolanFeatures
public import PortolanGeo

/// Finds places in a list on this machine: features with names, or a table of GeoNames.
///
/// Names are compared without case, accents and punctuation; a name that is the text comes before one that begins with it,
/// and that before one that has a word which begins with it. Among equals the nearer one wins, then the one with more people.
public struct Gazetteer: Geocoder {
    private struct Entry: Sendable {
        var name: String
        var detail: String?
        var coordinate: Coordinate
        var population: Double
        var names: [String]
    }

    private let entries: [Entry]

    /// The most places of a list.
    public static let maximumCount = 5_000_000

    /// `gazetteer`.
    public var name: String { "gazetteer" }

    /// How many places it has.
    public var count: Int { entries.count }

    /// A list of the features of a collection in degrees that have a name (`name`, `name:xx`, `title`); of lines and areas the place of
    /// their label.
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

    /// A table of GeoNames: nineteen columns between tabs, a place a line (*GeoNames readme*, "main table").
    ///
    /// - Throws: ``RoutingError/malformed(provider:url:what:)`` with the line that is none.
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
                throw .malformed(provider: "GeoNames", url: place, what: "line \(number) has no place")
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

    /// The places of a name, the best first.
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

    /// The nearest place within a kilometre.
    ///
    /// - Complexity: O(places).
    public func place(at coordinate: Coordinate) throws(RoutingError) -> FoundPlace? {
        let nearest = entries.min { a, b in
            Gazetteer.square(a.coordinate, coordinate) < Gazetteer.square(b.coordinate, coordinate)
        }
        guard let nearest, Geodesic.line(from: nearest.coordinate, to: coordinate).meters <= 1000 else { return nil }
        return FoundPlace(name: nearest.name, detail: nearest.detail, coordinate: nearest.coordinate)
    }

    /// A distance that is good enough to compare near places by.
    private static func square(_ a: Coordinate, _ b: Coordinate) -> Double {
        let scale = Libm.cosine(b.y * .pi / 180)
        var x = abs(a.x - b.x)
        if x > 180 { x = 360 - x }
        return x * x * scale * scale + (a.y - b.y) * (a.y - b.y)
    }
}
