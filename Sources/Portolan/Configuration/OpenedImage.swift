import PortolanArchives
import PortolanFetch

/// The structure of one version of an image on a server.
struct OpenedImage: Sendable {
    var image: GeoTIFFImage
    var parts: TIFFParts
    /// The first range, or the whole file if the server ignores ranges.
    let beginning: [UInt8]
    let isWhole: Bool
    let version: FileVersion
    /// The number of times the file was opened, which distinguishes parts of different versions.
    let opening: Int
    var origin: CachedAnswer<ByteRange.Part>.Origin
    var freshUntil: Int
}
