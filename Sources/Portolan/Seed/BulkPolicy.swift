import PortolanFetch
import PortolanWeb

/// Providers whose terms forbid fetching tiles in bulk for later use, as far as is known here: the one list there is.
public enum BulkPolicy {
    /// One provider.
    public struct Refusal: Hashable, Sendable, CustomStringConvertible {
        /// The host, or the end of it that its servers have in common.
        public let host: String
        /// What its terms say.
        public let reason: String
        /// What to do instead.
        public let advice: String

        /// Both in one line.
        public var description: String { "\(host): \(reason); \(advice)" }
    }

    private static let own = "use your own server, or a provider whose terms allow it"

    /// The providers.
    public static let refusals = [
        Refusal(
            host: "openstreetmap.org",
            reason:
                "its tile usage policy (operations.osmfoundation.org/policies/tiles) forbids downloading in bulk and "
                + "tile archives", advice: "the data are free: render them yourself, or " + own),
        Refusal(
            host: "osm.org", reason: "these are servers of OpenStreetMap, whose policy forbids downloading in bulk",
            advice: "the data are free: render them yourself, or " + own),
        Refusal(
            host: "google.com", reason: "its terms forbid keeping and downloading map tiles in bulk", advice: own),
        Refusal(
            host: "googleapis.com", reason: "its terms forbid keeping and downloading map tiles in bulk", advice: own),
        Refusal(
            host: "virtualearth.net", reason: "the terms of Bing Maps forbid keeping and downloading tiles in bulk",
            advice: own),
        Refusal(
            host: "mapbox.com", reason: "its terms forbid downloading tiles in bulk outside its own software",
            advice: "use its offline product, or " + own),
    ]

    /// Why tiles must not be fetched in bulk from an address, or `nil` when nothing is known against it.
    public static func refusal(of url: String) -> Refusal? {
        // A dot at the end names the same host.
        guard var host = URLParts(url)?.host else { return nil }
        while host.hasSuffix(".") { host.removeLast() }
        return refusals.first { host == $0.host || host.hasSuffix("." + $0.host) }
    }
}
