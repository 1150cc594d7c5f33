import PortolanRaster

/// An image in memory, and how long it may be shown without asking.
struct DecodedImage: Sendable {
    let image: PixelBuffer
    /// In seconds since 1970.
    let freshUntil: Int
    /// Whether it may be shown after that when nothing newer can be had.
    let mayStandIn: Bool
    /// What to say of it when it was out of date as it came, or `nil` when it was not.
    let staleOrigin: ImageLoader.Origin?
}
