package import PortolanRaster

/// Decides which labels of a picture are drawn and where, so that none lies over another or over a mark.
///
/// The labels are taken in the order of their ranks, and each gets the first of its candidates that is free; one that
/// finds none is left out. The answer depends on the ranks and not on the order of the requests, as long as no two ranks
/// are equal.
package struct LabelPlacer: Sendable {
    private let picture: Rectangle
    private let spacing: Double
    private let duplicateDistance: Double

    /// Makes a placer for pictures of a size.
    ///
    /// - Parameters:
    ///   - spacing: how many picture pixels are kept free between labels, and between labels and marks.
    ///   - duplicateDistance: how near, in picture pixels, the same words are not said twice.
    package init(picture: ImageSize, spacing: Double, duplicateDistance: Double) {
        self.picture = Rectangle(picture)
        self.spacing = max(spacing, 0)
        self.duplicateDistance = max(duplicateDistance, 0)
    }

    /// The labels that are drawn, in the order in which they got their places.
    ///
    /// - Complexity: O(*n* log *n*) in the requests, O(*n*) in the obstacles, as long as these are small beside the
    ///   picture.
    package func place(_ requests: [LabelRequest], around obstacles: [LabelObstacle] = []) -> [LabelPlacement] {
        guard !requests.isEmpty else { return [] }
        var occupied = OccupiedGrid(picture)
        for obstacle in obstacles { occupied.insert(obstacle.box, place: obstacle.place) }
        var spoken = SpokenTexts(distance: duplicateDistance)
        var ranked = Array(requests.indices)
        // Often they come in their order.
        if ranked.dropFirst().contains(where: { requests[$0].rank < requests[$0 - 1].rank }) {
            ranked.sort { (requests[$0].rank, $0) < (requests[$1].rank, $1) }
        }
        var placements: [LabelPlacement] = []
        for index in ranked {
            let request = requests[index]
            let number = request.candidates.firstIndex { candidate in
                guard isFree(candidate, occupied), let bounds = candidate.bounds else { return false }
                return request.text.map { !spoken.contains($0, near: bounds.center) } ?? true
            }
            guard let number else { continue }
            let candidate = request.candidates[number]
            for box in candidate.boxes { occupied.insert(box) }
            if let text = request.text, let center = candidate.bounds?.center { spoken.insert(text, at: center) }
            placements.append(LabelPlacement(request: index, candidate: number))
        }
        return placements
    }

    private func isFree(_ candidate: LabelCandidate, _ occupied: OccupiedGrid) -> Bool {
        guard let bounds = candidate.bounds, picture.encloses(bounds) else { return false }
        return candidate.boxes.allSatisfy {
            occupied.isFree($0.grown(by: spacing), besides: candidate.ownPlace)
        }
    }
}
