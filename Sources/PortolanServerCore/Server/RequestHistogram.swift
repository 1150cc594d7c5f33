/// The number of requests by response time, as a histogram of Prometheus.
struct RequestHistogram: Equatable {
    /// The upper bounds of the buckets in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// The number of requests in each bucket alone; the last one is above all bounds.
    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all response times in seconds.
    private(set) var seconds = 0.0

    /// The number of requests.
    var count: Int { counts.reduce(0, +) }

    /// Adds a request.
    mutating func add(_ seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        self.seconds += seconds
    }

    /// The buckets, with the number of requests up to each bound; the last bound is `+Inf`.
    var buckets: [(bound: String, count: Int)] {
        var sum = 0
        return zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts).map { bound, count in
            sum += count
            return (bound, sum)
        }
    }
}
