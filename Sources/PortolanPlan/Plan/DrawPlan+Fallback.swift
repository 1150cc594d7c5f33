extension DrawPlan {
    /// The addresses of images for which there is something else to ask for.
    package var replaceableURLs: Set<String> {
        Set(
            steps.flatMap { step -> [String] in
                guard case .mosaics(let mosaics) = step.content else { return [] }
                return mosaics.flatMap(\.images).filter { !$0.fallback.isEmpty }.map(\.url)
            })
    }

    /// The plan with the fallback of each image that a service refused, and a warning for each layer that had one.
    ///
    /// - Parameter refused: the service's words by the address of the image.
    package func replacing(_ refused: [String: String]) -> DrawPlan {
        var warnings = warnings
        let steps = steps.map { step -> DrawStep in
            guard case .mosaics(let mosaics) = step.content else { return step }
            var words: String?
            let replaced = mosaics.map { mosaic in
                mosaic.replacingImages { image in
                    guard let reason = refused[image.url], !image.fallback.isEmpty else { return [image] }
                    words = words ?? reason
                    return image.fallback
                }
            }
            guard let words else { return step }
            warnings.append(
                PlanWarning(
                    layer: step.layer, detail: "asked again in smaller pieces, since \(words)", losesLayer: false))
            return DrawStep(
                layer: step.layer, kind: step.kind, opacity: step.opacity, attribution: step.attribution,
                content: .mosaics(replaced), transparentColor: step.transparentColor)
        }
        return DrawPlan(viewport: viewport, background: background, steps: steps, warnings: warnings)
    }
}

extension Mosaic {
    func replacingImages(_ replacement: (ImagePlacement) -> [ImagePlacement]) -> Mosaic {
        Mosaic(
            crs: crs, topLeft: topLeft, resolutionX: resolutionX, resolutionY: resolutionY, size: size,
            images: images.flatMap(replacement), margin: margin)
    }
}
