extension DrawPlan {
    /// An image whose service does not state how large it draws.
    package struct TriedImage: Hashable, Sendable {
        package let layer: String
        package let url: String
        package let trial: SizeTrial
    }

    /// The images of services that do not state how large they draw, in drawing order.
    package var triedImages: [TriedImage] {
        steps.flatMap { step -> [TriedImage] in
            guard case .mosaics(let mosaics) = step.content else { return [] }
            return mosaics.flatMap(\.images).compactMap { image in
                image.sizeTrial.map { TriedImage(layer: step.layer, url: image.url, trial: $0) }
            }
        }
    }

    /// The plan with a warning for each layer of which a service has refused larger images.
    ///
    /// - Parameter words: what the service said, by layer.
    package func warning(ofRefusals words: [String: String]) -> DrawPlan {
        let more = steps.compactMap { step in
            words[step.layer].map {
                PlanWarning(layer: step.layer, detail: "asked again in smaller pieces, since \($0)", losesLayer: false)
            }
        }
        return DrawPlan(
            viewport: viewport, background: background, steps: steps, warnings: warnings + more, legend: legend)
    }
}
