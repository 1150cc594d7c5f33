/// The longest sides of images that services were found to draw, by their addresses for maps.
///
/// Services that state no limit tell it by refusing what is larger; what one picture found serves the next.
package struct ServiceSizes: Hashable, Sendable {
    private var sides: [String: Int] = [:]

    /// Nothing is known yet.
    package init() {}

    /// The longest side of an image that a service draws, in pixels, or `nil` where nothing is known.
    package subscript(service: String) -> Int? { sides[service] }

    /// Notes the longest side that a service draws; the shortest of those noted counts.
    package mutating func note(_ side: Int, of service: String) {
        sides[service] = min(side, sides[service] ?? side)
    }

    /// Notes all that others have found.
    package mutating func merge(_ other: ServiceSizes) {
        for (service, side) in other.sides { note(side, of: service) }
    }
}
