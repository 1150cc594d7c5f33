import Portolan
import PortolanPlan
import PortolanRaster

/// The latest picture of a viewer, and the areas that changed since earlier ones of the same view.
struct ViewerPicture: Sendable {
    /// A part of the picture that a page puts over its own.
    struct Patch: Sendable {
        /// The area in picture pixels.
        let area: MapFrame.Area
        /// The pixels.
        let image: PixelBuffer
        /// Whether the rest of the page's picture is outdated.
        let isFresh: Bool
    }

    /// The number of the picture, from 1.
    private(set) var number = 0
    /// The view of the picture, or `nil` if there is none.
    private(set) var view: Viewport?
    private var image: PixelBuffer?
    /// The changed areas of the pictures of this view after its first one, by number, the newest last.
    private var changes: [(number: Int, area: MapFrame.Area)] = []
    /// The number of the first picture that differs from this one only by ``changes``.
    private var base = 0
    /// The maximum number of remembered changes.
    private static let changeLimit = 100

    /// Adopts the picture of a frame.
    ///
    /// - Returns: whether it differs from the previous one.
    mutating func take(_ frame: MapFrame) -> Bool {
        guard view != frame.viewport || !frame.damage.isEmpty else { return false }
        number += 1
        if view == frame.viewport, let area = MapFrame.Area(around: frame.damage) {
            changes.append((number, area))
            if changes.count > Self.changeLimit { base = changes.removeFirst().number }
        } else {
            (changes, base) = ([], number)
        }
        (view, image) = (frame.viewport, frame.image)
        return true
    }

    /// Returns the part that a page with an earlier picture lacks, without transparent borders, or `nil` if there is
    /// nothing to draw.
    ///
    /// - Parameters:
    ///   - known: the number of the page's picture, or 0 if it has none.
    ///   - isWhole: whether the page needs whole pictures.
    func patch(since known: Int, isWhole: Bool) -> Patch? {
        guard let image, known != number else { return nil }
        guard !isWhole else {
            let area = MapFrame.Area(x: 0, y: 0, width: image.width, height: image.height)
            return Patch(area: area, image: image, isFresh: true)
        }
        let isFresh = known < base || known > number || known == 0
        let area =
            isFresh ? image.content : MapFrame.Area(around: changes.filter { $0.number > known }.map(\.area))
        return area.flatMap { area in
            image.part(area).map { Patch(area: area, image: $0, isFresh: isFresh) }
        }
    }
}

extension PixelBuffer {
    /// The area that is not transparent, or `nil` if all is.
    fileprivate var content: MapFrame.Area? {
        difference(from: PixelBuffer(size: size), in: 0..<height).map { columns, rows in
            MapFrame.Area(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        }
    }

    /// Returns an area of the picture, or `nil` if it is not inside.
    fileprivate func part(_ area: MapFrame.Area) -> PixelBuffer? {
        guard area.x >= 0, area.y >= 0, area.x + area.width <= width, area.y + area.height <= height,
            let size = ImageSize(width: area.width, height: area.height)
        else { return nil }
        guard size != self.size else { return self }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.pixelCount)
        for row in area.y..<area.y + area.height {
            let start = row * width + area.x
            pixels += self.pixels[start..<start + area.width]
        }
        return PixelBuffer(size: size, pixels: pixels)
    }
}
