extension DrawPlan {
    /// The plan with other images.
    ///
    /// - Parameter replacement: what to show for an image.
    func replacingImages(_ replacement: (ImagePlacement) -> ImagePlacement) -> DrawPlan {
        let steps = steps.map { step -> DrawStep in
            guard case .mosaics(let mosaics) = step.content else { return step }
            return DrawStep(
                layer: step.layer, kind: step.kind, opacity: step.opacity, attribution: step.attribution,
                content: .mosaics(mosaics.map { $0.replacingImages(replacement) }),
                transparentColor: step.transparentColor)
        }
        return DrawPlan(viewport: viewport, background: background, steps: steps, warnings: warnings, legend: legend)
    }
}

extension Mosaic {
    fileprivate func replacingImages(_ replacement: (ImagePlacement) -> ImagePlacement) -> Mosaic {
        Mosaic(
            crs: crs, topLeft: topLeft, resolutionX: resolutionX, resolutionY: resolutionY, size: size,
            images: images.map(replacement), margin: margin)
    }
}
