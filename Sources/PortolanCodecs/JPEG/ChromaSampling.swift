/// How finely a JPEG keeps colour beside brightness.
public enum ChromaSampling: String, Hashable, Sendable, CaseIterable {
    /// Colour for every pixel (4:4:4), which keeps thin coloured lines.
    case full = "4:4:4"
    /// One colour for two by two pixels (4:2:0), for photographs.
    case quarter = "4:2:0"
}
