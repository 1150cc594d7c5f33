package import PortolanRaster

/// The colours of layers of features that name none: those of Okabe and Ito, which people of all kinds of colour vision tell apart,
/// without yellow and black, which are lost on light and on dark maps.
package enum LayerPalette {
    /// Blue, vermilion, green, purple, orange and light blue.
    package static let colors = [
        Color(red: 0x00, green: 0x72, blue: 0xB2), Color(red: 0xD5, green: 0x5E, blue: 0x00),
        Color(red: 0x00, green: 0x9E, blue: 0x73), Color(red: 0xCC, green: 0x79, blue: 0xA7),
        Color(red: 0xE6, green: 0x9F, blue: 0x00), Color(red: 0x56, green: 0xB4, blue: 0xE9),
    ]

    /// The colour of the next layer: the first of those that the fewest layers have.
    package static func color(besides taken: [Color]) -> Color {
        let counts = colors.map { color in taken.count { $0 == color } }
        return colors[counts.firstIndex(of: counts.min() ?? 0) ?? 0]
    }
}
