/// The values of a page or dictionary, without those that are missing.
enum ParquetValues {
    case bools([Bool])
    case integers([Int64])
    case numbers([Double])
    case bytes(Strings)

    /// Consecutive strings of bytes.
    struct Strings {
        var buffer: [UInt8] = []
        var ranges: [Range<Int>] = []
    }

    var count: Int {
        switch self {
        case .bools(let values): values.count
        case .integers(let values): values.count
        case .numbers(let values): values.count
        case .bytes(let values): values.ranges.count
        }
    }

    /// The numbers, or `nil` for values of other types.
    var doubles: [Double]? {
        switch self {
        case .numbers(let values): values
        case .integers(let values): values.map(Double.init)
        case .bools, .bytes: nil
        }
    }
}
