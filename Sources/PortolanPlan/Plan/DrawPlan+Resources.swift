extension DrawPlan {
    /// The addresses of all that is shown, each once, in drawing order.
    public var shownURLs: [String] {
        var seen: Set<String> = []
        return steps.flatMap(\.content.shownResources).map(\.url).filter { seen.insert($0).inserted }
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
