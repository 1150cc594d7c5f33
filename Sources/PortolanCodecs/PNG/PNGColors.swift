/// In how many colours a PNG is stored.
public enum PNGColors: String, Hashable, Sendable, CaseIterable {
    /// As they are: RGB when every pixel is opaque, otherwise RGBA.
    case full
    /// At most 256, with their opacity: exact when the picture has no more, otherwise the nearest of a palette made for it.
    case palette
}
