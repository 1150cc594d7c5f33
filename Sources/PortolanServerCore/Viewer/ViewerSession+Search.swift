import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRouting
import PortolanTransit

extension ViewerSession {
    /// The maximum number of results.
    private static let resultLimit = 20
    /// The maximum number of features that a search compares.
    private static let searchLimit = 100_000

    /// Returns the places with a name: those on the map, and then those that the geocoder knows.
    func places(named text: String) async -> [PropertyValue] {
        var found = placesOnMap(named: text)
        guard let geocoder = offer.geocoder, !text.isEmpty, found.count < Self.resultLimit else { return found }
        let others = try? await geocoder.places(
            named: String(text.prefix(100)), near: centerInDegrees, limit: Self.resultLimit - found.count)
        for place in others ?? [] {
            found.append([
                "name": .string(String(place.name.prefix(200))), "lon": .number(place.coordinate.x),
                "lat": .number(place.coordinate.y),
                "layer": .string(place.detail.map { String($0.prefix(200)) } ?? geocoder.name),
            ])
        }
        return found
    }

    /// Returns the features of the visible layers, and the stops, whose names contain a text: first those that begin
    /// with it, then those with a word that does.
    ///
    /// Letter case and accents do not matter.
    private func placesOnMap(named text: String) -> [PropertyValue] {
        let wanted = PlainName.of(String(text.prefix(100)))
        guard !wanted.isEmpty, let center = centerInDegrees else { return [] }
        var hits: [(rank: Int, meters: Double, name: String, told: Properties)] = [], known: Set<String> = []
        var count = 0
        search: for layer in facade.layers.reversed() where layer.isVisible && layer.live == nil {
            for source in layer.featureSources {
                guard let toDegrees = try? CoordinateTransform(from: source.crs, to: .crs84) else { continue }
                for feature in source.features {
                    count += 1
                    guard count <= Self.searchLimit else { break search }
                    guard let name = feature.title, let rank = PlainName.rank(PlainName.of(name), wanted),
                        let middle = feature.geometry?.boundingBox?.center, let place = toDegrees(middle)
                    else { continue }
                    // Parts of a street are one result.
                    guard known.insert("\(name) \((place.x * 50).rounded()) \((place.y * 50).rounded())").inserted
                    else { continue }
                    var told: Properties = [
                        "name": .string(String(name.prefix(200))), "lon": .number(place.x), "lat": .number(place.y),
                        "layer": .string(layer.name),
                    ]
                    if let id = feature.identifier { told["id"] = id.propertyValue }
                    hits.append((rank, GroundDistance.meters(from: center, to: place), name, told))
                }
            }
        }
        if let city = offer.city {
            for stop in city.timetable.stops {
                guard let place = stop.place, let rank = PlainName.rank(PlainName.of(stop.name), wanted),
                    known.insert("\(stop.name) \((place.x * 50).rounded()) \((place.y * 50).rounded())").inserted
                else { continue }
                let told: Properties = [
                    "name": .string(stop.name), "lon": .number(place.x), "lat": .number(place.y), "layer": "Stop",
                    "stop": .string(stop.id),
                ]
                hits.append((rank, GroundDistance.meters(from: center, to: place), stop.name, told))
            }
        }
        hits.sort { ($0.rank, $0.meters, $0.name) < ($1.rank, $1.meters, $1.name) }
        return hits.prefix(Self.resultLimit).map { .object($0.told) }
    }
}
