public import PortolanFeatures
import PortolanFetch
public import PortolanPlan
import PortolanWeb
import Synchronization

extension MapFacade {
    /// An event of a map, for an app to react to.
    public enum Event: Equatable, Sendable {
        /// A layer was drawn, completely or with missing parts.
        case layerLoaded(name: String, isComplete: Bool)
        /// The server of a layer can no longer be reached.
        ///
        /// Reported once until it can be reached again.
        case connectionLost(layer: String, detail: String)
        /// The server of a layer can be reached again.
        ///
        /// Draw the map to show it.
        ///
        /// While there are listeners, one image is requested from a lost server at intervals that double from 1 s to at
        /// most a minute.
        case connectionRestored(layer: String)
        /// A feature was touched.
        case featureTouched(layer: String, feature: Feature)
        /// Another feature was selected; `nil` if the selection was cleared.
        case selectionChanged(Feature?)
        /// The position, its accuracy or the follow mode changed.
        ///
        /// Wake-ups and map moves are not reported.
        case position(PositionControl.Action)
        /// Another object of a live layer is followed; `nil` if following ended.
        case followedObjectChanged(Feature.ID?)
        /// The view changed.
        case viewportChanged(Viewport)
    }
}

/// Reports events of a map to listeners, and records lost connections.
final class MapEventBroadcaster: Sendable {
    private let listeners = Listeners<MapFacade.Event>()
    /// A resource that could not be reached, for each layer.
    private let lost = Mutex<[String: Resource]>([:])

    /// Returns a stream of future events.
    ///
    /// For a slow listener, the newest 256 events are buffered.
    func events() -> AsyncStream<MapFacade.Event> { listeners.stream(keeping: 256).stream }

    func broadcast(_ event: MapFacade.Event) { listeners.tell(event) }

    /// Records that the server of a layer could not be reached, and reports the first failure.
    func lose(layer: String, _ connection: MapRenderer.LostConnection) {
        let isNew = lost.withLock { $0.updateValue(connection.resource, forKey: layer) == nil }
        if isNew { broadcast(.connectionLost(layer: layer, detail: connection.detail)) }
    }

    /// Records that the server of a layer answered, and reports it if it was lost.
    func restore(layer: String) {
        let wasLost = lost.withLock { $0.removeValue(forKey: layer) != nil }
        if wasLost { broadcast(.connectionRestored(layer: layer)) }
    }

    /// Whether there are lost connections and listeners for their recovery.
    var isWatching: Bool { !lost.withLock(\.isEmpty) && !listeners.isEmpty }

    /// The lost servers: the layers of each, and a resource to probe it with.
    var lostServers: [(layers: [String], resource: Resource)] {
        let lost = lost.withLock(\.self).sorted { $0.key < $1.key }
        let servers = Dictionary(grouping: lost) { layer in
            let address = layer.value.location.description
            return URLParts(address)?.origin ?? address
        }
        return servers.sorted { $0.key < $1.key }.compactMap { server in
            server.value.first.map { (server.value.map(\.key), $0.value) }
        }
    }

    /// Finishes all streams.
    func finish() { listeners.finish() }
}
