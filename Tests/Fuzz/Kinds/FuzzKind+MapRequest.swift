import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServerCore
import PortolanServices

extension FuzzKind {
    /// Requests to a map server: the addresses of tiles and static maps in all syntaxes.
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
            case "wms": return .value(try wms(WMSRequest(request.query)))
            case "ogc": return .value(try ogc(request.query))
            case "wmts": return .value(try wmts(request))
            case "tiles": return .value("tile \(magnitude(try TileAddress(path.dropFirst()).level))")
            case "tms": return .value("tile \(magnitude(try TileAddress(path.dropFirst(2), isFromBelow: true).level))")
            case "styles", "data":
                guard let found = try style(request) else { return .value("tile") }
                map = found
            case "staticmap": map = try StaticMap(google: request.query, maps: ["m"], limits: limits)
            case "maps" where path.dropFirst().first == "api":
                map = try StaticMap(google: request.query, maps: ["m"], limits: limits)
            default:
                map = try StaticMap(tileServer: "m", path: path.dropFirst(3), query: request.query, limits: limits)
            }
            guard map.overlays.allSatisfy({ $0.icon == nil || $0.style?.marker == nil }) else {
                throw Problem(.failed, "a marker with two images")
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

    /// A static map at the paths of tileserver-gl or Mapbox, or `nil` for a tile at such a path.
    private static func style(_ request: ServerRequest) throws(Problem) -> StaticMap? {
        let path = request.path
        if path.dropFirst().first == "v1", path.count > 4, path[4] == "static" {
            return try StaticMap(mapbox: "m", path: path.dropFirst(5), query: request.query, limits: limits)
        }
        if path.count > 2, path[2] == "static" {
            return try StaticMap(tileServer: "m", path: path.dropFirst(3), query: request.query, limits: limits)
        }
        let address = try TileAddress(["m"] + path.suffix(3))
        guard address.level >= 0, (1...4).contains(address.ratio) else {
            throw Problem(.failed, "a tile without a size")
        }
        return nil
    }

    /// The parameters of a WMS request; faults are problems.
    private static func wms(_ asked: WMSRequest) throws(Problem) -> String {
        do throws(ServiceFault) {
            guard asked.operation == .map || asked.operation == .featureInfo else { return "wms" }
            for key in ["time", "elevation"] {
                guard let value = asked[key] else { continue }
                // A value that is listed is one of the dimension.
                for several in [true, false] {
                    let facts = WMSCapabilities.Dimension(
                        name: key, units: "", unitSymbol: nil, defaultValue: nil,
                        values: several ? "2026-01-01/2026-12-31/P1D,5" : value, takesNearest: false,
                        takesSeveral: several, takesCurrent: true)
                    let isValue = DimensionValues(facts).contain(value)
                    let isPlain = !value.contains { ",/ ".contains($0) } && value.utf8.allSatisfy { $0 > 0x20 }
                    if !several, isPlain, !isValue {
                        throw ServiceFault(nil, Problem(.failed, "a listed value is refused"))
                    }
                }
            }
            let crs = try asked.crs(), extent = try asked.extent(in: crs), size = try asked.size(limits)
            _ = try asked.background(for: try asked.format(isRequired: true))
            let view: Viewport
            do throws(Problem) {
                view = try Viewport.showing(extent, in: crs, width: size.width, height: size.height, key: "bbox")
            } catch { throw ServiceFault(nil, error) }
            guard (view.size.width, view.size.height) == size else {
                throw ServiceFault(nil, Problem(.failed, "a picture of another size"))
            }
            return "wms \(crs.name) \(magnitude(size.width))"
        } catch { throw error.problem }
    }

    /// The parameters of an OGC API – Maps request.
    private static func ogc(_ query: Query) throws(Problem) -> String {
        let asked = try OGCAPIMapRequest(
            query, showing: [24, 60, 26, 61], in: .webMercator, hasTransparency: true, limits: limits)
        guard asked.viewport.size.width <= limits.sidePixels, asked.viewport.size.height <= limits.sidePixels else {
            throw Problem(.failed, "a picture larger than the limits")
        }
        return "ogc \(asked.crs.name) \(magnitude(asked.viewport.size.width)) \(asked.collections.count)"
    }

    /// The parameters of a WMTS request; faults are problems.
    private static func wmts(_ request: ServerRequest) throws(Problem) -> String {
        do throws(ServiceFault) {
            let rest = request.path.dropFirst()
            switch try rest.isEmpty ? WMTSRequest(request.query).operation : WMTSRequest(path: rest).operation {
            case .capabilities: return "wmts"
            case .tile(let tile): return "wmts tile \(magnitude(tile.address.level))"
            case .featureInfo(let tile, _, _, _): return "wmts question \(magnitude(tile.address.level))"
            }
        } catch { throw error.problem }
    }
}
