import Portolan

/// A box in an option, in units of a coordinate system.
enum BoxText {
    /// Reads `MINX,MINY,MAXX,MAXY` of `--bbox`, and the system of `--bbox-crs`, web mercator if it is `nil`.
    static func bounds(_ text: String, crs name: String?) throws(CommandFailure) -> LayerBounds {
        let numbers = try ViewRequest.numbers(text, count: 4, option: "--bbox", form: "MINX,MINY,MAXX,MAXY")
        guard let box = Extent(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3]) else {
            throw CommandFailure(.usage, "--bbox \(text): empty, or in the wrong order; write MINX,MINY,MAXX,MAXY")
        }
        if name == nil, ViewRequest.looksLikeDegrees(numbers) {
            throw CommandFailure(
                .usage,
                "--bbox \(text): looks like degrees; add --bbox-crs EPSG:4326, or EPSG:3857 for metres")
        }
        let crs = try name.map { name throws(CommandFailure) in try ViewRequest.crs(name, option: "--bbox-crs") }
        guard let transform = try? CoordinateTransform(from: crs ?? .webMercator, to: .crs84),
            (transform(box) as Extent?) != nil
        else {
            throw CommandFailure(.usage, "--bbox \(text): outside the area of its CRS; check --bbox-crs")
        }
        return LayerBounds(box, crs: crs ?? .webMercator)
    }
}
