public import PortolanPlan
public import PortolanRaster

/// A picture of an interactive map, one of many; see ``MapFacade/frames(at:clock:)``.
public struct MapFrame: Sendable {
    /// What a frame shows.
    public enum Stage: Hashable, Sendable {
        /// The last picture, moved, scaled and turned to where the map is now.
        case moved
        /// What has come so far; coarser tiles stand in for those that have not.
        case partial
        /// All that the view needs, or all that could be had.
        case whole
    }

    /// A rectangle of picture pixels.
    public struct Area: Hashable, Sendable {
        /// The leftmost column.
        public let x: Int
        /// The topmost row.
        public let y: Int
        /// How many columns.
        public let width: Int
        /// How many rows.
        public let height: Int
    }

    /// The number of the frame, from 1.
    public let number: Int
    /// What is seen.
    public let viewport: Viewport
    /// The picture, in picture pixels.
    public let image: PixelBuffer
    /// Where it differs from the frame before: at most eight rectangles, none where nothing does.
    public let damage: [Area]
    /// What it shows.
    public let stage: Stage
    /// The number of the painting that it shows, moved or as it is: on a map that never rests, all frames but the first may be moved
    /// ones, of ever newer paintings.
    package let painting: Int
    /// Whether no other frame will come until something happens.
    public let isFinal: Bool
    /// What was asked for, what came and what is missing; `nil` of a picture that was moved.
    public let report: RenderReport?
    /// Why the map could not be painted, or `nil` when it was; the picture is then the last one, moved.
    public let error: MapError?
}

extension MapFrame {
    /// The rows of a band, in which differences are looked for as one.
    private static let bandHeight = 32
    /// The most rectangles.
    private static let areaLimit = 8

    /// Where two pictures differ.
    ///
    /// - Complexity: O(pixels).
    static func damage(from old: PixelBuffer?, to new: PixelBuffer) -> [Area] {
        guard let old, old.size == new.size else {
            return [Area(x: 0, y: 0, width: new.width, height: new.height)]
        }
        var areas: [Area] = []
        for top in stride(from: 0, to: new.height, by: bandHeight) {
            guard let (columns, rows) = new.difference(from: old, in: top..<min(top + bandHeight, new.height)) else {
                continue
            }
            let band = Area(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
            // A band that goes on where the one above ends, and is about as wide, is one with it.
            if let above = areas.last, above.y + above.height == band.y, above.x == band.x, above.width == band.width {
                areas[areas.count - 1] = Area(
                    x: band.x, y: above.y, width: above.width, height: above.height + band.height)
            } else {
                areas.append(band)
            }
        }
        return areas.count <= areaLimit ? areas : [Area(around: areas)]
    }
}

extension MapFrame.Area {
    /// The smallest rectangle around some, of which there is at least one.
    fileprivate init(around areas: [MapFrame.Area]) {
        let left = areas.map(\.x).min() ?? 0, top = areas.map(\.y).min() ?? 0
        x = left
        y = top
        width = (areas.map { $0.x + $0.width }.max() ?? 0) - left
        height = (areas.map { $0.y + $0.height }.max() ?? 0) - top
    }
}
