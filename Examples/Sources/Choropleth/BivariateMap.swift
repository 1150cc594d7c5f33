import Portolan
import PortolanFeatures
import PortolanRaster

/// The countries of Europe by two figures at once: how dense they are, and how much of them lives in one city.
///
/// A MapLibre style nests the classes of one figure in those of the other. The legend is a layer as well: nine squares in
/// the sea, so that pictures, SVG and PDF have it alike.
enum BivariateMap {
    /// The bounds between low, middle and high values.
    private static let densities = (60, 130), shares = (7, 14)

    /// The colours by class of density, then of share: those of one figure multiplied by those of the other.
    static let colors: [[MapColor]] = {
        let densities = [(242, 242, 242), (224, 168, 200), (192, 90, 154)]
        let shares = [(242, 242, 242), (169, 203, 227), (78, 150, 194)]
        func product(_ one: Int, _ other: Int) -> UInt8 { UInt8(one * other / 255) }
        return densities.map { density in
            shares.map { share in
                MapColor(
                    red: product(density.0, share.0), green: product(density.1, share.1),
                    blue: product(density.2, share.2))
            }
        }
    }()

    /// Returns the map with its legend.
    static func map() async throws -> MapFacade {
        let map = try EuropeMap.empty(width: 720, height: 760)
        try await map.addLayer(EuropeMap.countries(["name": "Countries", "style": style]))
        try map.add(legend())
        map.options.title = "Crowded countries, crowded capitals"
        map.options.subtitle = "People per square kilometre, and the share of the largest city"
        return map
    }

    /// The style: a step of density, each with a step of the share.
    private static var style: String {
        let rows = colors.map { row in
            let names = row.map { "rgb(\($0.red),\($0.green),\($0.blue))" }
            return
                #"["step", ["get", "largest_city"], "\#(names[0])", \#(shares.0), "\#(names[1])", \#(shares.1), "\#(names[2])"]"#
        }
        let numbers =
            #"["==", ["typeof", ["get", "density"]], "number"], ["==", ["typeof", ["get", "largest_city"]], "number"]"#
        return #"""
            {"version": 8, "layers": [
              {"id": "areas", "type": "fill", "paint": {"fill-color": ["case", ["all", \#(numbers)],
                ["step", ["get", "density"], \#(rows[0]), \#(densities.0), \#(rows[1]), \#(densities.1), \#(rows[2])],
                "#f6f6f6"]}},
              {"id": "borders", "type": "line", "paint": {"line-color": "#ffffff", "line-width": 0.7}}]}
            """#
    }

    /// The square legend, on its corner: both figures grow upwards.
    private static func legend() throws -> MapLayer {
        let center = (x: 2_900_000.0, y: 2_560_000.0), side = 160_000.0, half = 0.5.squareRoot()
        func place(_ across: Double, _ up: Double) -> Coordinate {
            Coordinate(x: center.x + (across - up) * side * half, y: center.y + (across + up) * side * half)
        }
        var source = FeatureSource(features: [], crs: try CRS("EPSG:3035"))
        for (row, shades) in colors.enumerated() {
            for (column, shade) in shades.enumerated() {
                let (left, low) = (Double(row), Double(column))
                let ring = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)].map { place(left + $0, low + $1) }
                source.append(
                    Feature(geometry: .polygon([ring])),
                    style: Style(
                        stroke: LineSymbol(color: .white, width: 1), fill: FillSymbol(color: shade)))
            }
        }
        func name(_ text: String, at coordinate: Coordinate, rotation: Double) {
            var label = LabelSymbol(template: text, color: MapColor(red: 40, green: 44, blue: 50), size: 12)
            label.rotation = rotation
            source.append(Feature(geometry: .point(coordinate)), style: Style(label: label))
        }
        name("denser →", at: place(1.5, -0.45), rotation: -45)
        name("← larger city", at: place(-0.45, 1.5), rotation: 45)
        return MapLayer(name: "Legend", source: source)
    }
}
