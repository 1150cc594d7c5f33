package import Portolan
package import PortolanFetch
import PortolanGeo
package import PortolanPlan
package import PortolanRaster

/// A request for a picture of a map, independent of the request syntax.
package struct PictureRequest: Sendable {
    /// The map.
    package let map: PublishedMap
    /// The layers to draw, bottom first.
    ///
    /// Content of the client is on top.
    package var layers: [MapLayer]
    /// The view.
    package let viewport: Viewport
    /// The image format.
    package let format: ServedFormat
    /// The quality of a lossy WebP, 1 to 100, or `nil` for a lossless one.
    package var quality: Int?
    /// The background colour.
    package var background = MapColor.white
    /// The tiles whose labels come from label cells, or `nil` if the picture places its own labels.
    package var tile: TilePosition?
    /// The attribution to draw.
    package var attribution = RenderOptions.Attribution.none
    /// The content of a picture.
    package enum Subject: Hashable, Sendable {
        /// The map.
        case map
        /// A legend of the layers, as large as necessary within the size, or exactly of the size.
        case legend(within: ImageSize, isExact: Bool)
        /// A text on the background alone.
        case notice(String)
    }
    /// The content of the picture.
    package var subject = Subject.map
    /// A key that distinguishes the picture from others of the map, for all that is not part of the other properties.
    package let key: String

    /// Creates a request for layers of a map.
    ///
    /// - Parameter key: distinguishes it from other requests for the same map and view: the layers, and content of the
    ///   client.
    package init(
        of map: PublishedMap, layers: [MapLayer]? = nil, in viewport: Viewport, as format: ServedFormat,
        key: String = ""
    ) {
        self.map = map
        self.layers = layers ?? map.layers
        self.viewport = viewport
        self.format = format
        self.key = key
    }

    /// The identity of the picture among all pictures, except for content of servers.
    ///
    /// Each worker computes the same.
    ///
    /// It is computed for each request, including cache hits, and therefore must be fast.
    var identity: EntityTag {
        let view = viewport, color = background
        var words: String
        switch subject {
        case .map: words = "map"
        case .legend(let size, let isExact): words = "legend \(size.width) \(size.height) \(isExact)"
        case .notice(let text): words = "notice \(text)"
        }
        words += "\0"
        switch attribution {
        case .automatic: words += "automatic"
        case .none: break
        case .text(let text): words += "text \(text)"
        }
        if let quality { words += "\0quality \(quality)" }
        for number in [view.center.x, view.center.y, view.resolution.unitsPerPixel, view.rotation, view.pixelRatio] {
            words += "\0\(number)"
        }
        for number in [
            view.size.width, view.size.height, tile?.reach ?? 0, Int(color.red), Int(color.green), Int(color.blue),
            Int(color.alpha),
        ] { words += "\0\(number)" }
        for text in [Self.painterRevision, map.name, map.revision, view.crs.name, format.rawValue, key] {
            words += "\0"
            words += text
        }
        return EntityTag(Array(words.utf8))
    }

    /// Must be raised when the same request renders to different pixels than before.
    private static let painterRevision = "2"
}

/// A rendered picture.
package struct ServedPicture: Sendable {
    /// The encoded image.
    package let bytes: [UInt8]
    /// The image format.
    package let format: ServedFormat
    /// The entity tag.
    package let tag: EntityTag
    /// Whether content is missing.
    package let hasHoles: Bool
    /// The dependencies besides the request.
    package let validity: ContentValidity
}
