import PortolanFeatures

/// TileJSON documents of drawn and of stored tiles.
enum TileJSON {
    /// Returns a document (TileJSON 3.0.0, section 3).
    ///
    /// - Parameters:
    ///   - tiles: the URL template of the tiles.
    ///   - bounds: west, south, east and north in degrees.
    ///   - centerLevel: the zoom level of the initial view in the middle of the bounds.
    static func document(
        name: String, tiles: String, levels: ClosedRange<Int>, bounds: [Double], centerLevel: Int, attribution: String?
    ) -> Properties {
        let center = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, Double(centerLevel)]
        var members: Properties = [
            "tilejson": "3.0.0", "name": .string(name), "scheme": "xyz", "tiles": [.string(tiles)],
            "minzoom": .integer(levels.lowerBound), "maxzoom": .integer(levels.upperBound),
            "bounds": .array(bounds.map(PropertyValue.number)), "center": .array(center.map(PropertyValue.number)),
        ]
        if let attribution { members["attribution"] = .string(attribution) }
        return members
    }
}
