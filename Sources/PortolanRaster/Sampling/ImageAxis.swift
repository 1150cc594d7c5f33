/// Where the canvas's columns, or its rows, lie on a picture that is scaled and shifted but not turned.
struct ImageAxis: Sendable {
    /// The columns whose centres are on the picture, all in one run.
    private(set) var range = 0..<0
    /// For each of them the picture's column to the left of it, plus 1, times 256, plus how far it is on the way to
    /// the next one, in 256ths.
    private(set) var places: [Int] = []

    /// Finds the places of those in `candidates` whose position `scale · (column + 1/2) + offset` is on the picture.
    mutating func locate(
        _ candidates: Range<Int>, scale: Double, offset: Double, isOnPicture: (Double) -> Bool
    ) {
        places.removeAll(keepingCapacity: true)
        var start = candidates.lowerBound
        for column in candidates {
            let position = scale * (Double(column) + 0.5) + offset
            if isOnPicture(position) {
                places.append(ImageSampler.fixed(position) + 256)
            } else if places.isEmpty {
                start = column + 1
            } else {
                break
            }
        }
        range = start..<(start + places.count)
    }
}
