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
        var words: [String: String] = [:]
        let replaced = replacingImages { image, layer in
            guard let reason = refused[image.url], !image.fallback.isEmpty else { return [image] }
            words[layer] = words[layer] ?? reason
            return image.fallback
        }
        let more = steps.compactMap { step in
            words[step.layer].map {
                PlanWarning(layer: step.layer, detail: "asked again in smaller pieces, since \($0)", losesLayer: false)
            }
        }
        return DrawPlan(
            viewport: viewport, background: background, steps: replaced.steps, warnings: warnings + more, legend: legend
        )
    }

    /// The plan with other images.
    ///
    /// - Parameter replacement: what to show for an image of a layer.
    func replacingImages(_ replacement: (ImagePlacement, _ layer: String) -> [ImagePlacement]) -> DrawPlan {
        let steps = steps.map { step -> DrawStep in
            guard case .mosaics(let mosaics) = step.content else { return step }
            let replaced = mosaics.map { mosaic in mosaic.replacingImages { replacement($0, step.layer) } }
            return DrawStep(
                layer: step.layer, kind: step.kind, opacity: step.opacity, attribution: step.attribution,
                content: .mosaics(replaced), transparentColor: step.transparentColor)
        }
        return DrawPlan(viewport: viewport, background: background, steps: steps, warnings: warnings, legend: legend)
    }
}

extension Mosaic {
    fileprivate func replacingImages(_ replacement: (ImagePlacement) -> [ImagePlacement]) -> Mosaic {
        Mosaic(
            crs: crs, topLeft: topLeft, resolutionX: resolutionX, resolutionY: resolutionY, size: size,
            images: images.flatMap(replacement), margin: margin)
    }
}
