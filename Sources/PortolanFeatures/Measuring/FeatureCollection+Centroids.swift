extension FeatureCollection {
    /// Returns the features with their centroids as points.
    ///
    /// The centroid (``Geometry/centroid``) of a bent or divided area may be outside it; for a point that is inside, see
    /// ``Geometry/labelPoint``. Features without coordinates have no geometry.
    ///
    /// - Complexity: O(*n*) in the coordinates.
    public func centroids() -> FeatureCollection {
        var points = self
        points.declaredBounds = nil
        for index in features.indices {
            points.features[index].declaredBounds = nil
            points.features[index].geometry = features[index].geometry?.centroid.map { .point($0) }
        }
        return points
    }
}
