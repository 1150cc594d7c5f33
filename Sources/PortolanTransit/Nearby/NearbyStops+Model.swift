public import Foundation
public import PortolanGeo

extension NearbyStops {
    /// The state of a nearby stops screen: a value that takes events and returns the questions to ask a ``StopFinder``.
    ///
    /// ```swift
    /// var model = NearbyStops.Model()
    /// var questions = model.take(.located(place), at: now)
    /// while let question = questions.popLast() {
    ///     questions += model.take(await question.answered(by: finder), at: now)
    /// }
    /// ```
    ///
    /// The map follows the person until they move it, and again when they switch following on. Stops are requested when the
    /// centre has moved far enough since the last request. Answers to outdated questions are ignored.
    public struct Model: Hashable, Sendable {
        /// The parameters of a nearby stops screen.
        public struct Settings: Hashable, Sendable {
            /// The search radius in metres; 1,000 by default.
            public var meters: Double
            /// The distance in metres the centre must move before stops are requested again; 200 by default.
            public var leastMove: Double
            /// The number of arrivals to request; 10 by default.
            public var arrivalCount: Int
            /// The seconds after which arrivals are requested again; 30 by default.
            public var arrivalLifetime: Double

            /// Creates settings.
            public init(
                meters: Double = 1000, leastMove: Double = 200, arrivalCount: Int = 10, arrivalLifetime: Double = 30
            ) {
                self.meters = max(0, meters)
                self.leastMove = max(0, leastMove)
                self.arrivalCount = max(1, arrivalCount)
                self.arrivalLifetime = max(0, arrivalLifetime)
            }
        }

        /// An event.
        public enum Event: Hashable, Sendable {
            /// The location of the person was updated.
            case located(Coordinate)
            /// The person moved the map to a new centre, which stops following.
            case moved(Coordinate)
            /// The person switched following on or off.
            case following(Bool)
            /// The person selected a stop, by its identifier.
            case chosen(String)
            /// The person closed the stop details.
            case closed
            /// Time has passed.
            case passed
            /// The person requested a retry after a failure.
            case retried
            /// The stops for a question arrived or failed, by question number.
            case stops(Int, Result<NearbyStops, StopFinderError>)
            /// The arrivals for a question arrived or failed, by question number.
            case arrivals(Int, Result<[NearbyStops.Arrival], StopFinderError>)
        }

        /// A question for a ``StopFinder``.
        public enum Question: Hashable, Sendable {
            /// A question for the stops around a coordinate.
            case stops(Int, near: Coordinate, within: Double)
            /// A question for the arrivals at a stop.
            case arrivals(Int, at: String, from: Date, limit: Int)
        }

        /// The details of the selected stop.
        public struct Detail: Hashable, Sendable {
            /// The stop.
            public var stop: NearbyStops.Stop
            /// The arrivals, or `nil` if they are not known yet.
            public var arrivals: [NearbyStops.Arrival]?
            /// The error of the last arrival request, or `nil`.
            public var error: StopFinderError?
            /// The time of the last arrival request.
            var asked: Date
            var question: Int?
        }

        /// The parameters.
        public let settings: Settings
        /// Whether the centre follows the person.
        public private(set) var isFollowing = true
        /// The location of the person, or `nil` if it is unknown.
        public private(set) var person: Coordinate?
        /// The centre of the map, or `nil` if it is not set yet.
        public private(set) var center: Coordinate?
        /// The stops, nearest first.
        ///
        /// The previous ones are kept while others are requested and after failures.
        public private(set) var stops: [NearbyStops.Stop] = []
        /// The search result of ``stops``, or `nil` before the first success.
        public private(set) var found: NearbyStops?
        /// The error of the last stop request, or `nil`.
        public private(set) var error: StopFinderError?
        /// The details of the selected stop, or `nil`.
        public private(set) var detail: Detail?

        private var lastQuestion = 0
        private var openQuestion: Int?
        private var askedAround: Coordinate?
        /// Whether a stop request has ever succeeded or failed.
        public private(set) var hasAnswer = false

        /// Creates an empty model.
        public init(_ settings: Settings = Settings(), center: Coordinate? = nil) {
            self.settings = settings
            self.center = center
        }

        /// Whether the first stops are being requested.
        ///
        /// Later requests keep the previous stops visible.
        public var awaitsFirstAnswer: Bool { openQuestion != nil && !hasAnswer }

        /// Handles an event at a time, and returns the questions to ask now.
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
                guard let detail, abs(now.timeIntervalSince(detail.asked)) >= settings.arrivalLifetime else {
                    return []
                }
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
                // The next move requests stops again.
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
}

extension NearbyStops.Model.Question {
    /// Returns the answer of a finder as an event for the model.
    public func answered(by finder: any StopFinder) async -> NearbyStops.Model.Event {
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
