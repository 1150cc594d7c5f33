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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(320)
        for number in [view.center.x, view.center.y, view.resolution.unitsPerPixel, view.rotation, view.pixelRatio] {
            bytes.appendBytes(of: number.bitPattern)
        }
        for number in [view.size.width, view.size.height, tile?.reach ?? 0, quality ?? 0] {
            bytes.appendBytes(of: UInt64(bitPattern: Int64(number)))
        }
        bytes += [color.red, color.green, color.blue, color.alpha]
        // Numbers have a fixed length, and texts end with a byte that none of them contains.
        for text in [Self.painterRevision, map.name, map.revision, view.crs.name, format.rawValue, key] {
            bytes.append(contentsOf: text.utf8)
            bytes.append(0)
        }
        switch attribution {
        case .automatic: bytes += Array("automatic".utf8)
        case .none: break
        case .text(let text): bytes += Array("text \(text)".utf8)
        }
        bytes.append(0)
        switch subject {
        case .map: break
        case .legend(let size, let isExact): bytes += Array("legend \(size.width) \(size.height) \(isExact)".utf8)
        case .notice(let text): bytes += Array("notice \(text)".utf8)
        }
        return EntityTag(bytes)
    }

    /// Must be raised when the same request renders to different pixels than before.
    private static let painterRevision = "2"
}

extension [UInt8] {
    /// Appends the bytes of a number, the lowest first.
    fileprivate mutating func appendBytes(of number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
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
