public import Foundation
public import PortolanGeo

/// The stops around a person as a screen shows them: a value that takes in what happens, and says what is to be asked.
///
/// ```swift
/// var model = NearbyStopsModel()
/// var questions = model.take(.located(place), at: now)
/// while let question = questions.popLast() {
///     questions += model.take(await question.answered(by: finder), at: now)
/// }
/// ```
///
/// The map follows the person until they move it, and again when they want it to. Stops are asked for when the centre has moved
/// far enough from where they were asked for last; an answer to an older question changes nothing.
public struct NearbyStopsModel: Hashable, Sendable {
    /// How it asks.
    public struct Settings: Hashable, Sendable {
        /// Within how many metres stops are looked for; 1,000.
        public var meters: Double
        /// How far in metres the centre must move before stops are asked for again; 200.
        public var leastMove: Double
        /// How many arrivals are asked for; 10.
        public var arrivalCount: Int
        /// After how many seconds arrivals are asked for again; 30.
        public var arrivalLifetime: Double

        /// Makes settings.
        public init(
            meters: Double = 1000, leastMove: Double = 200, arrivalCount: Int = 10, arrivalLifetime: Double = 30
        ) {
            self.meters = max(0, meters)
            self.leastMove = max(0, leastMove)
            self.arrivalCount = max(1, arrivalCount)
            self.arrivalLifetime = max(0, arrivalLifetime)
        }
    }

    /// What happens.
    public enum Event: Hashable, Sendable {
        /// The person is at a place.
        case located(Coordinate)
        /// The person moved the map: its centre is at a place, and no longer follows them.
        case moved(Coordinate)
        /// The person switched following on or off.
        case following(Bool)
        /// The person chose a stop, by its identifier.
        case chosen(String)
        /// The person closed what is told of a stop.
        case closed
        /// Time has passed.
        case passed
        /// The person wants to try again what failed.
        case retried
        /// Stops came for the question of a number, or did not.
        case stops(Int, Result<NearbyStops, StopFinderError>)
        /// Arrivals came for the question of a number, or did not.
        case arrivals(Int, Result<[StopArrival], StopFinderError>)
    }

    /// What is to be asked.
    public enum Question: Hashable, Sendable {
        /// For stops around a place.
        case stops(Int, near: Coordinate, within: Double)
        /// For what comes to a stop.
        case arrivals(Int, at: String, from: Date, limit: Int)
    }

    /// A stop that is looked at.
    public struct Detail: Hashable, Sendable {
        /// The stop.
        public var stop: NearbyStop
        /// What comes to it; `nil` until it is known.
        public var arrivals: [StopArrival]?
        /// Why it is not known, or not anew.
        public var error: StopFinderError?
        /// When it was asked for last.
        var asked: Date
        var question: Int?
    }

    /// How it asks.
    public let settings: Settings
    /// Whether the centre follows the person.
    public private(set) var isFollowing = true
    /// Where the person is, or `nil` when that is not known.
    public private(set) var person: Coordinate?
    /// The centre of the map, or `nil` when there is none yet.
    public private(set) var center: Coordinate?
    /// The stops, the nearest first; those of before while others are asked for, and when they cannot be had.
    public private(set) var stops: [NearbyStop] = []
    /// How the stops were found; `nil` until some were.
    public private(set) var found: NearbyStops?
    /// Why stops cannot be had.
    public private(set) var error: StopFinderError?
    /// The stop that is looked at.
    public private(set) var detail: Detail?

    private var lastQuestion = 0
    private var openQuestion: Int?
    private var askedAround: Coordinate?
    /// Whether stops have ever come, or failed to.
    public private(set) var hasAnswer = false

    /// Makes a model that knows nothing.
    public init(_ settings: Settings = Settings(), center: Coordinate? = nil) {
        self.settings = settings
        self.center = center
    }

    /// Whether the first stops are being asked for: later ones come while those of before are shown.
    public var awaitsFirstAnswer: Bool { openQuestion != nil && !hasAnswer }

    /// Takes in what happened at a time; what is to be asked now.
    public mutating func take(_ event: Event, at now: Date) -> [Question] {
        switch event {
        case .located(let place):
            person = place
            if isFollowing { center = place }
            return askIfMoved()
        case .moved(let place):
            isFollowing = false
            center = place
            return askIfMoved()
        case .following(let isOn):
            isFollowing = isOn
            if isOn, let person { center = person }
            return askIfMoved()
        case .chosen(let id):
            guard let stop = stops.first(where: { $0.id == id }) else { return [] }
            detail = Detail(stop: stop, asked: now)
            return askForArrivals(at: now)
        case .closed:
            detail = nil
            return []
        case .passed:
            guard let detail, abs(now.timeIntervalSince(detail.asked)) >= settings.arrivalLifetime else { return [] }
            return askForArrivals(at: now)
        case .retried:
            var questions: [Question] = []
            if error != nil { questions += ask() }
            if detail?.error != nil { questions += askForArrivals(at: now) }
            return questions
        case .stops(let question, let result):
            take(result, of: question)
            return []
        case .arrivals(let question, let result):
            guard detail?.question == question else { return [] }
            detail?.question = nil
            switch result {
            case .success(let arrivals):
                detail?.arrivals = arrivals
                detail?.error = nil
            case .failure(let error): if !error.isCancellation { detail?.error = error }
            }
            return []
        }
    }

    private mutating func take(_ result: Result<NearbyStops, StopFinderError>, of question: Int) {
        guard openQuestion == question else { return }
        openQuestion = nil
        switch result {
        case .success(let found):
            hasAnswer = true
            self.found = found
            stops = found.stops
            error = nil
        case .failure(let error):
            // The next move asks again.
            askedAround = nil
            guard !error.isCancellation else { return }
            hasAnswer = true
            self.error = error
        }
    }

    private mutating func askIfMoved() -> [Question] {
        guard let center else { return [] }
        if let askedAround, Geodesic.line(from: askedAround, to: center).meters < settings.leastMove { return [] }
        return ask()
    }

    private mutating func ask() -> [Question] {
        guard let center else { return [] }
        lastQuestion += 1
        openQuestion = lastQuestion
        askedAround = center
        return [.stops(lastQuestion, near: center, within: settings.meters)]
    }

    private mutating func askForArrivals(at now: Date) -> [Question] {
        guard let id = detail?.stop.id, detail?.question == nil else { return [] }
        lastQuestion += 1
        detail?.question = lastQuestion
        detail?.asked = now
        return [.arrivals(lastQuestion, at: id, from: now, limit: settings.arrivalCount)]
    }
}

extension NearbyStopsModel.Question {
    /// What a finder answers, as what happens to the model.
    public func answered(by finder: any StopFinder) async -> NearbyStopsModel.Event {
        switch self {
        case .stops(let number, let center, let meters):
            do throws(StopFinderError) {
                return .stops(number, .success(try await finder.stops(near: center, within: meters)))
            } catch { return .stops(number, .failure(error)) }
        case .arrivals(let number, let stop, let time, let limit):
            do throws(StopFinderError) {
                let arrivals = try await finder.arrivals(at: stop, from: time, limit: limit)
                return .arrivals(number, .success(arrivals))
            } catch { return .arrivals(number, .failure(error)) }
        }
    }
}
