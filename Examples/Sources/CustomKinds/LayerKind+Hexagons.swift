import Portolan
import PortolanRaster

extension LayerKind {
    /// Points of a file counted in hexagons, as a specification: `hexagons:FILE;radius=24;color=#064`.
    public static let hexagons = LayerKind(
        "hexagons", source: .data, keys: ["radius", "color"],
        help: "hexagons:FILE  points counted in hexagons  radius (pixels, 18), color (of the fullest, #80003c)",
        check: { (specification) throws(MapError) in
            _ = try radius(specification)
            _ = try color(specification)
        },
        make: { (specification, name, builder) async throws(MapError) in
            let places = try await builder.features(of: specification).features
                .compactMap { $0.geometry?.coordinates.first }
            let source = HexagonLayer(
                points: places, radius: try radius(specification) ?? 18,
                color: try color(specification) ?? HexagonLayer.fullest)
            return (MapLayer(name: name, source: source), [])
        })

    private static func radius(_ specification: LayerSpecification) throws(MapError) -> Double? {
        try specification.number("radius", in: 4...200)
    }

    private static func color(_ specification: LayerSpecification) throws(MapError) -> MapColor? {
        guard let text = specification["color"] else { return nil }
        guard let color = MapColor(css: text) else { throw specification.invalid("color", "is not a colour, as #064") }
        return color
    }
}
