import PortolanCodecs
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanVectorTiles

/// An image or document in memory, and the time for which it may be used without a request.
struct CachedContent: Sendable {
    let content: ResourceLoader.Content
    /// The arrival time and the end of freshness, in seconds since 1970.
    let arrival: Int
    let freshUntil: Int
    /// Whether it may be used after that if there is no newer version.
    let mayStandIn: Bool
    /// The origin to report if it was stale at arrival, otherwise `nil`.
    let staleOrigin: ResourceLoader.Origin?
    /// The dependencies of the content.
    let validity: ContentValidity

    /// Returns whether it may be used without a request at a time.
    ///
    /// An arrival in the future means that the clock was set back.
    func isFresh(at now: Int) -> Bool { arrival <= now && now < freshUntil && validity.holds(at: now) }

    /// Returns whether it has the form that a resource requires.
    ///
    /// An image needs enough pixels for the required size, or all its original pixels.
    func suits(_ resource: Resource) -> Bool {
        if case .nothing(let status) = content { return resource.isEmpty(at: status) }
        guard case .image(let image, let naturalSize) = content else {
            switch content {
            case .document: return resource.form == .document
            case .vectorTile(let tile):
                guard case .vectorTile(let reading) = resource.form else { return false }
                return tile.encoding == reading.encoding && tile.selection.contains(reading.selection)
            case .elevations(let tile): return resource.form == .elevations(tile.reading)
            case .image, .stored, .nothing: return false
            }
        }
        guard resource.form == .image else { return false }
        guard image.size != naturalSize else { return true }
        guard let size = resource.size else { return false }
        return (ImageReduction.target(for: naturalSize, shownIn: size) ?? naturalSize).width <= image.width
    }

    /// The size in memory in bytes.
    var byteCount: Int {
        switch content {
        case .image(let image, _): image.byteCount
        case .stored, .nothing: 0
        case .document(let bytes, _): bytes.count
        case .vectorTile(let tile): tile.byteCount
        case .elevations(let tile): tile.values.byteCount
        }
    }
}
