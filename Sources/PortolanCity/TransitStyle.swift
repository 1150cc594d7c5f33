import PortolanFeatures
import PortolanRaster
public import PortolanStyles
import PortolanTransit

/// The style of lines and stops of public transport: paths with casings in the line colours, stops as targets, and
/// names where they fit.
///
/// It draws features with a property `kind`: `line` (with `color`, `name`) and `stop` (with `color`, `name`, `lines`).
public enum TransitStyle {
    /// The parts to draw.
    public struct Parts: Hashable, Sendable {
        /// Whether paths are drawn.
        public var lines = true
        /// Whether stops are drawn.
        public var stops = true
        /// Whether stop names are drawn, from zoom level 13.
        public var names = true
        /// The width of paths in pixels.
        public var lineWidth = 4.0

        /// Creates a value with all parts.
        public init() {}
    }

    /// Returns the style sheet.
    public static func sheet(_ parts: Parts = Parts()) -> StyleSheet { sheet(parts, groups: []) }

    /// Returns the style sheet with a layer for each group of lines, so that a legend explains those in view.
    static func sheet(_ parts: Parts, groups: [LineGroup]) -> StyleSheet {
        var options = StyleSheet.Options()
        options.placesFreely = true
        options.keepsLinesClear = true
        options.avoidsOwnLines = true
        // The style is a constant and valid; a test parses it for all combinations of parts.
        do { return try StyleSheet(style(parts, groups), options: options) } catch { preconditionFailure("\(error)") }
    }

    private static func style(_ parts: Parts, _ groups: [LineGroup]) -> PropertyValue {
        var layers: [PropertyValue] = []
        if parts.lines { layers += lines(width: parts.lineWidth, groups) }
        if parts.stops { layers += targets }
        if parts.stops, parts.names { layers.append(names) }
        if parts.lines { layers.append(numbers) }
        return [
            "version": 8, "sources": ["transit": ["type": "geojson", "data": .object(Properties())]],
            "layers": .array(layers),
        ]
    }

    private static let isLine: PropertyValue = ["==", ["get", "kind"], "line"]
    private static let isStop: PropertyValue = ["==", ["get", "kind"], "stop"]
    private static let color: PropertyValue = ["to-color", ["get", "color"], "#4b5563"]

    private static func lines(width thickness: Double, _ groups: [LineGroup]) -> [PropertyValue] {
        let round: PropertyValue = ["line-cap": "round", "line-join": "round"]
        func width(beyond: Double) -> PropertyValue {
            [
                "interpolate", ["linear"], ["zoom"], 9, .number(thickness * 0.4 + beyond * 0.5), 13,
                .number(thickness + beyond), 17, .number(thickness * 1.6 + beyond),
            ]
        }
        func layer(_ id: String, _ filter: PropertyValue, titled title: String) -> PropertyValue {
            [
                "id": .string(id), "type": "line", "source": "transit", "filter": filter, "layout": round,
                "metadata": ["portolan:title": .string(title)],
                "paint": ["line-color": color, "line-width": width(beyond: 0)],
            ]
        }
        let drawn = groups.enumerated().map { number, group in
            var conditions: [PropertyValue] = [
                "all", isLine, ["==", ["get", "mode"], .string(group.mode.rawValue)],
            ]
            if let color = group.color { conditions.append(["==", ["get", "color"], .string(color.hexText)]) }
            return layer("lines-\(number + 1)", .array(conditions), titled: group.title)
        }
        return [
            [
                "id": "line-casings", "type": "line", "source": "transit", "filter": isLine, "layout": round,
                "paint": ["line-color": "white", "line-width": width(beyond: 3), "line-opacity": 0.75],
            ]
        ] + (drawn.isEmpty ? [layer("lines", isLine, titled: "Lines")] : drawn)
    }

    /// The names of lines, upright on them.
    private static let numbers: PropertyValue = [
        "id": "line-names", "type": "symbol", "source": "transit", "filter": isLine, "minzoom": 12,
        "layout": [
            // Numbers have more room than the names of stops, which are placed first.
            "symbol-placement": "line", "symbol-spacing": 260, "symbol-sort-key": 1, "text-field": ["get", "name"],
            "text-size": 12, "text-font": ["DejaVu Sans Bold"], "text-rotation-alignment": "viewport",
        ], "paint": ["text-color": color, "text-halo-color": "white", "text-halo-width": 2],
    ]

    /// Stop symbols: a black ring, a white gap and a centre in the colour of the mode.
    private static let targets: [PropertyValue] = {
        func radius(_ size: Double) -> PropertyValue {
            ["interpolate", ["linear"], ["zoom"], 11, .number(size * 0.35), 14, .number(size * 0.8), 16, .number(size)]
        }
        return [
            [
                "id": "stop-rings", "type": "circle", "source": "transit", "filter": isStop, "minzoom": 11,
                "metadata": ["portolan:title": "Stops"],
                "paint": [
                    "circle-radius": radius(6.5), "circle-color": "white", "circle-stroke-color": "#15181c",
                    "circle-stroke-width": 1.6,
                ],
            ],
            [
                "id": "stop-centres", "type": "circle", "source": "transit", "filter": isStop, "minzoom": 11,
                "metadata": ["portolan:title": ""],
                "paint": ["circle-radius": radius(3.6), "circle-color": color],
            ],
        ]
    }()

    private static let names: PropertyValue = [
        "id": "stop-names", "type": "symbol", "source": "transit", "filter": isStop, "minzoom": 13.5,
        "layout": [
            "text-field": ["get", "name"], "text-size": 11.5, "text-font": ["DejaVu Sans"], "text-justify": "auto",
            "text-max-width": 10,
            // The two stops of a street have one name.
            "symbol-spacing": 400,
        ], "paint": ["text-color": "#20242a", "text-halo-color": "white", "text-halo-width": 1.5],
    ]
}
