public import PortolanRaster

extension MapFacade {
    /// What the layers of the map have at a view pixel, the topmost layer first: features drawn here, and what services
    /// answer.
    ///
    /// Nothing is selected and no listener told; see ``MapFacade/touch(at:tolerance:)`` for that.
    ///
    /// - Returns: what ``MapRenderer/identify(_:in:at:options:)`` does.
    public func identify(at pixel: Point, options: IdentifyOptions = IdentifyOptions()) async -> [LayerIdentification] {
        await renderer.identify(layers, in: viewport, at: pixel, options: options)
    }
}
