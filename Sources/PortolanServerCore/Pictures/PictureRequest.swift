package import Portolan
package import PortolanFetch
import PortolanGeo
package import PortolanPlan
package import PortolanRaster

/// A picture of a map that is asked for, whatever the grammar it is asked for in.
package struct PictureRequest: Sendable {
    /// The map.
    package let map: PublishedMap
    /// What is drawn of it, bottom first; what the client brings along is on top.
    package var layers: [MapLayer]
    /// What is seen.
    package let viewport: Viewport
    /// The format.
    package let format: ServedFormat
    /// What shows where nothing is drawn.
    package var background = Color.white
    /// The place of a tile whose labels are those of the cells about it, or `nil` where the picture has labels of its own.
    package var tile: TilePosition?
    /// What is written of the layers' attributions.
    package var attribution = RenderOptions.Attribution.none
    /// What is drawn in place of the map.
    package enum Subject: Hashable, Sendable {
        /// The map.
        case map
        /// What explains its layers, as large as that is, or all of a size.
        case legend(within: ImageSize, isExact: Bool)
        /// Words, on the background alone.
        case notice(String)
    }
    /// What is drawn.
    package var subject = Subject.map
    /// What tells the picture from others of the map, in letters: all that it depends on.
    package let key: String

    /// Asks for a picture of the layers of a map.
    ///
    /// - Parameter key: what tells it from others of the same map that show the same view: the layers, and what is on top.
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

    /// What tells the picture from all others, except for what servers send: each worker finds the same.
    ///
    /// What is asked for again and again is found by it, so it costs little.
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

    /// To be raised when the same request gives other pixels than before.
    private static let painterRevision = "2"
}

/// A picture that was drawn.
package struct ServedPicture: Sendable {
    /// The bytes.
    package let bytes: [UInt8]
    /// Their format.
    package let format: ServedFormat
    /// What tells them from others.
    package let tag: EntityTag
    /// Whether something is missing on it.
    package let hasHoles: Bool
    /// What it depends on, besides the request.
    package let validity: ContentValidity
}
