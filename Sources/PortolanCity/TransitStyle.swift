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
    public static func sheet(_ parts: Parts = Parts()) -> StyleSheet {
        // The style is a constant and valid; a test parses it for all combinations of parts.
        do { return try StyleSheet(style(parts)) } catch { preconditionFailure("\(error)") }
    }

    private static func style(_ parts: Parts) -> PropertyValue {
        var layers: [PropertyValue] = []
        if parts.lines { layers += lines(width: parts.lineWidth) }
        if parts.stops { layers += targets }
        if parts.stops, parts.names { layers.append(names) }
        return [
            "version": 8, "sources": ["transit": ["type": "geojson", "data": .object(Properties())]],
            "layers": .array(layers),
        ]
    }

    private static let isLine: PropertyValue = ["==", ["get", "kind"], "line"]
    private static let isStop: PropertyValue = ["==", ["get", "kind"], "stop"]
    private static let color: PropertyValue = ["to-color", ["get", "color"], "#4b5563"]

    private static func lines(width thickness: Double) -> [PropertyValue] {
        let round: PropertyValue = ["line-cap": "round", "line-join": "round"]
        func width(beyond: Double) -> PropertyValue {
            [
                "interpolate", ["linear"], ["zoom"], 9, .number(thickness * 0.4 + beyond * 0.5), 13,
                .number(thickness + beyond), 17, .number(thickness * 1.6 + beyond),
            ]
        }
        return [
            [
                "id": "line-casings", "type": "line", "source": "transit", "filter": isLine, "layout": round,
                "paint": ["line-color": "white", "line-width": width(beyond: 3), "line-opacity": 0.75],
            ],
            [
                "id": "lines", "type": "line", "source": "transit", "filter": isLine, "layout": round,
                "metadata": ["portolan:title": "Lines"],
                "paint": ["line-color": color, "line-width": width(beyond: 0), "line-opacity": 0.8],
            ],
            [
                "id": "line-names", "type": "symbol", "source": "transit", "filter": isLine, "minzoom": 12,
                "layout": [
                    "symbol-placement": "line", "symbol-spacing": 260, "text-field": ["get", "name"],
                    "text-size": 12, "text-font": ["DejaVu Sans Bold"], "text-rotation-alignment": "viewport",
                ], "paint": ["text-color": color, "text-halo-color": "white", "text-halo-width": 2],
            ],
        ]
    }

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
        "id": "stop-names", "type": "symbol", "source": "transit",
        "filter": ["all", isStop, ["has", "label"]], "minzoom": 13.5,
        "layout": [
            "text-field": ["get", "label"], "text-size": 11.5,
            "text-variable-anchor": ["left", "right", "top", "bottom"],
            "text-radial-offset": 0.9, "text-justify": "auto", "text-max-width": 10,
            "symbol-avoid-edges": true,
        ], "paint": ["text-color": "#20242a", "text-halo-color": "white", "text-halo-width": 1.5],
    ]
}
