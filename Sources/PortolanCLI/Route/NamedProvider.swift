package import Portolan
import PortolanFetch
package import PortolanRouting
import PortolanWeb

/// A routing provider by its notation: `osrm:URL`, `valhalla:URL`, `otp:URL` or `straight`.
package struct NamedProvider: Hashable, Sendable {
    private enum Kind: String { case osrm, valhalla, otp }

    private let kind: Kind?
    private let url: NamedURL

    /// Reads the notation.
    ///
    /// - Parameter option: the option, for messages.
    /// - Throws: ``CommandFailure`` with the expected notation.
    package init(_ text: String, option: String) throws(CommandFailure) {
        guard text != "straight" else {
            (kind, url) = (nil, "")
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        url = NamedURL(parts.count > 1 ? parts[1] : "", namedBy: .user)
        guard let address = URLParts(url.text), address.isHTTP, !address.host.isEmpty else {
            throw CommandFailure(
                .usage, "\(option) \(FetchError.redacted(text)): expected osrm:URL, valhalla:URL, otp:URL or straight")
        }
        kind = Kind(rawValue: parts[0])
        guard kind != nil else {
            throw CommandFailure(
                .usage, "\(option) \(parts[0]): unknown provider; available: osrm, valhalla, otp and straight")
        }
    }

    /// The supported modes of travel.
    package var modes: [TravelMode] {
        kind == .otp ? [.foot, .bicycle, .car, .transit] : [.foot, .bicycle, .car]
    }

    /// The provider.
    ///
    /// Straight lines are used if it does not respond.
    package func provider(_ configuration: RendererConfiguration, languageCode: String = "en") -> any RoutingProvider {
        let fetcher = configuration.fetcher(), headers = configuration.headers(for: url)
        let limits = configuration.timeouts
        switch kind {
        case .osrm:
            return FallbackProvider(OSRMProvider(url, fetcher: fetcher, headers: headers, timeouts: limits))
        case .valhalla:
            let language = languageCode == "es" ? "es-ES" : "en-US"
            return FallbackProvider(
                ValhallaProvider(url, fetcher: fetcher, headers: headers, timeouts: limits, language: language))
        case .otp: return FallbackProvider(OpenTripPlanner(url, fetcher: fetcher, headers: headers, timeouts: limits))
        case nil: return StraightLines()
        }
    }
}
