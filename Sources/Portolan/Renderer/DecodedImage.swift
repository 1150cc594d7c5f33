import PortolanRaster

/// An image in memory, and how long it may be shown without asking.
struct DecodedImage: Sendable {
    let image: PixelBuffer
    /// In seconds since 1970.
    let freshUntil: Int
    /// Whether it may be shown after that when nothing newer can be had.
    let mayStandIn: Bool
    /// Why it was out of date when it came, or `nil` when it was not.
    let staleReason: String?
}
