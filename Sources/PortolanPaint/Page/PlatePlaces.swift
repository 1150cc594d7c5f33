import PortolanFeatures
import PortolanRaster

/// The places of the numbers of pages in their outlines, where they cover as little as possible.
struct PlatePlaces {
    /// The corners of each page in order.
    let outlines: [[Point]]
    /// The boxes of furniture, of symbols, and along the lines of routes.
    let elements: [Rectangle], symbols: [Rectangle], routes: [Rectangle]
    private let area: Rectangle
    private let bounds: [Rectangle]
    private var plates: [Rectangle] = []

    /// The number of places in each direction that are tried, in atlases of few and of many pages.
    private static let fewPages = 40, fine = 9, coarse = 3

    init(
        outlines: [[Point]], elements: [Rectangle], symbols: [Rectangle], routes: [Rectangle], in area: Rectangle
    ) {
        (self.outlines, self.elements, self.symbols, self.routes) = (outlines, elements, symbols, routes)
        self.area = area
        bounds = outlines.map { Path.polyline($0).boundingRectangle ?? Rectangle(minX: 0, minY: 0, maxX: 0, maxY: 0) }
    }

    /// Returns the best place of a plate in an outline of four corners, which is then taken, or `nil` if other plates
    /// leave no room.
    mutating func take(_ number: Int, width: Double, height: Double) -> Rectangle? {
        let count = outlines.count <= Self.fewPages ? Self.fine : Self.coarse, middle = Double(count - 1) / 2
        var best: (cost: Double, plate: Rectangle)?
        for row in 0..<count {
            for column in 0..<count {
                let x = (Double(column) - middle) / Double(count), y = (Double(row) - middle) / Double(count)
                let center = point(0.5 + x, 0.5 + y, in: outlines[number])
                let plate = Rectangle(
                    minX: center.x - width / 2, minY: center.y - height / 2, maxX: center.x + width / 2,
                    maxY: center.y + height / 2)
                guard !plates.contains(where: plate.overlaps) else { continue }
                // In the middle, unless something is there.
                let cost = cost(of: plate, in: number) + 8 * (x * x + y * y).squareRoot()
                if cost < best?.cost ?? .infinity { best = (cost, plate) }
            }
        }
        if let best { plates.append(best.plate) }
        return best?.plate
    }

    private func point(_ x: Double, _ y: Double, in corners: [Point]) -> Point {
        let (origin, right, down) = (corners[0], corners[1], corners[3])
        return Point(
            x: origin.x + (right.x - origin.x) * x + (down.x - origin.x) * y,
            y: origin.y + (right.y - origin.y) * x + (down.y - origin.y) * y)
    }

    /// The cost of what a plate covers: furniture and the border of the map most, then symbols, routes and outlines.
    ///
    /// A number that is on another page as well could be mistaken for that of the other.
    private func cost(of plate: Rectangle, in number: Int) -> Double {
        func count(_ boxes: [Rectangle]) -> Double { Double(boxes.count { $0.overlaps(plate) }) }
        var cost = area.encloses(plate) ? 0 : 500.0
        cost += 200 * count(elements) + 100 * count(symbols) + (routes.contains(where: plate.overlaps) ? 20 : 0)
        for other in outlines.indices where bounds[other].overlaps(plate) {
            let corners = outlines[other]
            let crosses = zip(corners, corners.dropFirst() + corners.prefix(1)).contains { start, end in
                !LineClipper.clip([start, end], to: plate).isEmpty
            }
            if crosses { cost += 6 }
            if other != number, Self.contains(plate.center, corners) { cost += 10 }
        }
        return cost
    }

    /// Returns whether a convex polygon contains a point.
    private static func contains(_ point: Point, _ corners: [Point]) -> Bool {
        let sides = zip(corners, corners.dropFirst() + corners.prefix(1)).map { start, end in
            (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
        }
        return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
    }
}
