#if os(Linux)
package import PortolanFetch

/// The HTTP transports of this build, for tests that run with each.
package enum TestTransport: CaseIterable, Sendable {
    #if Drivers
    case curl
    #endif
    #if !Drivers || DEBUG
    case urlSession
    #endif

    /// A separate transport for a test.
    package func make(_ settings: ConnectionSettings = ConnectionSettings()) -> any HTTPTransport {
        switch self {
        #if Drivers
        case .curl: CurlTransport(settings)
        #endif
        #if !Drivers || DEBUG
        case .urlSession: URLSessionTransport(settings)
        #endif
        }
    }

    /// Whether it is URLSession, which provides less information in swift-corelibs-foundation.
    package var isURLSession: Bool {
        #if !Drivers || DEBUG
        self == .urlSession
        #else
        false
        #endif
    }
}
#endif
