public import PortolanPlan
public import PortolanRaster

/// A picture in a sequence of an interactive map; see ``MapFacade/frames(perSecond:clock:)``.
public struct MapFrame: Sendable {
    /// The content of a frame.
    public enum Stage: Hashable, Sendable {
        /// The last picture, moved, scaled and rotated to the current view.
        case moved
        /// The resources received so far; coarser tiles replace missing ones.
        case partial
        /// All resources of the view, or all that are available.
        case whole
    }

    /// A rectangle of picture pixels.
    public struct Area: Hashable, Sendable {
        /// The left column.
        public let x: Int
        /// The top row.
        public let y: Int
        /// The number of columns.
        public let width: Int
        /// The number of rows.
        public let height: Int

        /// Creates a rectangle.
        package init(x: Int, y: Int, width: Int, height: Int) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// The number of the frame, from 1.
    public let number: Int
    /// The view.
    public let viewport: Viewport
    /// The picture, in picture pixels.
    public let image: PixelBuffer
    /// The changes from the previous frame: at most eight rectangles; empty without changes.
    public let damage: [Area]
    /// The content of the frame.
    public let stage: Stage
    /// The number of the render that is shown, directly or moved.
    ///
    /// On a map that never rests, all frames but the first may be moved, from ever newer renders.
    package let painting: Int
    /// Whether no further frame follows without an event.
    public let isFinal: Bool
    /// The report about requested, received and missing resources; `nil` for a moved picture.
    public let report: RenderReport?
    /// The reason why the map could not be rendered, or `nil`.
    ///
    /// The image is then the last one, moved.
    public let error: MapError?
}

extension MapFrame {
    /// The height in rows of a band that is compared as a unit.
    private static let bandHeight = 32
    /// The maximum number of rectangles.
    private static let areaLimit = 8

    /// Returns the areas in which two pictures differ.
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
            // Adjacent bands with the same columns are merged.
            if let above = areas.last, above.y + above.height == band.y, above.x == band.x, above.width == band.width {
                areas[areas.count - 1] = Area(
                    x: band.x, y: above.y, width: above.width, height: above.height + band.height)
            } else {
                areas.append(band)
            }
        }
        return areas.count <= areaLimit ? areas : [Area(around: areas)].compactMap(\.self)
    }
}

extension MapFrame.Area {
    /// Creates the bounding rectangle of areas, or returns `nil` without any.
    package init?(around areas: [MapFrame.Area]) {
        guard let left = areas.map(\.x).min(), let top = areas.map(\.y).min() else { return nil }
        x = left
        y = top
        width = (areas.map { $0.x + $0.width }.max() ?? left) - left
        height = (areas.map { $0.y + $0.height }.max() ?? top) - top
    }
}
