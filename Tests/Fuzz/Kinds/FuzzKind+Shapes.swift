import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb

extension FuzzKind {
    /// Shapes of GeoJSON cut where systems end, with edges straight and along great circles.
    static let shapes = FuzzKind(
        name: "shapes", grammar: .json,
        corpus: ["Tests/Fuzz/Corpus/shapes/*", "Tests/Fuzz/Corpus/geojson/*"], largest: 1 << 13,
        memory: Bound(any: 8 << 20, each: 8000), time: Bound(any: 1_200_000_000, each: 2_000_000),
        read: readShapes)

    /// The looks that features bring along: simplestyle and the dialect of routes.
    static let styles = FuzzKind(
        name: "styles", grammar: .json, corpus: ["Tests/Fuzz/Corpus/styles/*", "Tests/Fuzz/Corpus/geojson/*"],
        read: readStyles)

    /// Cylinders, cones, the poles, an oblique system, and one in feet; with the azimuthal ones whose edge is a circle.
    private static let systems = [3857, 3395, 3995, 3031, 3035, 5070, 25832, 2263, 3078, 3574].compactMap(CRS.epsg)

    private static func readShapes(_ bytes: [UInt8]) throws -> Outcome {
        let collection: FeatureCollection
        do { collection = try GeoJSONReader.read(bytes) } catch { return try refused(error.description) }
        var edges = GreatCircleEdges(budget: 20_000), given: [Geometry] = [], count = 0
        for feature in collection.features {
            guard let geometry = feature.geometry else { continue }
            given.append(geometry)
            count += geometry.coordinateCount
        }
        let round = given.map { edges.drawn($0) }
        let rounded = round.reduce(0) { $0 + $1.coordinateCount }
        // The way over a pole and the places where a ring is closed come on top, a few to a ring.
        guard rounded <= count * 6 + 20_100 else { throw Violation("\(count) coordinates became \(rounded)") }
        for (straight, bent) in zip(given, round) where isFinite(straight) && !isFinite(bent) {
            throw Violation("a great circle leads nowhere")
        }
        var left = 0
        for crs in systems {
            guard let transform = try? CoordinateTransform(from: .crs84, to: crs),
                let cutter = ShapeCutter(transform)
            else { throw Violation("\(crs) is not cut") }
            for geometry in given + round {
                let cut = cutter.cut(geometry), before = geometry.coordinateCount, after = cut.coordinateCount
                left += after
                // At most seven turns of the world, each with all its edges split, and rings closed along an edge.
                guard after <= before * 80 + 2_000_000 else { throw Violation("\(before) coordinates became \(after)") }
                guard !isFinite(geometry) || isFinite(cut) else { throw Violation("a cut in \(crs) leads nowhere") }
            }
        }
        return .value("\(magnitude(count)) \(magnitude(rounded)) \(magnitude(left))")
    }

    private static func isFinite(_ geometry: Geometry) -> Bool {
        geometry.coordinates.allSatisfy(\.isFinite) && geometry.children.allSatisfy(isFinite)
    }

    private static func readStyles(_ bytes: [UInt8]) throws -> Outcome {
        let collection: FeatureCollection
        do { collection = try GeoJSONReader.read(bytes) } catch { return try refused(error.description) }
        let source = FeatureSource(collection)
        var table = StyleTable(defaults: StyleDeclaration())
        _ = table.append(contentsOf: collection.features)
        for warning in table.warnings.values.joined() { _ = try refused(warning.description) }
        for style in table.styles.flatMap({ [$0.default, $0.style(selected: true)] }) {
            var numbers = [style.stroke?.width, style.stroke?.casing?.width, style.label?.size].compactMap(\.self)
            numbers += style.stroke?.dashes ?? []
            guard numbers.allSatisfy({ $0.isFinite && $0 >= 0 && $0 <= 1e6 }) else {
                throw Violation("a style of no size: \(style)")
            }
        }
        return .value(
            "\(magnitude(table.styles.count)) \(magnitude(table.warnings.count)) \(source.boundingBox == nil)")
    }
}
