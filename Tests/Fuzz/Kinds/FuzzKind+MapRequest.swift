import PortolanFeatures
import PortolanServing

extension FuzzKind {
    /// What clients ask a map server for: the addresses of tiles and static maps in all grammars.
    static let mapRequest = FuzzKind(
        name: "map-request", grammar: .words, corpus: ["Tests/Fuzz/Corpus/map-request/*"], isLines: true,
        largest: 1 << 14, time: Bound(any: 60_000_000, each: 20_000), read: readMapRequest)

    private static let limits = ServingLimits()

    private static func readMapRequest(_ bytes: [UInt8]) throws -> Outcome {
        let target = String(decoding: bytes, as: UTF8.self)
        do throws(Problem) {
            try URLSignature(keys: [[UInt8](repeating: 7, count: 32)])?.check(target, now: 0)
        } catch { _ = try refused(error.description) }
        do throws(Problem) {
            let request = try ServerRequest("GET", target)
            let path = request.path
            let map: StaticMap
            switch path.first {
            case "tiles": return .value("tile \(magnitude(try TileAddress(path.dropFirst()).level))")
            case "tms": return .value("tile \(magnitude(try TileAddress(path.dropFirst(2), isFromBelow: true).level))")
            case "styles":
                map = try StaticMap(mapbox: "m", path: path.dropFirst(4), query: request.query, limits: limits)
            case "staticmap": map = try StaticMap(google: request.query, usual: "m", limits: limits)
            default:
                map = try StaticMap(tileServer: "m", path: path.dropFirst(3), query: request.query, limits: limits)
            }
            guard
                map.overlays.allSatisfy({
                    $0.feature.properties.allSatisfy { SimpleStyleReader.keys.contains($0.name) }
                })
            else { throw Problem(.failed, "a property that may lead anywhere") }
            let vertices = map.overlays.reduce(0) { $0 + $1.vertexCount }
            return .value("\(map.format) \(magnitude(map.overlays.count)) \(magnitude(vertices))")
        } catch {
            guard (400..<500).contains(error.kind.status) else { throw Violation("\(error)") }
            return try refused(error.description)
        }
    }
}
