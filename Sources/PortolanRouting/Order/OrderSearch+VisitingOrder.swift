extension OrderSearch {
    /// An order of places with its evaluation.
    public struct VisitingOrder: Hashable, Sendable {
        /// The places by index in the itinerary.
        ///
        /// A round trip returns to the first one.
        public let order: [Int]

        /// The cost by the objective: seconds, metres or a weighted sum.
        ///
        /// Time includes waiting and visits.
        public let cost: Double

        /// A lower bound for the cost of any order.
        public let bound: Double

        /// Whether the order is proven optimal.
        public let isProven: Bool

        /// The places reached after their window has closed, in order.
        ///
        /// Orders without lateness are always preferred.
        public let late: [Late]

        /// The maximum relative excess over the optimum, such as 0.02 for 2 %; 0 if the order is proven optimal.
        public var excess: Double { isProven || bound <= 0 ? (isProven ? 0 : .infinity) : max(0, cost / bound - 1) }

        /// The same evaluation for places that are already in this order.
        var inItsOwnOrder: OrderSearch.VisitingOrder {
            OrderSearch.VisitingOrder(
                order: Array(order.indices), cost: cost, bound: bound, isProven: isProven,
                late: late.map { Late(place: order.firstIndex(of: $0.place) ?? $0.place, seconds: $0.seconds) })
        }

        /// Creates an order with its evaluation.
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
            /// The lateness in seconds.
            public let seconds: Double
        }
    }
}
