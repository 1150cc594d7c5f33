public import PortolanBeacons
import PortolanRouting

extension BusGuide {
    /// What a search finds.
    public enum Found: Hashable, Sendable {
        /// A cooperative, as an index of ``BusGuide/cooperatives``.
        case cooperative(Int)
        /// A route, as an index of ``BusGuide/routes``.
        case route(Int)
        /// A stop, as an index of ``BusGuide/stops``.
        case stop(Int)
    }

    /// What has a name like a text, without regard to case and accents: names that are the text, then those that begin with it, then
    /// those with a word that does; of equals cooperatives first, then routes, then stops.
    ///
    /// - Parameter limit: the most that are wanted.
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

    /// The cooperatives of a name; all of them when there is no text.
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

    /// A stop at which the person is, as a code or a beacon told.
    public struct Detection: Hashable, Sendable {
        /// What told it.
        public enum Source: String, Hashable, Sendable {
            /// The code at the stop.
            case code = "QR"
            /// The beacon at the stop.
            case beacon
        }

        /// The stop.
        public var stop: Stop
        /// The routes that stop there, by name.
        public var routes: [Route]
        /// What told it.
        public var source: Source
    }

    /// The stop of a code that was scanned, with its routes.
    ///
    /// - Throws: ``BusGuideError/unknownStop(_:)``.
    public func detection(of code: StopCode) throws(BusGuideError) -> Detection {
        let index: Int? =
            switch code {
            case .stop(let id): stop(id: id)
            case .beacon(let identity): stop(beacon: identity)
            }
        guard let index else { throw .unknownStop(code) }
        return Detection(stop: stops[index], routes: routes(at: index), source: .code)
    }

    /// The stop of a beacon that is near, with its routes.
    ///
    /// - Throws: ``BusGuideError/unknownStop(_:)``.
    public func detection(of beacon: BeaconIdentity) throws(BusGuideError) -> Detection {
        guard let index = stop(beacon: beacon) else { throw .unknownStop(.beacon(beacon)) }
        return Detection(stop: stops[index], routes: routes(at: index), source: .beacon)
    }
}
