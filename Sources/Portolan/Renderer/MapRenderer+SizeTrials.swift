import PortolanPlan

extension MapRenderer {
    /// What a service said to an image, and what to try next.
    private struct Refusal {
        let nextSide: Int
        let words: String
    }

    /// A plan in smaller pieces for services that refused images for their size, and what has come of it; `nil` where
    /// none did, or where smaller ones are not to be had either.
    ///
    /// One smaller image of each service is tried at a time, so that a service that refuses for another reason costs few
    /// requests. The side at which one is drawn is remembered: the next picture is cut at once.
    ///
    /// - Parameters:
    ///   - plan: the plan for what is known of the services.
    ///   - load: loads images of a plan.
    func cutSmaller(
        _ plan: DrawPlan, _ loaded: Loaded, planning: (LearntSizes) async -> DrawPlan,
        loading load: ([String], DrawPlan) async -> Loaded
    ) async -> (plan: DrawPlan, loaded: Loaded)? {
        let refused = Self.refusals(of: plan, in: loaded)
        var open = refused, loaded = loaded, found = LearntSizes()
        while !open.isEmpty, !Task.isCancelled {
            var trial = found
            for (service, refusal) in open { trial.note(refusal.nextSide, of: service) }
            let smaller = await planning(trial)
            var probes: [String: DrawPlan.TriedImage] = [:]
            for image in smaller.triedImages where open[image.trial.service] != nil && loaded[image.url] == nil {
                probes[image.trial.service] = probes[image.trial.service] ?? image
            }
            loaded.merge(await load(probes.values.map(\.url), smaller)) { first, _ in first }
            var still: [String: Refusal] = [:]
            for (service, image) in probes {
                guard let refusal = open[service] else { continue }
                switch loaded[image.url] {
                case .success: found.note(refusal.nextSide, of: service)
                case .failure(let error) where error.mayBeSize:
                    still[service] = image.trial.nextSide.map { Refusal(nextSide: $0, words: refusal.words) }
                case .failure, nil: break
                }
            }
            open = still
        }
        let words = refused.filter { found[$0.key] != nil }.mapValues(\.words)
        guard !words.isEmpty else { return nil }
        learn(found)
        var byLayer: [String: String] = [:]
        for image in plan.triedImages { byLayer[image.layer] = byLayer[image.layer] ?? words[image.trial.service] }
        let smaller = await planning(found).warning(ofRefusals: byLayer)
        let missing = smaller.shownURLsFromCenter.filter { loaded[$0] == nil }
        loaded.merge(await load(missing, smaller)) { first, _ in first }
        return (smaller, loaded)
    }

    /// What services said to images that they may have found too large, by the services' addresses.
    private static func refusals(of plan: DrawPlan, in loaded: Loaded) -> [String: Refusal] {
        var refused: [String: Refusal] = [:]
        for image in plan.triedImages {
            guard case .failure(let error) = loaded[image.url], error.mayBeSize, let side = image.trial.nextSide
            else { continue }
            refused[image.trial.service] = refused[image.trial.service] ?? Refusal(nextSide: side, words: "\(error)")
        }
        return refused
    }
}
