import PortolanFeatures
public import PortolanRaster
public import PortolanRouting
public import PortolanStyles

/// The style of a planned route: a line with a casing in the colour of its mode, arrows along it, numbered discs at
/// places and flags at its ends.
public enum RouteStyle {
    /// Returns the colour of a mode.
    public static func color(of mode: TravelMode) -> MapColor {
        switch mode {
        case .car: MapColor(red: 33, green: 96, blue: 196)
        case .foot: MapColor(red: 190, green: 52, blue: 85)
        case .bicycle: MapColor(red: 22, green: 122, blue: 84)
        case .transit: MapColor(red: 112, green: 62, blue: 168)
        }
    }

    /// Returns the style sheet for the features of ``/PortolanRouting/SavedRoute/features(of:named:)``.
    ///
    /// - Parameter isEstimate: whether the route is an estimate, which is drawn with a thinner line.
    public static func sheet(for mode: TravelMode, isEstimate: Bool = false) -> StyleSheet {
        // The style is a constant and valid; a test parses it for every mode.
        var options = StyleSheet.Options()
        options.keepsLinesClear = true
        options.keepsIconsStraight = true
        do { return try StyleSheet(style(mode, isEstimate), options: options) } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func style(_ mode: TravelMode, _ isEstimate: Bool) -> PropertyValue {
        let color = color(of: mode)
        let ink: PropertyValue = .string("rgb(\(color.red), \(color.green), \(color.blue))")
        let isLine: PropertyValue = ["==", ["get", "type"], "route"]
        let isPlace: PropertyValue = ["==", ["get", "type"], "poi"]
        // Estimates are drawn thinner than roads.
        let line: PropertyValue = ["line-color": ink, "line-width": isEstimate ? 3 : 5]
        // Legends leave out what explains itself.
        let untitled: PropertyValue = ["portolan:title": ""]
        let round: PropertyValue = ["line-cap": "round", "line-join": "round"]
        let arrows: PropertyValue = [
            "id": "arrows", "type": "symbol", "source": "route", "filter": isLine, "metadata": untitled,
            "layout": [
                "symbol-placement": "line", "symbol-spacing": 90, "icon-image": "arrow", "icon-size": 1.2,
                "icon-padding": 0,
            ], "paint": ["icon-color": ink, "icon-halo-color": "white", "icon-halo-width": 1.5],
        ]
        return [
            "version": 8, "sources": ["route": ["type": "geojson", "data": .object(Properties())]],
            "layers": [
                [
                    "id": "links", "type": "line", "source": "route", "filter": ["==", ["get", "type"], "link"],
                    "metadata": untitled,
                    "paint": ["line-color": ink, "line-width": 2, "line-dasharray": [2, 2], "line-opacity": 0.8],
                ],
                [
                    "id": "casing", "type": "line", "source": "route", "filter": isLine, "layout": round,
                    "paint": ["line-color": "white", "line-width": isEstimate ? 6 : 9, "line-opacity": 0.9],
                ],
                [
                    "id": "line", "type": "line", "source": "route", "filter": isLine, "layout": round,
                    "metadata": ["portolan:title": "Route"],
                    "paint": line,
                ],
                arrows,
                // The travelled part covers the arrows.
                [
                    "id": "travelled", "type": "line", "source": "route",
                    "metadata": ["portolan:title": "Travelled"],
                    "filter": ["==", ["get", "type"], "travelled"], "layout": round,
                    "paint": ["line-color": "#8b929c", "line-width": isEstimate ? 5 : 7],
                ],
                [
                    "id": "flags", "type": "symbol", "source": "route", "filter": ["has", "flag"],
                    "metadata": untitled,
                    "layout": [
                        "icon-image": "flag", "icon-size": 1.3, "icon-offset": [0, -6],
                        "icon-allow-overlap": true, "icon-padding": 0,
                    ],
                    "paint": [
                        "icon-color": ["match", ["get", "flag"], "first", "#1b7a3d", "#20242a"],
                        "icon-halo-color": "white", "icon-halo-width": 1.5,
                    ],
                ],
                [
                    "id": "names", "type": "symbol", "source": "route",
                    "filter": ["all", isPlace, ["has", "name"]],
                    "layout": [
                        "text-field": ["get", "name"], "text-size": 13, "text-font": ["DejaVu Sans Bold"],
                        "text-variable-anchor": ["left", "right", "top", "bottom"], "text-radial-offset": 1.55,
                        "text-justify": "auto", "text-max-width": 12, "symbol-avoid-edges": true,
                    ], "paint": ["text-color": "#20242a", "text-halo-color": "white", "text-halo-width": 1.6],
                ],
                // Discs are symbols as well, so that they are above the arrows and names avoid them.
                [
                    "id": "numbers", "type": "symbol", "source": "route", "filter": isPlace,
                    "metadata": ["portolan:title": "Places"],
                    "layout": [
                        "icon-image": "circle", "icon-size": 1.85, "icon-allow-overlap": true,
                        "text-field": ["to-string", ["get", "order"]],
                        "text-size": 12, "text-font": ["DejaVu Sans Bold"], "text-allow-overlap": true,
                        "text-ignore-placement": true,
                    ],
                    "paint": [
                        "text-color": "white", "icon-color": ink, "icon-halo-color": "white", "icon-halo-width": 2,
                    ],
                ],
            ],
        ]
    }
}
