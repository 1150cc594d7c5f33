/// Between straight and premultiplied packed pixels, with the rounding of `Pixel`.
///
/// Each premultiplied colour survives the way to straight and back: straight is off by half a step of 1/255 at most,
/// which `alpha / 255` makes smaller than half a step again.
enum Premultiplication {
    /// `round(channel * alpha / 255)` in the three colour channels.
    @inline(__always)
    static func premultiplied(_ straight: UInt32) -> UInt32 {
        let alpha = straight &>> 24
        if alpha == 255 { return straight }
        if alpha == 0 { return 0 }
        var outer = (straight & 0x00ff_00ff) &* alpha &+ 0x0080_0080
        outer = ((outer &+ ((outer &>> 8) & 0x00ff_00ff)) &>> 8) & 0x00ff_00ff
        var green = ((straight &>> 8) & 0xff) &* alpha &+ 0x80
        green = (green &+ (green &>> 8)) & 0xff00
        return outer | green | (straight & 0xff00_0000)
    }

    /// `round(channel * 255 / alpha)` in the three colour channels, clear where alpha is 0.
    @inline(__always)
    static func straight(_ premultiplied: UInt32) -> UInt32 {
        let alpha = premultiplied &>> 24
        if alpha == 255 { return premultiplied }
        if alpha == 0 { return 0 }
        func channel(_ shift: UInt32) -> UInt32 {
            min((((premultiplied &>> shift) & 0xff) &* 255 &+ alpha / 2) / alpha, 255) &<< shift
        }
        return channel(0) | channel(8) | channel(16) | (premultiplied & 0xff00_0000)
    }
}
