public import PortolanFeatures
import PortolanFetch
public import PortolanPlan
import PortolanWeb
import Synchronization

/// Something that happened to a map, for an app to react to.
public enum MapEvent: Equatable, Sendable {
    /// A layer was drawn, whole or with something missing.
    case layerLoaded(name: String, isComplete: Bool)
    /// The server of a layer can no longer be reached; said once, until it can.
    case connectionLost(layer: String, detail: String)
    /// The server of a layer can be reached again; draw the map to see it.
    ///
    /// While someone listens, a server that was lost is asked for one image now and then: after 1 s, then half as often
    /// each time, down to once a minute.
    case connectionRestored(layer: String)
    /// A feature was touched.
    case featureTouched(layer: String, feature: Feature)
    /// Another feature is selected, or, with `nil`, none.
    case selectionChanged(Feature?)
    /// Something is known of the position, or of how the map follows it; wakes and moves of the map are not told.
    case position(PositionControl.Action)
    /// Another object of a live layer is followed, or, with `nil`, none any more.
    case followedObjectChanged(FeatureID?)
    /// The view has changed.
    case viewportChanged(Viewport)
}

/// Tells listeners what happens to a map, and keeps in mind which connections are lost.
final class MapEventBroadcaster: Sendable {
    private let listeners = Listeners<MapEvent>()
    /// A resource that could not be reached, for each layer.
    private let lost = Mutex<[String: Resource]>([:])

    /// A stream of what is told from now on; who falls behind keeps the newest 256 events.
    func events() -> AsyncStream<MapEvent> { listeners.stream(keeping: 256).stream }

    func broadcast(_ event: MapEvent) { listeners.tell(event) }

    /// A layer's server could not be reached; told unless it has been.
    func lose(layer: String, _ connection: MapRenderer.LostConnection) {
        let isNew = lost.withLock { $0.updateValue(connection.resource, forKey: layer) == nil }
        if isNew { broadcast(.connectionLost(layer: layer, detail: connection.detail)) }
    }

    /// A layer's server has answered; told if it was lost.
    func restore(layer: String) {
        let wasLost = lost.withLock { $0.removeValue(forKey: layer) != nil }
        if wasLost { broadcast(.connectionRestored(layer: layer)) }
    }

    /// Whether a connection is lost and someone wants to know when it is back.
    var isWatching: Bool { !lost.withLock(\.isEmpty) && !listeners.isEmpty }

    /// The servers that are lost: the layers of each, and a resource to try it with.
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

    /// Ends all streams.
    func finish() { listeners.finish() }
}
