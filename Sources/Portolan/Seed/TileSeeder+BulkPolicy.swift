import PortolanFetch
import PortolanWeb

extension TileSeeder {
    /// The known providers whose terms forbid bulk downloads of tiles.
    ///
    /// This is the only such list.
    public enum BulkPolicy {
        /// One provider.
        public struct Refusal: Hashable, Sendable, CustomStringConvertible {
            /// The host, or the common suffix of its servers.
            public let host: String
            /// The rule in its terms.
            public let reason: String
            /// The recommended alternative.
            public let advice: String

            /// All in one line.
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
                host: "googleapis.com", reason: "its terms forbid keeping and downloading map tiles in bulk",
                advice: own),
            Refusal(
                host: "virtualearth.net", reason: "the terms of Bing Maps forbid keeping and downloading tiles in bulk",
                advice: own),
            Refusal(
                host: "mapbox.com", reason: "its terms forbid downloading tiles in bulk outside its own software",
                advice: "use its offline product, or " + own),
        ]

        /// Returns the refusal for a URL, or `nil` if no rule is known.
        ///
        /// ```swift
        /// if let refusal = BulkPolicy.refusal(of: "https://tile.openstreetmap.org/{z}/{x}/{y}.png") {
        ///     print(refusal.reason)
        /// }
        /// ```
        public static func refusal(of url: String) -> Refusal? {
            // A trailing dot names the same host.
            guard var host = URLParts(url)?.host else { return nil }
            while host.hasSuffix(".") { host.removeLast() }
            return refusals.first { host == $0.host || host.hasSuffix("." + $0.host) }
        }
    }
}
