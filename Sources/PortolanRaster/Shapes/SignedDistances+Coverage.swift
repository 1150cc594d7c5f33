extension SignedDistances {
    /// A distance that no picture has.
    private static let far = 1e20

    /// Measures the distances from the outline of a mask, whose pixels may be covered in part.
    ///
    /// - Parameters:
    ///   - coverage: the opacity of each pixel, row by row; a margin of transparent pixels is added.
    ///   - density: the number of pixels of the mask per pixel of the field, in each direction.
    /// - Returns: `nil` if the mask has no pixels, or the field exceeds ``maximumSide``.
    /// - Complexity: O(pixels of the mask and its margin).
    package init?(coverage: [UInt8], width: Int, height: Int, density: Int = 1) {
        guard width > 0, height > 0, density > 0, coverage.count == width * height else { return nil }
        let margin = Self.margin * density
        let columns = (width + density - 1) / density + 2 * Self.margin
        let rows = (height + density - 1) / density + 2 * Self.margin
        guard columns <= Self.maximumSide, rows <= Self.maximumSide else { return nil }
        let side = columns * density, count = side * rows * density
        var outer = [Double](repeating: Self.far, count: count), inner = [Double](repeating: 0, count: count)
        for row in 0..<height {
            for column in 0..<width {
                let alpha = Double(coverage[row * width + column]) / 255
                guard alpha > 0 else { continue }
                // The outline runs through a pixel that is covered in part.
                let index = (row + margin) * side + column + margin, offset = 0.5 - alpha
                outer[index] = alpha >= 1 ? 0 : offset > 0 ? offset * offset : 0
                inner[index] = alpha >= 1 ? Self.far : offset < 0 ? offset * offset : 0
            }
        }
        Self.transform(&outer, width: side)
        Self.transform(&inner, width: side)
        var values = [UInt8](repeating: 0, count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                var sum = 0.0
                for y in row * density..<(row + 1) * density {
                    for x in column * density..<(column + 1) * density {
                        sum += outer[y * side + x].squareRoot() - inner[y * side + x].squareRoot()
                    }
                }
                values[row * columns + column] = Self.value(sum / Double(density * density * density))
            }
        }
        self.init(width: columns, height: rows, values: values)
    }

    /// Replaces each square by the smallest sum of another square and the squared distance to it
    /// (Felzenszwalb and Huttenlocher, *Distance Transforms of Sampled Functions*).
    private static func transform(_ squares: inout [Double], width: Int) {
        let height = squares.count / width
        for column in 0..<width {
            let line = transformed((0..<height).map { squares[$0 * width + column] })
            for row in 0..<height { squares[row * width + column] = line[row] }
        }
        for row in 0..<height {
            let range = row * width..<(row + 1) * width
            squares.replaceSubrange(range, with: transformed(Array(squares[range])))
        }
    }

    /// The transform of a line: the lower envelope of a parabola at each pixel.
    private static func transformed(_ squares: [Double]) -> [Double] {
        var places = [0], starts = [-Double.infinity]
        for place in squares.indices.dropFirst() {
            func crossing(_ other: Int) -> Double {
                (squares[place] - squares[other] + Double(place * place - other * other)) / Double(2 * (place - other))
            }
            var start = crossing(places[places.count - 1])
            while start <= starts[starts.count - 1] {
                places.removeLast()
                starts.removeLast()
                start = crossing(places[places.count - 1])
            }
            places.append(place)
            starts.append(start)
        }
        var result: [Double] = [], current = 0
        result.reserveCapacity(squares.count)
        for place in squares.indices {
            while current + 1 < places.count, starts[current + 1] < Double(place) { current += 1 }
            let offset = Double(place - places[current])
            result.append(offset * offset + squares[places[current]])
        }
        return result
    }
}
