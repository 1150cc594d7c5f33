import Foundation
import Portolan

/// Reproducible generated layers, on a square of one degree around the origin.
enum StreetLayer {
    /// The number of vertices per street.
    private static let streetLength = 50

    /// Returns a network of winding streets with 50 vertices each, alternately eastward and northward.
    static func net(vertices: Int) -> [Feature] {
        var numbers = Numbers(seed: 1)
        let step = 0.005 / Double(streetLength)
        return (0..<(vertices / streetLength)).map { number in
            var place = Coordinate(x: numbers.next(in: -0.5...0.5), y: numbers.next(in: -0.5...0.5))
            var street: [Coordinate] = []
            street.reserveCapacity(streetLength)
            for _ in 0..<streetLength {
                street.append(place)
                let along = step * numbers.next(in: 0.5...1.5), across = step * numbers.next(in: -0.4...0.4)
                if number.isMultiple(of: 2) {
                    place = Coordinate(x: place.x + along, y: place.y + across)
                } else {
                    place = Coordinate(x: place.x + across, y: place.y + along)
                }
            }
            return Feature(geometry: .lineString(street))
        }
    }

    /// Returns one line that crosses the square in a hundred rows, back and forth.
    static func line(vertices: Int) -> [Feature] {
        var numbers = Numbers(seed: 2)
        let rows = 100, count = vertices / rows
        var line: [Coordinate] = []
        line.reserveCapacity(rows * count)
        for row in 0..<rows {
            for index in 0..<count {
                let way = (Double(index) + 0.5) / Double(count) - 0.5
                line.append(
                    Coordinate(
                        x: row.isMultiple(of: 2) ? way : -way,
                        y: (Double(row) + 0.5 + 0.3 * sin(200 * way)) / Double(rows) - 0.5
                            + numbers.next(in: -2...2) / Double(count)))
            }
        }
        return [Feature(geometry: .lineString(line))]
    }

    /// Returns one area whose rough coast follows the four sides of the square.
    static func area(vertices: Int) -> [Feature] {
        var numbers = Numbers(seed: 3)
        let rough = 8 / Double(vertices)
        let corners = [(-0.48, -0.48), (0.48, -0.48), (0.48, 0.48), (-0.48, 0.48)], count = vertices / corners.count
        var ring: [Coordinate] = []
        ring.reserveCapacity(vertices + 1)
        for (number, from) in corners.enumerated() {
            let to = corners[(number + 1) % corners.count]
            for index in 0..<count {
                let t = Double(index) / Double(count), bay = 0.004 * sin(300 * t)
                ring.append(
                    Coordinate(
                        x: from.0 + (to.0 - from.0) * t + bay + numbers.next(in: -rough...rough),
                        y: from.1 + (to.1 - from.1) * t + bay + numbers.next(in: -rough...rough)))
            }
        }
        return [Feature(geometry: .polygon([ring]))]
    }
}
