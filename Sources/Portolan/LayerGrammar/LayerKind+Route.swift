import PortolanFeatures
import PortolanPlan
import PortolanWeb

extension LayerKind {
    /// A route of a file, a URL or standard input, drawn by ``/PortolanPlan/MapLayer/route(_:baseURL:named:)``.
    public static let route = LayerKind(
        "route", source: .features, keys: ["layer"] + RouteMarkKeys.keys,
        help: """
            route:FILE, URL or -  A route in any feature format: its line with a casing, its places with their names, its start and end. \
            The style of a feature overrides this.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let (collection, base) = try await readFeatures(of: specification, builder)
            try builder.refuseRepairs(collection.warnings, of: specification)
            let inDegrees: FeatureCollection
            do { inDegrees = try collection.inDegrees() } catch { throw specification.error(.features("\(error)")) }
            var notes = notes(on: inDegrees, in: .crs84)
            if let marks = try RouteMarkKeys(specification) {
                let source = try marks.source(
                    of: inDegrees, color: builder.layerColor, base: base, isRoute: true, &notes)
                let attribution = inDegrees.foreignMembers["attribution"]?.stringValue
                return (MapLayer(name: name, source: source, attribution: attribution), notes)
            }
            return (MapLayer.route(inDegrees, baseURL: base, named: name), notes)
        })
}
