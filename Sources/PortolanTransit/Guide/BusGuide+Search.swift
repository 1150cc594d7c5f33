public import PortolanBeacons
import PortolanRouting

extension BusGuide {
    /// A search result.
    public enum Found: Hashable, Sendable {
        /// A cooperative, as an index into ``BusGuide/cooperatives``.
        case cooperative(Int)
        /// A route, as an index into ``BusGuide/routes``.
        case route(Int)
        /// A stop, as an index into ``BusGuide/stops``.
        case stop(Int)
    }

    /// Returns the cooperatives, routes and stops whose name matches a text, ignoring case and accents.
    ///
    /// Exact names come first, then names that begin with the text, then names with a word that begins with it. Ties
    /// are ordered by cooperatives, routes and stops.
    ///
    /// - Parameter limit: the maximum number of results.
    /// - Complexity: O(names).
    public func search(_ text: String, limit: Int = 20) -> [Found] {
        let wanted = PlainName.of(String(text.prefix(200)))
        guard !wanted.isEmpty, limit > 0 else { return [] }
        let kinds: [([String], (Int) -> Found)] = [
            (plainNames.cooperatives, Found.cooperative), (plainNames.routes, Found.route),
            (plainNames.stops, Found.stop),
        ]
        var found: [(rank: Int, kind: Int, index: Int)] = []
        for (kind, (names, _)) in kinds.enumerated() {
            for (index, name) in names.enumerated() {
                if let rank = Self.rank(name, wanted) { found.append((rank, kind, index)) }
            }
        }
        found.sort { $0 < $1 }
        return found.prefix(limit).map { kinds[$0.kind].1($0.index) }
    }

    /// Returns the cooperatives whose name contains a text, or all of them for an empty text.
    public func cooperatives(named text: String) -> [Cooperative] {
        let wanted = PlainName.of(String(text.prefix(200)))
        guard !wanted.isEmpty else { return cooperatives }
        return cooperatives.indices.filter { plainNames.cooperatives[$0].contains(wanted) }.map { cooperatives[$0] }
    }

    private static func rank(_ name: String, _ wanted: String) -> Int? {
        if name == wanted { return 0 }
        if name.hasPrefix(wanted) { return 1 }
        return name.contains(" " + wanted) ? 2 : nil
    }

    /// A stop identified by its code or its beacon.
    public struct Detection: Hashable, Sendable {
        /// The source of a detection.
        public enum Source: String, Hashable, Sendable {
            /// The QR code at the stop.
            case code = "QR"
            /// The beacon at the stop.
            case beacon
        }

        /// The stop.
        public var stop: Stop
        /// The routes that serve the stop, by name.
        public var routes: [Route]
        /// The source of the detection.
        public var source: Source
    }

    /// Returns the stop of a scanned code, with its routes.
    ///
    /// - Throws: ``BusGuide/ParseError/unknownStop(_:)``.
    public func detection(of code: StopCode) throws(BusGuide.ParseError) -> Detection {
        let index: Int? =
            switch code {
            case .stop(let id): stop(id: id)
            case .beacon(let identity): stop(beacon: identity)
            }
        guard let index else { throw .unknownStop(code) }
        return Detection(stop: stops[index], routes: routes(at: index), source: .code)
    }

    /// Returns the stop of a nearby beacon, with its routes.
    ///
    /// - Throws: ``BusGuide/ParseError/unknownStop(_:)``.
    public func detection(of beacon: BeaconAdvertisement.Identity) throws(BusGuide.ParseError) -> Detection {
        guard let index = stop(beacon: beacon) else { throw .unknownStop(.beacon(beacon)) }
        return Detection(stop: stops[index], routes: routes(at: index), source: .beacon)
    }
}
