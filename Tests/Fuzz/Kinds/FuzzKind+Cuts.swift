import PortolanFeatures
import PortolanGeo

extension FuzzKind {
    /// Shapes of GeoJSON cut at the antimeridian, and grown and shrunk.
    static let cuts = FuzzKind(
        name: "cuts", grammar: .json,
        corpus: ["Tests/Fuzz/Corpus/cuts/*", "Tests/Fuzz/Corpus/shapes/*", "Tests/Fuzz/Corpus/geojson/*"],
        largest: 1 << 12, memory: Bound(any: 64 << 20, each: 8000), time: Bound(any: 4_000_000_000, each: 2_000_000),
        read: readCuts)

    /// How many shapes of a document are grown: each may take long.
    private static let mostGrown = 2

    private static func readCuts(_ bytes: [UInt8]) throws -> Outcome {
        let collection: FeatureCollection
        do { collection = try GeoJSONReader.read(bytes) } catch { return try refused(error.description) }
        var before = 0, after = 0, grown = 0
        for (number, geometry) in collection.features.compactMap(\.geometry).enumerated() {
            before += geometry.coordinateCount
            for edges in [Geometry.LongEdges.straight, .shortNearAntimeridian] {
                let cut = geometry.cutAtAntimeridian(edges)
                guard cut.cutAtAntimeridian(edges) == cut else { throw Violation("cut twice, it differs") }
                try check(cut, of: geometry)
                after += cut.coordinateCount
            }
            try check(geometry.cutAtAntimeridian(.short), of: geometry)
            guard number < mostGrown else { continue }
            for meters in [150_000.0, -150_000] {
                let area = geometry.buffered(meters: meters)
                guard area.coordinates.allSatisfy({ abs($0.x) <= 180 && abs($0.y) <= 90 }) else {
                    throw Violation("grown by \(meters) m it lies nowhere")
                }
                guard area.cutAtAntimeridian(.straight) == area else { throw Violation("what has grown is not cut") }
                grown += area.coordinateCount
            }
        }
        return .value("\(magnitude(before)) \(magnitude(after)) \(magnitude(grown))")
    }

    private static func check(_ cut: Geometry, of geometry: Geometry) throws {
        guard cut.kind == .collection else {
            // Seven turns of the world, each with the ends of all edges; invalid coordinates are omitted.
            guard cut.coordinateCount <= geometry.coordinateCount * 32 + 64 else {
                throw Violation("\(geometry.coordinateCount) coordinates became \(cut.coordinateCount)")
            }
            let finite = geometry.coordinates.filter(\.isFinite)
            guard finite.count < geometry.coordinateCount || cut.coordinates.allSatisfy(\.isFinite) else {
                throw Violation("a cut leads nowhere")
            }
            let isNear = finite.allSatisfy { abs($0.x) <= 1260 && abs($0.y) <= 1260 }
            guard !isNear || finite.count < geometry.coordinateCount || cut.coordinates.allSatisfy({ abs($0.x) <= 180 })
            else { throw Violation("what is cut lies beyond the world") }
            return
        }
        guard cut.children.count == geometry.children.count else { throw Violation("a part is lost") }
        for (cut, geometry) in zip(cut.children, geometry.children) { try check(cut, of: geometry) }
    }
}
