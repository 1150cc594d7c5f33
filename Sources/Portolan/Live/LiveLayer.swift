public import Foundation
public import PortolanFeatures
public import PortolanGeo
import PortolanPlan
import PortolanWeb
import Synchronization

/// A layer source of moving objects with identifiers, which takes batches of updates and is drawn for a given time.
///
/// Updates may arrive in any order; the newest update of each object counts. Between two fixes an object moves at
/// constant speed, straight or along its line, during its usual update interval. Objects without updates fade and then
/// disappear. There is no internal clock: the picture is a function of the updates, their arrival times, and
/// ``LiveLayer/time``.
///
/// ```swift
/// var trams = LiveLayer()
/// trams.apply([.upsert("tram-12", PositionFix(place: place, time: now, course: 45))], at: now)
/// try map.add(trams, named: "trams")
/// ```
///
/// Copies share their content until one of them changes.
public struct LiveLayer: Sendable {
    /// The thresholds for motion, fading and removal.
    public struct Settings: Hashable, Sendable {
        /// The age of a fix at which its object fades.
        public var staleAge = Duration.seconds(90)
        /// The age of a fix at which its object disappears.
        ///
        /// Fixes this far in the future are invalid.
        public var goneAge = Duration.seconds(300)
        /// The minimum distance of a new fix from the current destination, in metres, that starts a motion.
        public var shortestStep = 2.0
        /// The maximum distance of a motion in metres; beyond it the object jumps.
        public var longestStep = 500.0
        /// The maximum duration of a motion.
        public var longestMotion = Duration.seconds(30)
        /// The maximum distance of a fix from the line of its object, in metres.
        public var shapeTolerance = 50.0
        /// The maximum number of objects, and of recorded removals.
        public var maximumCount = 1_000_000
        /// The maximum number of Unicode scalars in a label.
        public var longestLabel = 64

        /// Creates the default settings.
        public init() {}

        var staleSeconds: Double { max(staleAge.inSeconds, 0) }
        var goneSeconds: Double { max(goneAge.inSeconds, 0) }
        /// The longest step as a finite length.
        var stepMeters: Double { longestStep > 0 ? min(longestStep, 1e6) : 0 }
        var shapeMeters: Double { shapeTolerance > 0 ? min(shapeTolerance, 1e5) : 0 }
    }

    /// The state of an object.
    ///
    /// It is a class because it is large and each picture accesses many.
    final class Entry: Sendable {
        /// The last update.
        let object: LiveLayer.Object
        /// The properties of the drawn feature.
        let properties: Properties
        /// The time of its fix in seconds since 1970.
        let time: Double
        let movement: Movement
        let isShown: Bool

        init(_ object: LiveLayer.Object, properties: Properties, movement: Movement, isShown: Bool) {
            self.object = object
            self.properties = properties
            self.movement = movement
            self.isShown = isShown
            time = object.fix.time.timeIntervalSince1970
        }
    }

    /// The movement of an object.
    struct Movement: Sendable {
        var motion: LiveMotion
        var intervals = LiveIntervals()
        /// The direction of the last motion, in degrees clockwise from north.
        var bearing: Double?
    }

    /// The thresholds for motion, fading and removal.
    public var settings = Settings() { didSet { touch() } }
    /// The style of the objects.
    public var style: LiveLayer.Appearance { didSet { touch() } }
    /// The time of the picture.
    ///
    /// Each later batch of updates advances it.
    public var time = Date(timeIntervalSince1970: 0)
    /// The selected object, or `nil`.
    public var selection: Feature.ID?
    /// Returns whether an object is shown; `nil` to show all.
    ///
    /// It is called once for each object when it is set, and once when an object changes.
    public var filter: (@Sendable (LiveLayer.Object) -> Bool)? { didSet { refilter() } }

    /// The objects by number; unused numbers are `nil`.
    private(set) var entries: [Entry?] = []
    /// The grid locations of the objects, by number.
    private var cards: [LiveGrid.Card] = []
    private(set) var grid = LiveGrid()
    private var numbers: [Feature.ID: Int32] = [:]
    private var free: [Int32] = []
    /// The times of recorded removals.
    private var removals: [Feature.ID: Double] = [:]
    private var shapes: [String: GroundLine] = [:]
    /// The end of the last motion in seconds since 1970, including motions that were replaced.
    private var lastMotionEnd = -Double.infinity
    /// The time of the last search for silent objects.
    private var lastSweep = -Double.infinity
    /// A unique number for the drawn content.
    ///
    /// Updates without a visible change keep it.
    private(set) var contentID: UInt64 = 0
    /// The markers of badges.
    let marks = PreparedMarks()

    private static let lastContentID = Atomic<UInt64>(0)

    /// Creates a layer without objects.
    public init(style: LiveLayer.Appearance = LiveLayer.Appearance(), settings: Settings = Settings()) {
        self.style = style
        self.settings = settings
        touch()
    }

    private mutating func touch() { contentID = Self.lastContentID.add(1, ordering: .relaxed).newValue }

    // MARK: - Updates

    /// Applies a batch of updates, which become visible together.
    ///
    /// For each object, the newest update counts, regardless of the order; of updates for the same time, the last one
    /// counts.
    ///
    /// - Parameter time: the arrival time of the batch, at which motions start.
    /// - Returns: the numbers of changes and rejected updates.
    /// - Complexity: O(updates), and O(objects) every few seconds to find silent objects; for objects on a line also
    ///   O(vertices of the line near them).
    @discardableResult
    public mutating func apply(_ updates: [LiveLayer.Update], at time: Date) -> LiveLayer.Outcome {
        let now = time.timeIntervalSince1970
        var outcome = LiveLayer.Outcome()
        guard now.isFinite else { return outcome }
        if !(time < self.time) { show(at: time) }
        for update in updates {
            switch update {
            case .upsert(let object): upsert(object, at: now, &outcome)
            case .remove(let id, let date): remove(id, since: date.timeIntervalSince1970, at: now, &outcome)
            }
        }
        sweep(at: now, &outcome)
        return outcome
    }

    /// Sets the time of the picture.
    mutating func show(at time: Date) {
        guard time != self.time else { return }
        // The label of a selected object has the age of its fix.
        let isOther =
            selection != nil || !(self.time <= time) || isMoving(at: self.time)
            || nextChange(after: self.time).map { $0 <= time } ?? false
        if isOther { touch() }
        self.time = time
    }

    private mutating func upsert(_ given: LiveLayer.Object, at now: Double, _ outcome: inout LiveLayer.Outcome) {
        guard let object = given.checked(longestLabel: max(settings.longestLabel, 1)) else {
            return outcome.impossible += 1
        }
        let fixed = object.fix.time.timeIntervalSince1970, gone = settings.goneSeconds
        guard fixed < now + gone || fixed <= now else { return outcome.impossible += 1 }
        guard fixed > now - gone else { return outcome.outdated += 1 }
        if let removal = removals[object.id] {
            guard fixed >= removal else { return outcome.outdated += 1 }
            removals[object.id] = nil
        }
        guard let number = numbers[object.id] else { return insert(object, &outcome) }
        guard fixed >= entries[Int(number)]?.time ?? -.infinity else { return outcome.outdated += 1 }
        change(number, to: object, at: now)
        outcome.upserted += 1
    }

    private mutating func insert(_ object: LiveLayer.Object, _ outcome: inout LiveLayer.Outcome) {
        guard numbers.count < settings.maximumCount else { return outcome.beyondLimit += 1 }
        let number = free.popLast() ?? Int32(entries.count)
        let entry = Entry(
            object, properties: object.drawnProperties, movement: Movement(motion: LiveMotion(at: object.fix.place)),
            isShown: filter?(object) ?? true)
        let card = grid.insert(number, at: object.fix.place)
        if number == entries.count {
            entries.append(entry)
            cards.append(card)
        } else {
            entries[Int(number)] = entry
            cards[Int(number)] = card
        }
        numbers[object.id] = number
        outcome.upserted += 1
        touch()
    }

    private mutating func change(_ number: Int32, to object: LiveLayer.Object, at now: Double) {
        guard let known = entries[Int(number)] else { return }
        var movement = known.movement
        let interval = object.fix.time.timeIntervalSince(known.object.fix.time)
        if interval > 0 { movement.intervals.note(interval) }
        let isDrawnAlike =
            known.object.kind == object.kind && known.object.label == object.label
            && known.object.properties == object.properties
        lead(
            &movement, to: object, after: known.object.shape == object.shape ? movement.motion.endMeasure : nil, at: now
        )
        let entry = Entry(
            object, properties: isDrawnAlike ? known.properties : object.drawnProperties, movement: movement,
            isShown: filter?(object) ?? true)
        entries[Int(number)] = entry
        let wasStale = known.time <= time.timeIntervalSince1970 - settings.staleSeconds
        if !isDrawnAlike || entry.isShown != known.isShown || object.heading != known.object.heading
            || object.id == selection || wasStale || entry.time <= now - settings.staleSeconds
            || movement.motion.end != known.movement.motion.end
            || movement.motion.endTime != known.movement.motion.endTime
        {
            touch()
        }
        guard !grid.isFiled(cards[Int(number)], at: object.fix.place) else { return }
        takeOut(number)
        cards[Int(number)] = grid.insert(number, at: object.fix.place)
    }

    private mutating func takeOut(_ number: Int32) {
        if let moved = grid.remove(cards[Int(number)]) { cards[Int(moved.number)] = moved.card }
    }

    /// Starts the motion of an object to its new fix.
    private mutating func lead(
        _ movement: inout Movement, to object: LiveLayer.Object, after hint: Double?, at now: Double
    ) {
        let place = object.fix.place
        guard GroundDistance.meters(from: movement.motion.end, to: place) >= settings.shortestStep else { return }
        let seen = movement.motion.place(at: now), step = GroundDistance.meters(from: seen, to: place)
        let seconds = min(movement.intervals.median ?? 0, settings.longestMotion.inSeconds)
        guard step <= settings.stepMeters, seconds > 0 else {
            movement.motion = LiveMotion(at: place)
            if step <= settings.stepMeters, step > 0 { movement.bearing = seen.bearing(to: place) }
            return
        }
        movement.motion = LiveMotion(
            from: seen, to: place, at: now, over: seconds, along: object.shape.flatMap { shapes[$0] }, after: hint,
            tolerance: settings.shapeMeters, longest: settings.stepMeters)
        movement.bearing = movement.motion.bearing(at: .infinity) ?? movement.bearing
        lastMotionEnd = max(lastMotionEnd, now + seconds)
    }

    private mutating func remove(
        _ id: Feature.ID, since time: Double, at now: Double, _ outcome: inout LiveLayer.Outcome
    ) {
        guard time.isFinite, time < now + settings.goneSeconds || time <= now else { return outcome.impossible += 1 }
        if let number = numbers[id], let entry = entries[Int(number)] {
            guard time >= entry.time else { return outcome.outdated += 1 }
            drop(number)
            outcome.removed += 1
        }
        guard time > removals[id] ?? -.infinity, time > now - settings.goneSeconds else { return }
        // An earlier update that arrives later must not restore the object.
        guard removals[id] != nil || removals.count < settings.maximumCount else { return outcome.beyondLimit += 1 }
        removals[id] = time
    }

    private mutating func drop(_ number: Int32) {
        guard let entry = entries[Int(number)] else { return }
        touch()
        entries[Int(number)] = nil
        takeOut(number)
        numbers[entry.object.id] = nil
        free.append(number)
    }

    /// Removes silent objects, at intervals.
    private mutating func sweep(at now: Double, _ outcome: inout LiveLayer.Outcome) {
        let gone = settings.goneSeconds
        guard now >= lastSweep + min(gone / 8, 10) || now < lastSweep else { return }
        lastSweep = now
        for number in entries.indices {
            guard let time = entries[number]?.time, time <= now - gone else { continue }
            drop(Int32(number))
            outcome.removed += 1
        }
        removals = removals.filter { $0.value > now - gone }
    }

    /// Removes all objects.
    public mutating func removeAll() {
        touch()
        entries = []
        cards = []
        grid = LiveGrid()
        numbers = [:]
        free = []
        removals = [:]
    }

    /// Sets or removes the line of the objects that name it (``LiveLayer/Object/shape``), as longitudes and latitudes in
    /// degrees.
    ///
    /// Current motions are not affected.
    ///
    /// - Returns: whether the line is valid: two or more finite coordinates, not all equal.
    /// - Complexity: O(coordinates).
    @discardableResult
    public mutating func setShape(_ name: String, along places: [Coordinate]?) -> Bool {
        shapes[name] = places.flatMap { GroundLine($0) }
        return places == nil || shapes[name] != nil
    }

    private mutating func refilter() {
        touch()
        for number in entries.indices {
            guard let entry = entries[number] else { continue }
            entries[number] = Entry(
                entry.object, properties: entry.properties, movement: entry.movement,
                isShown: filter?(entry.object) ?? true)
        }
    }

    // MARK: - Queries

    /// The number of objects, including hidden ones.
    public var count: Int { numbers.count }

    /// The objects in unspecified order, including hidden ones.
    public var objects: some Sequence<LiveLayer.Object> { entries.lazy.compactMap { $0?.object } }

    /// Returns an object with its actual fix, or `nil` if it does not exist or has disappeared at ``LiveLayer/time``.
    public func object(_ id: Feature.ID) -> LiveLayer.Object? {
        guard let entry = entry(id), isThere(entry, at: time.timeIntervalSince1970) else { return nil }
        return entry.object
    }

    /// Returns the age of an object's fix at ``LiveLayer/time``, at least zero, or `nil` if there is no such object.
    public func age(of id: Feature.ID) -> Duration? {
        object(id).map { Duration(inSeconds: max(time.timeIntervalSince($0.fix.time), 0)) }
    }

    /// Returns the longitude and latitude at which an object is drawn at a time, or `nil` if there is no such object
    /// then.
    public func place(of id: Feature.ID, at time: Date) -> Coordinate? {
        let now = time.timeIntervalSince1970
        guard let entry = entry(id), isThere(entry, at: now) else { return nil }
        return entry.movement.motion.place(at: now)
    }

    /// Returns whether an object is in motion, so that the picture changes with time.
    ///
    /// - Complexity: O(objects) if few of them move, otherwise much less.
    public func isMoving(at time: Date) -> Bool {
        let now = time.timeIntervalSince1970
        guard now < lastMotionEnd else { return false }
        return entries.contains { entry in
            entry.map { now < $0.movement.motion.endTime && isThere($0, at: now) } ?? false
        }
    }

    /// Returns the time of the next change without an update: immediately during motion, otherwise when an object fades
    /// or disappears; `nil` if none exists.
    ///
    /// - Complexity: O(objects).
    public func nextChange(after time: Date) -> Date? {
        if isMoving(at: time) { return time }
        let now = time.timeIntervalSince1970
        var next = Double.infinity
        for case let entry? in entries where entry.isShown {
            for age in [settings.staleSeconds, settings.goneSeconds] where entry.time + age > now {
                next = min(next, entry.time + age)
            }
        }
        return next < .infinity ? Date(timeIntervalSince1970: next) : nil
    }

    private func entry(_ id: Feature.ID) -> Entry? { numbers[id].flatMap { entries[Int($0)] } }

    /// Returns whether an object is shown at a time: it passes the filter and is recent enough.
    func isThere(_ entry: Entry, at now: Double) -> Bool { entry.isShown && entry.time > now - settings.goneSeconds }
}
