/// The HTTP transport that suits this platform: libcurl on Linux, URLSession on Apple platforms.
///
/// Make one for a process and share it: it holds the open connections.
///
/// - Parameter userAgent: what it sends as `User-Agent` where a request has none.
public func systemTransport(userAgent: String = UserAgent.standard) -> any HTTPTransport {
    systemTransport(ConnectionSettings(userAgent: userAgent))
}

/// The HTTP transport that suits this platform, with settings.
public func systemTransport(_ settings: ConnectionSettings) -> any HTTPTransport {
    #if canImport(Darwin)
    URLSessionTransport(userAgent: settings.userAgent)
    #else
    CurlTransport(settings)
    #endif
}
