public import Foundation
public import PortolanFeatures
public import PortolanGeo
import PortolanPlan
import PortolanWeb
import Synchronization

/// Objects that move, known by their identifiers: a source of a layer that takes batches of updates and is drawn for a time.
///
/// Updates come in any order; of each object the newest counts. Between two fixes an object moves evenly, straight or along
/// its line, over its usual interval. What is not heard of fades, and goes. There is no clock inside: what is seen is a
/// function of the updates, of the times at which they came, and of ``LiveLayer/time``.
///
/// ```swift
/// var trams = LiveLayer()
/// trams.apply([.upsert("tram-12", PositionFix(place: place, time: now, course: 45))], at: now)
/// try map.add(trams, named: "trams")
/// ```
///
/// A copy shares its content until one of them changes.
public struct LiveLayer: Sendable {
    /// When objects move, fade and go.
    public struct Settings: Hashable, Sendable {
        /// How old a fix becomes before its object fades.
        public var staleAge = Duration.seconds(90)
        /// How old a fix becomes before its object goes; what is so far in the future is impossible.
        public var goneAge = Duration.seconds(300)
        /// How far a fix must be from where its object was led to, in metres, to be led there.
        public var shortestStep = 2.0
        /// How far it may be from where the object is seen, in metres, to be moved to; farther, it jumps.
        public var longestStep = 500.0
        /// How long a motion takes at the most.
        public var longestMotion = Duration.seconds(30)
        /// How far a fix may be from the line along which its object moves, in metres.
        public var shapeTolerance = 50.0
        /// How many objects there may be, and as many that are known to be gone.
        public var maximumCount = 1_000_000
        /// How many Unicode scalars of a label are kept.
        public var longestLabel = 64

        /// Makes the standard settings.
        public init() {}

        var staleSeconds: Double { max(staleAge.inSeconds, 0) }
        var goneSeconds: Double { max(goneAge.inSeconds, 0) }
        /// The longest step as a finite length.
        var stepMeters: Double { longestStep > 0 ? min(longestStep, 1e6) : 0 }
        var shapeMeters: Double { shapeTolerance > 0 ? min(shapeTolerance, 1e5) : 0 }
    }

    /// What is known of an object; a class, since each picture looks at many and as a value it is large.
    final class Entry: Sendable {
        /// What was told of it last.
        let object: LiveObject
        /// Those of the feature that is drawn.
        let properties: Properties
        /// When its fix was, in seconds since 1970.
        let time: Double
        let movement: Movement
        let isShown: Bool

        init(_ object: LiveObject, properties: Properties, movement: Movement, isShown: Bool) {
            self.object = object
            self.properties = properties
            self.movement = movement
            self.isShown = isShown
            time = object.fix.time.timeIntervalSince1970
        }
    }

    /// How an object goes.
    struct Movement: Sendable {
        var motion: LiveMotion
        var intervals = LiveIntervals()
        /// Where it moved to last, in degrees clockwise from north.
        var bearing: Double?
    }

    /// When objects move, fade and go.
    public var settings = Settings() { didSet { touch() } }
    /// How objects are drawn.
    public var style: LiveStyle { didSet { touch() } }
    /// The time for which it is drawn; each batch of updates that comes later moves it on.
    public var time = Date(timeIntervalSince1970: 0)
    /// The object shown as selected, or `nil`.
    public var selection: FeatureID?
    /// Which objects are shown, or `nil` for all.
    ///
    /// It is asked once for each object when it is set and once when an object changes.
    public var filter: (@Sendable (LiveObject) -> Bool)? { didSet { refilter() } }

    /// Objects by number; numbers that are free hold nothing.
    private(set) var entries: [Entry?] = []
    /// Where the objects are filed, by number.
    private var cards: [LiveGrid.Card] = []
    private(set) var grid = LiveGrid()
    private var numbers: [FeatureID: Int32] = [:]
    private var free: [Int32] = []
    /// When objects went that are known to be gone.
    private var removals: [FeatureID: Double] = [:]
    private var shapes: [String: GroundLine] = [:]
    /// When the last motion ends, in seconds since 1970; some that would have ended later have been given up.
    private var lastMotionEnd = -Double.infinity
    /// When the silent were last looked for.
    private var lastSweep = -Double.infinity
    /// A number that no layer has of which other pictures are drawn; news of objects that are seen as before leave it as it is.
    private(set) var contentID: UInt64 = 0
    /// The marks of badges.
    let marks = PreparedMarks()

    private static let lastContentID = Atomic<UInt64>(0)

    /// Makes a layer without objects.
    public init(style: LiveStyle = LiveStyle(), settings: Settings = Settings()) {
        self.style = style
        self.settings = settings
        touch()
    }

    private mutating func touch() { contentID = Self.lastContentID.add(1, ordering: .relaxed).newValue }

    // MARK: - Updates

    /// Takes a batch of updates, of which nothing is seen before all of it is.
    ///
    /// Of two updates of one object the newer counts, whichever comes first; of two at the same time the one that comes last.
    ///
    /// - Parameter time: when the batch came: motions begin then.
    /// - Returns: what became of them.
    /// - Complexity: O(updates), and O(objects) every few seconds to find those that went silent; of objects on a line
    ///   O(places of the line near them).
    @discardableResult
    public mutating func apply(_ updates: [LiveUpdate], at time: Date) -> LiveOutcome {
        let now = time.timeIntervalSince1970
        var outcome = LiveOutcome()
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

    /// Draws it for another time.
    mutating func show(at time: Date) {
        guard time != self.time else { return }
        // A selected object tells how old its fix is.
        let isOther =
            selection != nil || !(self.time <= time) || isMoving(at: self.time)
            || nextChange(after: self.time).map { $0 <= time } ?? false
        if isOther { touch() }
        self.time = time
    }

    private mutating func upsert(_ given: LiveObject, at now: Double, _ outcome: inout LiveOutcome) {
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

    private mutating func insert(_ object: LiveObject, _ outcome: inout LiveOutcome) {
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

    private mutating func change(_ number: Int32, to object: LiveObject, at now: Double) {
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

    /// Leads an object to its new fix.
    private mutating func lead(_ movement: inout Movement, to object: LiveObject, after hint: Double?, at now: Double) {
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

    private mutating func remove(_ id: FeatureID, since time: Double, at now: Double, _ outcome: inout LiveOutcome) {
        guard time.isFinite, time < now + settings.goneSeconds || time <= now else { return outcome.impossible += 1 }
        if let number = numbers[id], let entry = entries[Int(number)] {
            guard time >= entry.time else { return outcome.outdated += 1 }
            drop(number)
            outcome.removed += 1
        }
        guard time > removals[id] ?? -.infinity, time > now - settings.goneSeconds else { return }
        // What was sent before and comes later must not bring it back.
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

    /// Forgets who was silent for too long, now and then.
    private mutating func sweep(at now: Double, _ outcome: inout LiveOutcome) {
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

    /// Takes all objects out.
    public mutating func removeAll() {
        touch()
        entries = []
        cards = []
        grid = LiveGrid()
        numbers = [:]
        free = []
        removals = [:]
    }

    /// Says along which line the objects move that name it (``LiveObject/shape``), by longitudes and latitudes in degrees; or
    /// forgets it, with `nil`.
    ///
    /// What is under way goes on as it is.
    ///
    /// - Returns: whether it is a line: two places or more, none of them nowhere, and not all the same.
    /// - Complexity: O(places).
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

    // MARK: - Questions

    /// How many objects there are, those not shown among them.
    public var count: Int { numbers.count }

    /// The objects, in no order, those not shown among them.
    public var objects: some Sequence<LiveObject> { entries.lazy.compactMap { $0?.object } }

    /// An object with its true fix, or `nil` when there is none, or none any more at ``LiveLayer/time``.
    public func object(_ id: FeatureID) -> LiveObject? {
        guard let entry = entry(id), isThere(entry, at: time.timeIntervalSince1970) else { return nil }
        return entry.object
    }

    /// How old an object's fix is at ``LiveLayer/time``, or `nil` when there is no such object; never below zero.
    public func age(of id: FeatureID) -> Duration? {
        object(id).map { Duration(inSeconds: max(time.timeIntervalSince($0.fix.time), 0)) }
    }

    /// The longitude and latitude at which an object is seen at a time, or `nil` when there is no such object then.
    public func place(of id: FeatureID, at time: Date) -> Coordinate? {
        let now = time.timeIntervalSince1970
        guard let entry = entry(id), isThere(entry, at: now) else { return nil }
        return entry.movement.motion.place(at: now)
    }

    /// Whether a picture for a little later would be another one: something moves.
    ///
    /// - Complexity: O(objects) where few move, else much less.
    public func isMoving(at time: Date) -> Bool {
        let now = time.timeIntervalSince1970
        guard now < lastMotionEnd else { return false }
        return entries.contains { entry in
            entry.map { now < $0.movement.motion.endTime && isThere($0, at: now) } ?? false
        }
    }

    /// When the picture changes next without an update: at once while something moves, else when the next object fades or
    /// goes; `nil` when nothing will.
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

    private func entry(_ id: FeatureID) -> Entry? { numbers[id].flatMap { entries[Int($0)] } }

    /// Whether an object is shown at a time: wanted, and heard of.
    func isThere(_ entry: Entry, at now: Double) -> Bool { entry.isShown && entry.time > now - settings.goneSeconds }
}
