public import PortolanFeatures

/// The base map styles that come with Portolan, for vector tiles in the OpenMapTiles schema (version 3).
///
/// The styles are in the public domain (CC0 1.0). They use no sprite, and they draw labels in Noto Sans, or in the default font if that is not installed.
///
/// ```swift
/// let sheet = try StyleSheet(BaseMapStyle.dark.document(tiles: "pmtiles://helsinki.pmtiles"))
/// ```
public enum BaseMapStyle: String, CaseIterable, Sendable {
    /// A quiet map in pale colours, as a ground for data.
    case light = "portolan-light"
    /// The same map in dim colours.
    case dark = "portolan-dark"

    /// The name of the source that the layers draw.
    package static let sourceName = "openmaptiles"

    /// The MapLibre style document.
    ///
    /// - Parameter tiles: the address of the vector tiles: a TileJSON document, `pmtiles://…` or `mbtiles://…`.
    public func document(tiles: String) -> PropertyValue {
        [
            "version": 8,
            "name": self == .light ? "Portolan Light" : "Portolan Dark",
            "metadata": ["license": "CC0-1.0", "schema": "OpenMapTiles 3"],
            "sources": .object([Self.sourceName: ["type": "vector", "url": .string(tiles)]]),
            "layers": .array(BaseMapLayers(self == .light ? .light : .dark).all.map(PropertyValue.object)),
        ]
    }
}
