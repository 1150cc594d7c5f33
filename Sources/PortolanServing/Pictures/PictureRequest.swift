package import Portolan
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
    /// Pixels of the view at each side that are drawn and cut off, so that what reaches over the border is the same on both sides.
    package var gutter = 0
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

    /// What the picture depends on, but for the pixels of servers.
    var parts: [String] {
        let view = viewport
        return [
            Self.painterRevision, map.name, map.revision, view.crs.name,
            "\(view.center.x) \(view.center.y) \(view.resolution.unitsPerPixel) \(view.rotation)",
            "\(view.size.width)x\(view.size.height)@\(view.pixelRatio)", format.rawValue, "\(background)", "\(gutter)",
            "\(attribution)", "\(subject)", key,
        ]
    }

    /// To be raised when the same request gives other pixels than before.
    private static let painterRevision = "1"

    /// The tag of the picture, known before it is drawn; `nil` where servers may send other pixels each time.
    package var tag: EntityTag? { map.isChanging ? nil : EntityTag(of: parts) }
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
}
