import Portolan
import PortolanPaint
import PortolanRaster

/// A world file: six lines with the location of a picture for GIS programs, in units of the map's CRS, x east.
///
/// The lines are the step to the next pixel of a row (x, then y), the step to the next row (x, then y), and the
/// coordinate of the centre of the first pixel. The CRS is not included.
struct WorldFile {
    /// The file next to the picture: `map.pgw` for `map.png`, `map.jgw` for `map.jpg`, `map.wpw` for `map.webp`.
    let file: OutputFile

    /// Names the world file of a picture.
    init(of picture: OutputFile) throws(CommandFailure) {
        let letters: [String: String] = ["png": "pgw", "jpg": "jgw", "jpeg": "jgw", "webp": "wpw"]
        guard !picture.isStandardOutput, let ending = letters[picture.pathExtension] else {
            throw CommandFailure(
                .usage,
                "--world-file needs a pixel picture, but -o \(picture.path) is not one; use a .png file")
        }
        file = OutputFile(path: String(picture.path.dropLast(picture.pathExtension.count)) + ending)
    }

    /// The lines for a view, or for the page around it.
    static func bytes(of viewport: Viewport, on page: PrintPage? = nil) -> [UInt8] {
        let layout = page.map { PageLayout($0, around: viewport) }
        let start = Point(x: 0.5 - Double(layout?.x ?? 0), y: 0.5 - Double(layout?.y ?? 0))
        let first = viewport.coordinate(atImagePixel: start)
        let unit = viewport.imageResolution
        if viewport.rotation == 0 { return lines([unit, 0, 0, -unit, first.x, first.y]) }
        // The longest steps have the smallest rounding errors.
        let width = Double(viewport.imageSize.width), height = Double(viewport.imageSize.height)
        let right = viewport.coordinate(atImagePixel: Point(x: start.x + width, y: start.y))
        let below = viewport.coordinate(atImagePixel: Point(x: start.x, y: start.y + height))
        return lines([
            (right.x - first.x) / width, (right.y - first.y) / width, (below.x - first.x) / height,
            (below.y - first.y) / height, first.x, first.y,
        ])
    }

    private static func lines(_ numbers: [Double]) -> [UInt8] {
        Array(numbers.map { "\($0 == 0 ? 0 : $0)\n" }.joined().utf8)
    }
}
