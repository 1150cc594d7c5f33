import Portolan
import PortolanPlan
import PortolanRaster

/// A custom layer: points counted in hexagons, darker for higher counts.
public struct HexagonLayer: LayerSource {
    /// The points as longitude and latitude in degrees.
    public let points: [Coordinate]
    /// The radius of a hexagon, in view pixels.
    public let radius: Double
    /// The colour of the hexagon with the most points.
    public let color: MapColor

    /// The default colour of the hexagon with the most points.
    public static let fullest = MapColor(red: 128, green: 0, blue: 60)

    /// Creates a layer.
    public init(points: [Coordinate], radius: Double = 18, color: MapColor = fullest) {
        self.points = points
        self.radius = radius
        self.color = color
    }

    /// `hexagons`.
    public var kind: String { "hexagons" }

    /// Returns the plan: the hexagons of the view are painted as areas, and no resources are needed.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        let map = view.viewport.crs
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: .crs84, to: map) } catch { throw .notTransformable(error) }
        let size = radius * view.viewport.resolution.unitsPerPixel
        let counts = Dictionary(grouping: points.compactMap { transform($0) }) { Hexagon(holding: $0, size: size) }
            .mapValues(\.count)
        guard let most = counts.values.max() else { return LayerPlan() }
        let extent = view.viewport.extent(margin: radius)
        let shown = counts.filter { extent.contains($0.key.center(size: size)) }
            .sorted { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }
        let features = shown.map { hexagon, count in
            let share = Double(count) / Double(most)
            let style = Style(
                stroke: LineSymbol(color: .white, width: 1),
                fill: FillSymbol(color: color.withOpacity(0.15 + 0.75 * share)),
                label: count == most ? LabelSymbol(template: "${count}", color: .white, size: 11) : nil)
            return Scene.StyledFeature(
                feature: Feature(
                    geometry: .polygon([hexagon.corners(size: size)]), properties: ["count": .number(Double(count))]),
                style: style, iconURL: nil, isSelected: false)
        }
        return LayerPlan(nodes: [.features(Scene.FeatureStep(crs: map, features: features))])
    }
}

/// A hexagon with its tip up, in rows that are alternately shifted by half a hexagon.
struct Hexagon: Hashable {
    let column: Int
    let row: Int

    /// Finds the hexagon that contains a coordinate: that of the nearest centre in the two adjacent rows.
    init(holding place: Coordinate, size: Double) {
        let width = size * 3.0.squareRoot(), height = size * 1.5
        let below = Int((place.y / height).rounded(.down))
        let candidates = [below, below + 1].map { row -> Hexagon in
            let shift = row.isMultiple(of: 2) ? 0 : 0.5
            return Hexagon(column: Int((place.x / width - shift).rounded()), row: row)
        }
        func distance(_ hexagon: Hexagon) -> Double {
            let center = hexagon.center(size: size)
            return (center.x - place.x) * (center.x - place.x) + (center.y - place.y) * (center.y - place.y)
        }
        self = distance(candidates[0]) <= distance(candidates[1]) ? candidates[0] : candidates[1]
    }

    private init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }

    func center(size: Double) -> Coordinate {
        let shift = row.isMultiple(of: 2) ? 0 : 0.5
        return Coordinate(x: (Double(column) + shift) * size * 3.0.squareRoot(), y: Double(row) * size * 1.5)
    }

    func corners(size: Double) -> [Coordinate] {
        let middle = center(size: size), half = size * 3.0.squareRoot() / 2
        let offsets = [
            (0, size), (half, size / 2), (half, -size / 2), (0, -size), (-half, -size / 2), (-half, size / 2),
            (0, size),
        ]
        return offsets.map { Coordinate(x: middle.x + $0.0, y: middle.y + $0.1) }
    }
}
