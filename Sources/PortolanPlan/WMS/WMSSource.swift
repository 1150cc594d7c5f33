public import PortolanGeo
import PortolanRaster
public import PortolanServices

/// A WMS that draws one image for each view, or a few where the view is larger than it draws at once.
public struct WMSSource: Hashable, Sendable {
    /// The request; its extent and size are replaced for each view.
    public let request: GetMapRequest

    /// What the service draws in one request.
    public let limits: WMSRequestLimits

    /// How many pixels more an image is asked for on the sides where another one follows, so that labels are not cut there.
    public let gutter: Int

    /// The longest side that the service was found to draw, or `nil` where nothing is known.
    private var foundSide: Int?

    /// Makes a source.
    ///
    /// - Parameter gutter: 0 to 1024; others are brought into that range.
    public init(request: GetMapRequest, limits: WMSRequestLimits, gutter: Int = 64) {
        self.request = request
        self.limits = limits
        self.gutter = min(max(gutter, 0), 1024)
    }

    /// Makes a source that is limited in size alone.
    public init(request: GetMapRequest, maximumWidth: Int? = nil, maximumHeight: Int? = nil) {
        self.init(request: request, limits: WMSRequestLimits(maxWidth: maximumWidth, maxHeight: maximumHeight))
    }

    /// The widest image the service draws, in pixels; 4096 where it states no limit, since few servers go beyond.
    public var maximumWidth: Int { max(min(limits.maxWidth ?? 4096, foundSide ?? .max), 1) }

    /// The highest image the service draws, in pixels; 4096 where it states no limit.
    public var maximumHeight: Int { max(min(limits.maxHeight ?? 4096, foundSide ?? .max), 1) }

    /// Whether the service states how large an image it draws.
    package var statesItsSize: Bool { limits.maxWidth != nil && limits.maxHeight != nil }

    /// The source that asks for no longer sides than one, unless the service states its limits itself.
    func limited(to side: Int?) -> WMSSource {
        guard !statesItsSize else { return self }
        var source = self
        source.foundSide = side
        return source
    }

    /// The system the service draws in.
    public var crs: CRS { request.crs }

    /// The URL of an image of some of the layers, given by their places in the request.
    ///
    /// - Parameter isUpper: whether there are others below it, which must shine through.
    func url(extent: Extent, size: ImageSize, layers: [Int], isUpper: Bool, pixelRatio: Double) -> String {
        var request = request
        request.extent = extent
        request.width = size.width
        request.height = size.height
        if layers.count < request.layers.count {
            let styles = request.styles
            request.styles = layers.map { styles.indices.contains($0) ? styles[$0] : "" }
            request.layers = layers.map { self.request.layers[$0] }
        }
        if isUpper { request.isTransparent = true }
        return request.enlarged(byPixelRatio: pixelRatio).url
    }

    /// The layers that may be seen at some scale denominators, by their places in the request, cut into as many as one
    /// request takes; and a sentence about those that are left out.
    ///
    /// - Parameter denominators: those that the service may take the picture to have; a layer seen at one of them counts.
    func layers(at denominators: [Double]) -> (groups: [[Int]], warnings: [String]) {
        var seen: [Int] = [], warnings: [String] = []
        for (place, name) in request.layers.enumerated() {
            let range = limits.scales.indices.contains(place) ? limits.scales[place] : WMSScaleRange()
            if denominators.contains(where: range.mayDraw) {
                seen.append(place)
            } else {
                let scale = WMSScaleRange(minimum: denominators.first).description.dropFirst("from ".count)
                warnings.append("'\(name)' is drawn \(range) and the view has \(scale); not asked for")
            }
        }
        let most = max(limits.maxLayers ?? .max, 1)
        var groups: [[Int]] = []
        while !seen.isEmpty {
            groups.append(Array(seen.prefix(most)))
            seen.removeFirst(min(most, seen.count))
        }
        return (groups, warnings)
    }
}
