package import PortolanGeo

extension Viewport {
    /// Returns the extent in a CRS within which features are drawn, with a margin for symbols that reach into the view;
    /// `nil` if the view is outside the domain of the CRS, or the two cannot be transformed.
    package func extentOfFeatures(in crs: CRS) -> Extent? {
        (try? ViewInSource.fetched(self, margin: Scene.FeatureStep.symbolReach, sourceCRS: crs)) ?? nil
    }
}
