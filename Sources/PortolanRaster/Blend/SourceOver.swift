/// Premultiplied source-over on packed pixels, with every product rounded exactly.
enum SourceOver {
    /// `round(channel * factor / 255)` for the four channels; `factor` is 0 through 255.
    @inline(__always)
    static func scale(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        // Two channels at a time; 255 · 255 + 128 and its carry stay within a channel's 16 bits.
        var redBlue = (pixel & 0x00ff_00ff) &* factor &+ 0x0080_0080
        redBlue = ((redBlue &+ ((redBlue &>> 8) & 0x00ff_00ff)) &>> 8) & 0x00ff_00ff
        var greenAlpha = ((pixel &>> 8) & 0x00ff_00ff) &* factor &+ 0x0080_0080
        greenAlpha = (greenAlpha &+ ((greenAlpha &>> 8) & 0x00ff_00ff)) & 0xff00_ff00
        return redBlue | greenAlpha
    }

    /// `source + destination · (255 - alpha of source) / 255`.
    @inline(__always)
    static func blend(_ source: UInt32, over destination: UInt32) -> UInt32 {
        source &+ scale(destination, by: 255 &- source &>> 24)
    }
}
