public import PortolanGeo
import PortolanRaster
public import PortolanServices

/// A WMS that draws one image for each view.
public struct WMSSource: Hashable, Sendable {
    /// The request; its extent and size are replaced for each view.
    public let request: GetMapRequest

    /// The widest image the service draws, in pixels.
    public let maximumWidth: Int

    /// The highest image the service draws, in pixels.
    public let maximumHeight: Int

    /// Makes a source.
    public init(request: GetMapRequest, maximumWidth: Int? = nil, maximumHeight: Int? = nil) {
        self.request = request
        // Servers that state no limit seldom go beyond this one.
        self.maximumWidth = max(maximumWidth ?? 4096, 1)
        self.maximumHeight = max(maximumHeight ?? 4096, 1)
    }

    /// The system the service draws in.
    public var crs: CRS { request.crs }

    /// The URL of an image.
    func url(extent: Extent, size: ImageSize) -> String {
        var request = request
        request.extent = extent
        request.width = size.width
        request.height = size.height
        return request.url
    }
}
