/// The legend of one layer of a WMS: its title, and where the picture that explains its style is.
public struct WMSLegend: Hashable, Sendable {
    /// The name of the layer.
    public var layer: String
    /// The title of the layer for people, its name where the service gives none.
    public var title: String
    /// The address of the picture, or `nil` when the service has none that can be read.
    public var url: String?

    /// Makes a legend.
    public init(layer: String, title: String, url: String?) {
        self.layer = layer
        self.title = title
        self.url = url
    }
}
