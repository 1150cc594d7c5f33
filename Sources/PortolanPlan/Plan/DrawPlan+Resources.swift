extension DrawPlan {
    /// The addresses of all that is shown, each once, in drawing order, the legend's images last.
    public var shownURLs: [String] {
        var seen: Set<String> = []
        let urls = steps.flatMap(\.content.shownResources).map(\.url) + (legend?.entries ?? []).compactMap(\.imageURL)
        return urls.filter { seen.insert($0).inserted }
    }

    /// What has to be fetched for a step: what is shown of it, and the images in the legend that explain it.
    package func resources(of step: DrawStep) -> [(name: String, url: String)] {
        let legends = (legend?.entries ?? []).filter { $0.layer == step.layer }.compactMap(\.imageURL)
        return step.content.shownResources + legends.map { ("legend", $0) }
    }

    /// The addresses of what is fetched beside the view, each once, without those that are shown.
    public var marginURLs: [String] {
        var seen = Set(shownURLs)
        return steps.flatMap(\.content.marginURLs).filter { seen.insert($0).inserted }
    }

    /// The attributions of the layers, bottom first, without those that another one holds already.
    public var attributions: [String] {
        var seen: Set<String> = []
        let distinct = steps.compactMap(\.attribution).filter { !$0.isEmpty && seen.insert($0).inserted }
        return distinct.filter { text in !distinct.contains { $0 != text && $0.contains(text) } }
    }

    /// Whether some step draws features, which need no network.
    package var hasFeatures: Bool {
        steps.contains { step in
            if case .features(let features) = step.content { !features.features.isEmpty } else { false }
        }
    }
}

extension DrawStep.Content {
    /// What is shown of the step and has to be fetched: a name for a person, and the address.
    package var shownResources: [(name: String, url: String)] {
        switch self {
        case .mosaics(let mosaics): mosaics.flatMap(\.images).map { ($0.name, $0.url) }
        case .features(let step): step.features.compactMap { feature in feature.iconURL.map { ("icon", $0) } }
        }
    }

    /// What is fetched beside the view.
    var marginURLs: [String] {
        switch self {
        case .mosaics(let mosaics): mosaics.flatMap(\.margin).map(\.url)
        case .features: []
        }
    }
}
