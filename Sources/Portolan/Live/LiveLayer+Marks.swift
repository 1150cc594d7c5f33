package import PortolanFeatures
package import PortolanGeo
package import PortolanPlan
import PortolanRaster

extension LiveLayer {
    /// A moving object for a client that draws it: its style, and its way until it rests.
    package struct Mark: Sendable {
        /// The properties that determine how an object looks and moves; the current position is not one of them.
        package struct Identity: Hashable, Sendable {
            let kind: String?
            let label: String
            let heading: Double?
            let isStale: Bool
            let end: Coordinate
            let endTime: Double
        }

        /// The identifier of the object.
        package let id: Feature.ID
        /// The kind, which selects the badge.
        package let kind: String?
        /// The label, or an empty text.
        package let label: String
        /// The heading on a picture with north up, in degrees clockwise from up, or `nil` if it is unknown.
        package let heading: Double?
        /// Whether its last report is old.
        package let isStale: Bool
        /// The longitudes and latitudes at equal intervals of time, from now until it rests.
        package let places: [Coordinate]
        /// The time until it rests, in seconds.
        package let seconds: Double
        /// The same as before if the object moves on as announced.
        package let identity: Identity
    }

    /// The maximum number of intervals in the way of a mark.
    private static let intervalLimit = 12

    /// Returns the objects in a view in drawing order, at ``LiveLayer/time``.
    ///
    /// - Throws: `PlanError` if the view cannot be transformed to degrees.
    /// - Complexity: O(objects near the view · log of their number).
    package func marks(in viewport: Viewport) throws(PlanError) -> [Mark] {
        let picture = try LivePicture(self, in: viewport), now = picture.now
        return picture.seen.map { seen in
            let entry = seen.entry, motion = entry.movement.motion
            let isStale = entry.time <= now - settings.staleSeconds
            let label = style.label?.text(for: entry.properties) ?? ""
            return Mark(
                id: entry.object.id, kind: entry.object.kind, label: label,
                heading: picture.direction(of: entry, at: seen.place).map { $0 + viewport.rotation }, isStale: isStale,
                places: motion.places(from: now, limit: Self.intervalLimit), seconds: max(motion.endTime - now, 0),
                identity: Mark.Identity(
                    kind: entry.object.kind, label: label, heading: entry.object.heading, isStale: isStale,
                    end: motion.end, endTime: motion.endTime))
        }
    }

    /// Returns the colour of the badges of a kind, and whether dark text is legible on it.
    package func badgeColor(of kind: String?) -> (color: MapColor, isLight: Bool) {
        let color = style.badge(of: kind).color
        return (color, color.isLight)
    }

    /// Returns a layer with the badge of a kind at a coordinate, without its label, for a client that draws marks.
    ///
    /// - Parameter direction: the direction of the beak on the picture in degrees clockwise from up, or `nil` for none.
    package func badge(of kind: String?, direction: Double?, isStale: Bool, at place: Coordinate) -> MapLayer {
        var style = style.style(
            of: Appearance.Look(kind: kind, direction: self.style.direction(direction), isStale: isStale))
        style.label = nil
        var source = FeatureSource(features: [])
        source.append(Feature(geometry: .point(place)), style: style)
        return MapLayer(name: "badge", source: source, opacity: isStale ? self.style.staleOpacity : 1)
    }
}
