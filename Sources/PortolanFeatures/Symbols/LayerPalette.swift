package import PortolanRaster

/// The default colours of feature layers: those of Okabe and Ito, which are distinguishable with colour blindness,
/// without yellow and black, which are invisible on light and dark maps.
package enum LayerPalette {
    /// Blue, vermilion, green, purple, orange and light blue.
    package static let colors = [
        MapColor(red: 0x00, green: 0x72, blue: 0xB2), MapColor(red: 0xD5, green: 0x5E, blue: 0x00),
        MapColor(red: 0x00, green: 0x9E, blue: 0x73), MapColor(red: 0xCC, green: 0x79, blue: 0xA7),
        MapColor(red: 0xE6, green: 0x9F, blue: 0x00), MapColor(red: 0x56, green: 0xB4, blue: 0xE9),
    ]

    /// Returns the colour of the next layer: the first of the least used colours.
    package static func color(besides taken: [MapColor]) -> MapColor {
        let counts = colors.map { color in taken.count { $0 == color } }
        return colors[counts.firstIndex(of: counts.min() ?? 0) ?? 0]
    }
}
