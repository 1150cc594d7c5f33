import Portolan
import PortolanRaster

/// A world file: six lines beside a picture that tell GIS programs where it lies, in units of the map's CRS, x east.
///
/// The lines are the way to the next pixel of a row (x), the same in y, the way to the next row in x and in y, and the
/// coordinate of the middle of the first pixel. The system is not told.
struct WorldFile {
    /// The file, beside the picture: `map.pgw` for `map.png`, `map.jgw` for `map.jpg`, `map.wpw` for `map.webp`.
    let file: OutputFile

    /// Names the world file of a picture.
    init(of picture: OutputFile) throws(CommandFailure) {
        let letters: [String: String] = ["png": "pgw", "jpg": "jgw", "jpeg": "jgw", "webp": "wpw"]
        guard !picture.isStandardOutput, let ending = letters[picture.pathExtension] else {
            throw CommandFailure(
                .usage,
                "--world-file stands beside a picture of pixels and -o \(picture.path) asks for none; name a .png file")
        }
        file = OutputFile(path: String(picture.path.dropLast(picture.pathExtension.count)) + ending)
    }

    /// The lines for a view.
    static func bytes(of viewport: Viewport) -> [UInt8] {
        let first = viewport.coordinate(atImagePixel: Point(x: 0.5, y: 0.5))
        let unit = viewport.imageResolution
        if viewport.rotation == 0 { return lines([unit, 0, 0, -unit, first.x, first.y]) }
        // The longest ways have the fewest faults of rounding.
        let width = Double(viewport.imageSize.width), height = Double(viewport.imageSize.height)
        let right = viewport.coordinate(atImagePixel: Point(x: width + 0.5, y: 0.5))
        let below = viewport.coordinate(atImagePixel: Point(x: 0.5, y: height + 0.5))
        return lines([
            (right.x - first.x) / width, (right.y - first.y) / width, (below.x - first.x) / height,
            (below.y - first.y) / height, first.x, first.y,
        ])
    }

    private static func lines(_ numbers: [Double]) -> [UInt8] {
        Array(numbers.map { "\($0 == 0 ? 0 : $0)\n" }.joined().utf8)
    }
}
