/// An order of places, and how good it is.
public struct VisitingOrder: Hashable, Sendable {
    /// The places by their indices in the itinerary; a round trip returns to the first of them.
    public let order: [Int]

    /// What it costs by the objective: seconds, metres, or both weighed, with waiting and stays where seconds count.
    public let cost: Double

    /// What no order costs less than, as far as is known.
    public let bound: Double

    /// Whether no order is better.
    public let isProven: Bool

    /// The places, by index, that are reached after their window has closed, with the seconds that they are late; in order.
    ///
    /// Orders that are late nowhere come before all others.
    public let late: [Late]

    /// How much more it costs than the best at most: 0.02 for two in a hundred; 0 where it is proven.
    public var excess: Double { isProven || bound <= 0 ? (isProven ? 0 : .infinity) : max(0, cost / bound - 1) }

    /// The same of places that stand in this order.
    var inItsOwnOrder: VisitingOrder {
        VisitingOrder(
            order: Array(order.indices), cost: cost, bound: bound, isProven: isProven,
            late: late.map { Late(place: order.firstIndex(of: $0.place) ?? $0.place, seconds: $0.seconds) })
    }

    /// Makes an order with what is known about it.
    package init(order: [Int], cost: Double, bound: Double, isProven: Bool, late: [Late]) {
        self.order = order
        self.cost = cost
        self.bound = bound
        self.isProven = isProven
        self.late = late
    }

    /// A place that is reached too late.
    public struct Late: Hashable, Sendable {
        /// The index of the place in the itinerary.
        public let place: Int
        /// How late, in seconds.
        public let seconds: Double
    }
}
