import PortolanFeatures

/// An example that shows a map in a client, for people to copy.
struct ClientSnippet {
    /// The name of the client.
    let client: String
    /// The code, or the steps.
    let text: String

    /// Returns the examples for a map.
    static func all(for map: PublishedMap, _ context: ServingContext) -> [ClientSnippet] {
        let base = context.base, box = map.degrees.map { ($0 * 1e6).rounded() / 1e6 },
            tiles = "\(base)/tiles/\(map.name)/{z}/{x}/{y}.png"
        let credit = script(map.attribution ?? ""), zooms = map.zooms
        return [
            ClientSnippet(
                client: "Leaflet",
                text: """
                    <link rel="stylesheet" href="https://unpkg.com/leaflet@1.9.4/dist/leaflet.css">
                    <script src="https://unpkg.com/leaflet@1.9.4/dist/leaflet.js"></script>
                    <div id="map" style="height: 400px"></div>
                    <script>
                      const map = L.map("map").fitBounds([[\(box[1]), \(box[0])], [\(box[3]), \(box[2])]]);
                      L.tileLayer(\(script(tiles)), {
                        minZoom: \(zooms.lowerBound), maxZoom: \(zooms.upperBound), attribution: \(credit)
                      }).addTo(map);
                    </script>
                    """),
            ClientSnippet(
                client: "OpenLayers",
                text: """
                    <link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/ol@10.9.0/ol.css">
                    <script src="https://cdn.jsdelivr.net/npm/ol@10.9.0/dist/ol.js"></script>
                    <div id="map" style="height: 400px"></div>
                    <script>
                      const extent = ol.proj.transformExtent([\(numbers(box))], "EPSG:4326", "EPSG:3857");
                      const source = new ol.source.XYZ({
                        url: \(script(tiles)), minZoom: \(zooms.lowerBound), maxZoom: \(zooms.upperBound),
                        attributions: \(credit)
                      });
                      const map = new ol.Map({ target: "map", layers: [new ol.layer.Tile({ source })] });
                      map.getView().fit(extent);
                    </script>
                    """),
            ClientSnippet(
                client: "MapLibre GL JS",
                text: """
                    <link rel="stylesheet" href="https://unpkg.com/maplibre-gl@5/dist/maplibre-gl.css">
                    <script src="https://unpkg.com/maplibre-gl@5/dist/maplibre-gl.js"></script>
                    <div id="map" style="height: 400px"></div>
                    <script>
                      new maplibregl.Map({
                        container: "map", style: \(script("\(base)/styles/\(map.name)/style.json")),
                        bounds: [[\(box[0]), \(box[1])], [\(box[2]), \(box[3])]]
                      });
                    </script>
                    """),
            ClientSnippet(
                client: "QGIS",
                text: """
                    Layer > Add Layer > Add WMS/WMTS Layer… > New
                    URL: \(context.addressOfWMTS)
                    Connect, and choose the layer \(map.name).

                    Or as tiles: Layer > Add Layer > Add XYZ Layer… > New
                    URL: \(tiles)
                    Min. zoom level \(zooms.lowerBound), max. zoom level \(zooms.upperBound)
                    """),
        ]
    }

    private static func numbers(_ numbers: [Double]) -> String { numbers.map { "\($0)" }.joined(separator: ", ") }

    /// Returns a text as a literal of JavaScript, which cannot end the script element around it.
    private static func script(_ text: String) -> String {
        String(decoding: GeoJSONWriter.json(.string(text)), as: UTF8.self).replacing("<", with: "\\u003c")
    }
}
