import PortolanFetch
import PortolanRaster

/// A tile of an archive on a server, or the knowledge that the archive does not have it.
struct RemoteTile: Sendable {
    /// The content of a tile.
    enum Content: Sendable {
        /// The bytes of an image file or of vector data, or decoded pixels.
        case picture(TileArchiveFormats.Content)
        /// The values of a band.
        case values(RasterValues)
    }

    /// The content; `nil` if the archive does not have the tile.
    let content: Content?
    /// The origin of the content, or of the directory without the tile.
    let origin: CachedAnswer<ByteRange.Part>.Origin
    /// The second since 1970 until which the server need not be asked again.
    let freshUntil: Int
    /// Whether it may be used again without asking.
    let mayReuse: Bool
    /// Whether it may be shown after that if nothing newer is available.
    let mayStandIn: Bool

    /// The bytes of an image file or of vector data, as they are in the archive.
    var bytes: [UInt8]? { if case .picture(.encoded(let bytes))? = content { bytes } else { nil } }
}
