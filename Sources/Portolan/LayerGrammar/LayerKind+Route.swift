import PortolanFeatures
import PortolanPlan
import PortolanWeb

extension LayerKind {
    /// A route of a file, a URL or standard input, drawn as ``/PortolanPlan/MapLayer/route(_:baseURL:named:)`` has it.
    public static let route = LayerKind(
        "route", source: .features, keys: ["layer"],
        help: """
            route:FILE, URL or - (standard input), in the formats of features:, as a route: its line with a light edge, its places with \
            their names, marks at its start and end; layer (of a GeoPackage of several). The style that a feature brings along wins.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let (collection, base) = try await readFeatures(of: specification, builder)
            try builder.refuseRepairs(collection.warnings, of: specification)
            let inDegrees: FeatureCollection
            do { inDegrees = try collection.inDegrees() } catch { throw specification.error(.features("\(error)")) }
            return (MapLayer.route(inDegrees, baseURL: base, named: name), notes(on: inDegrees, in: .crs84))
        })
}
