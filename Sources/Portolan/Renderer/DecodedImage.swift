import PortolanRaster

/// An image in memory, and how long it may be shown without asking.
struct DecodedImage: Sendable {
    let image: PixelBuffer
    /// When it came and how long it is fresh, in seconds since 1970.
    let arrival: Int
    let freshUntil: Int
    /// Whether it may be shown after that when nothing newer can be had.
    let mayStandIn: Bool
    /// What to say of it when it was out of date as it came, or `nil` when it was not.
    let staleOrigin: ImageLoader.Origin?

    /// Whether it may be shown at a time without asking; one from the future shows that the clock was set back.
    func isFresh(at now: Int) -> Bool { arrival <= now && now < freshUntil }
}
