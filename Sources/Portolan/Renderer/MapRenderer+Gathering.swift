package import PortolanFetch
import PortolanPlan

extension MapRenderer {
    /// Planning looks at each feature in view: it leaves the caller's actor.
    @concurrent
    func plan(_ make: @Sendable () -> MapPlan) async -> MapPlan { make() }

    /// How often layers are asked what they still need before what there is must do.
    private static let roundLimit = 24

    /// What the loading of each resource came to.
    typealias Loaded = [ResourceID: Result<ResourceLoader.Loaded, ResourceError>]

    /// Gets what a plan needs, and asks its layers again with what came until nothing new is needed.
    ///
    /// - Parameter storesImages: whether tiles and pieces of maps are kept as their files.
    func gather(
        _ plan: inout MapPlan, _ planner: MapPlanner, options: RenderOptions,
        only isNeeded: (Resource) -> Bool = { _ in true }, by deadline: PictureDeadline?,
        for owner: PinOwner, storesImages: Bool, onRequested: @escaping @Sendable () -> Void,
        progress: ProgressHandler?
    ) async -> (Loaded, Arrivals) {
        var loaded: Loaded = [:], arrivals = Arrivals()
        for round in 0..<Self.roundLimit {
            let needed = plan.resources.filter(isNeeded)
            // The margin is pinned as well: what is kept for the next view must find room beside this one.
            cache.pin(Set(needed.map(\.location)), for: owner)
            let missing = needed.filter { $0.use != .margin && loaded[$0.id] == nil }.nearestFirst
                .map { storesImages ? $0.stored : $0 }
            guard round == 0 || !missing.isEmpty, !Task.isCancelled else { break }
            let isFirst = round == 0
            let begun: @Sendable () -> Void = { if isFirst { onRequested() } }
            // What only stands in for something is no progress.
            let came = Set(needed.lazy.filter { $0.use == .shown && loaded[$0.id] != nil }.map(\.location)).count
            let count = Set(missing.lazy.filter { $0.use == .shown }.map(\.location)).count
            let report: @Sendable (Int) -> Void = { done in
                if done <= count { progress?(RenderProgress(done: came + done, total: came + count)) }
            }
            let found = await load(
                missing, isMargin: false, reloads: options.reloadsImages, by: deadline, onRequested: begun,
                progress: report)
            for (id, result) in found { Self.note(result, of: id, in: &arrivals) }
            loaded.merge(found) { first, _ in first }
            guard plan.isRevised(by: arrivals), !Task.isCancelled else { break }
            let earlier = plan, given = arrivals
            plan = await self.plan { planner.plan(earlier, given: given) }
        }
        return (loaded, arrivals)
    }

    /// What a picture of a plan depends on, what could not be loaded among it.
    func validity(of plan: MapPlan, _ loaded: Loaded) -> ContentValidity {
        var validity = ContentValidity(), locations: [ResourceID: Resource.Location] = [:], beside: Set<ResourceID> = []
        for resource in plan.resources {
            locations[resource.id] = resource.location
            // A stand-in that is shown leaves the picture incomplete.
            if resource.use == .standIn || resource.use == .margin { beside.insert(resource.id) }
        }
        for (id, result) in loaded where !beside.contains(id) {
            switch result {
            case .success(let loaded): validity.formIntersection(loaded.validity)
            case .failure: validity.formIntersection(loader.validity(ofFailureAt: locations[id]))
            }
        }
        return validity
    }

    private static func note(
        _ result: Result<ResourceLoader.Loaded, ResourceError>, of id: ResourceID, in arrivals: inout Arrivals
    ) {
        switch result {
        case .success(let loaded):
            arrivals.note(naturalSize: loaded.content.naturalSize, of: id)
            switch loaded.content {
            case .image(let image, _): arrivals[id] = .image(image)
            case .stored(let image, _): arrivals.store(image, of: id)
            case .nothing: arrivals[id] = .image(ResourceLoader.Content.transparent)
            case .document(let bytes, let name):
                arrivals[id] = .document(bytes)
                arrivals.note(contentCRS: name, of: id)
            }
        case .failure(let error): arrivals[id] = .failure(error)
        }
    }

    /// Loads resources, the first the soonest; files are read and images decoded, so it leaves the caller's actor.
    ///
    /// - Parameters:
    ///   - deadline: when to stop; after that what is in memory or on disk alone is had.
    ///   - progress: called with how many have arrived.
    @concurrent
    func load(
        _ resources: [Resource], isMargin: Bool, reloads: Bool, by deadline: PictureDeadline?,
        onRequested: @escaping @Sendable () -> Void,
        progress: @escaping @Sendable (Int) -> Void
    ) async -> Loaded {
        // Layers that need the same share it.
        var sharing: [Resource.Location: [ResourceID]] = [:]
        var distinct: [Resource] = [], places: [Resource.Location: Int] = [:]
        for resource in resources {
            sharing[resource.location, default: []].append(resource.id)
            if let place = places[resource.location] {
                distinct[place] = distinct[place].wanted(as: resource)
            } else {
                places[resource.location] = distinct.count
                distinct.append(resource)
            }
        }
        let countdown = Countdown(parties: distinct.count, action: onRequested)
        var isLate = deadline?.hasPassed ?? false
        return await withTaskGroup(of: Arrived?.self) { [loader] group in
            if let deadline, !isLate, !distinct.isEmpty {
                group.addTask {
                    await deadline.wait()
                    return nil
                }
            }
            for (rank, resource) in distinct.enumerated() {
                let resource = isLate ? resource.keptAlone : resource
                let turn = FetchTurn(priority: FetchPriority(isMargin: isMargin, rank: rank)) { countdown.arrive(rank) }
                let arrive: @Sendable () async -> Arrived = {
                    // What is in memory, or cannot be asked for, arrives without a request.
                    defer { countdown.arrive(rank) }
                    return Arrived(
                        location: resource.location,
                        result: await loader.load(resource, reloads: reloads, turn: turn))
                }
                // Begun at once, so that the first connections are for what is wanted first.
                if #available(macOS 26, iOS 26, *) {
                    group.addImmediateTask { await arrive() }
                } else {
                    group.addTask { await arrive() }
                }
            }
            var loaded: Loaded = [:], count = 0
            while count < distinct.count, let arrival = await group.next() {
                guard let arrived = arrival else {
                    // Cancelled from outside it wakes up early; then all are.
                    isLate = deadline?.hasPassed ?? false
                    group.cancelAll()
                    continue
                }
                var result = arrived.result
                if isLate, case .failure(let error) = result, [.cancelled, .offline].contains(error.cause) {
                    result = .failure(.late(arrived.location))
                }
                for id in sharing[arrived.location] ?? [] { loaded[id] = result }
                count += 1
                progress(count)
            }
            // Nobody waits for the time any more.
            group.cancelAll()
            return loaded
        }
    }

    /// What the loading of one resource came to.
    private struct Arrived: Sendable {
        let location: Resource.Location
        let result: Result<ResourceLoader.Loaded, ResourceError>
    }
}

/// The moment by which all that a picture needs is to have come.
package struct PictureDeadline: Sendable {
    /// How long that was from the beginning.
    package let duration: Duration
    private let end: Duration
    private let clock: FetchClock

    /// Begins to count.
    package init(_ duration: Duration, from clock: FetchClock) {
        self.duration = max(duration, .zero)
        self.clock = clock
        end = clock.now() + self.duration
    }

    private init(_ duration: Duration, end: Duration, clock: FetchClock) {
        (self.duration, self.end, self.clock) = (duration, end, clock)
    }

    /// The same deadline, or one of so long a time from the same beginning, if that is later.
    func noSooner(than time: Duration) -> PictureDeadline {
        PictureDeadline(max(duration, time), end: end + max(time - duration, .zero), clock: clock)
    }

    /// Whether it is over.
    package var hasPassed: Bool { remaining <= .zero }

    /// The time that is left; zero when it is over.
    package var remaining: Duration { max(end - clock.now(), .zero) }

    /// Waits until it is over, or the task is cancelled.
    package func wait() async { await clock.sleep(remaining) }

    /// The result of work, or `nil` if the deadline passes first or the task is cancelled; the work is cancelled then.
    func result<Value: Sendable>(of work: @escaping @Sendable () async -> Value) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { await work() }
            group.addTask {
                await wait()
                return nil
            }
            return await group.next() ?? nil
        }
    }
}
