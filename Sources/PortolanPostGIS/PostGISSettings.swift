#if PostGIS
/// The limits of the connections to a database.
public struct PostGISSettings: Hashable, Sendable {
    /// The maximum number of connections.
    ///
    /// Default: 4.
    public var connectionCount = 4
    /// The maximum number of queries that wait for a connection.
    ///
    /// Default: 1000.
    public var queueLength = 1000
    /// The time limit for establishing a connection.
    ///
    /// Default: 10 seconds.
    public var connectTimeout = Duration.seconds(10)
    /// The time limit of a query, including its wait for a connection.
    ///
    /// Default: 30 seconds. The database receives it as `statement_timeout`.
    public var queryTimeout = Duration.seconds(30)
    /// The maximum size of a result in bytes.
    ///
    /// Default: 256 MiB.
    public var resultByteLimit = 256 << 20

    /// Creates the default limits.
    public init() {}
}
#endif
