/// A column of values in the schema of a Parquet file: a leaf of its tree of groups.
struct ParquetColumn {
    /// The physical types.
    enum PhysicalType: Int {
        case boolean, int32, int64, int96, float, double, bytes, fixedBytes
    }

    /// The meaning of the values.
    enum Meaning: Equatable {
        /// Numbers and truth values as they are stored.
        case plain
        case unsigned(bits: Int)
        case date
        case time(ParquetTimeUnit)
        case timestamp(ParquetTimeUnit, isUTC: Bool)
        case decimal(scale: Int)
        case text, json, uuid, float16
        /// A geometry in well-known binary, and its CRS.
        case geometry(crs: String?, isSpherical: Bool)
        /// Values that features cannot hold.
        case other
    }

    /// The names of the groups from the root, and of the column.
    let path: [String]
    let type: PhysicalType
    /// The length of ``PhysicalType/fixedBytes``.
    let length: Int
    let meaning: Meaning
    /// The definition level of values that are present.
    let maximumDefinition: Int
    /// The number of lists around the values.
    let maximumRepetition: Int

    /// The name for messages.
    var name: String { path.joined(separator: ".") }
}

/// The units of times.
enum ParquetTimeUnit: Int {
    case milliseconds = 1
    case microseconds, nanoseconds

    var perSecond: Int {
        switch self {
        case .milliseconds: 1000
        case .microseconds: 1_000_000
        case .nanoseconds: 1_000_000_000
        }
    }
}
