#if PROJ
import PortolanGeo
import Synchronization

/// The transformation between WGS 84 and a system with PROJ.
struct PROJProjection: MapProjection {
    private let transforms: TransformPool

    init(_ source: PROJSource, _ definition: PROJDefinition) {
        transforms = TransformPool(source, definition)
    }

    var domain: ProjectionDomain { transforms.domain }

    func forward(_ geographic: Coordinate) -> Coordinate? {
        guard domain.contains(geographic) else { return nil }
        return transforms.use { $0.project(Coordinate(x: geographic.x.inOneTurn, y: geographic.y)) }
    }

    func inverse(_ projected: Coordinate) -> Coordinate? {
        guard let place = transforms.use({ $0.unproject(projected) }), domain.contains(place) else { return nil }
        return place
    }

    func project(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
        let domain = domain
        replaceAll(&x, &y) { transform, place in
            guard place.isFinite, abs(place.y) <= 90, domain.contains(place) else { return nil }
            return transform.project(Coordinate(x: place.x.inOneTurn, y: place.y))
        }
    }

    func unproject(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
        let domain = domain
        replaceAll(&x, &y) { transform, place in
            guard place.isFinite, let image = transform.unproject(place), domain.contains(image) else { return nil }
            return image
        }
    }

    /// Transforms all coordinates with one transform.
    private func replaceAll(
        _ x: inout MutableSpan<Double>, _ y: inout MutableSpan<Double>,
        _ image: (PROJTransform, Coordinate) -> Coordinate?
    ) {
        precondition(x.count == y.count, "columns of one length")
        let transform = transforms.take()
        defer { transforms.giveBack(transform) }
        for index in x.indices {
            let place = transform.flatMap { image($0, Coordinate(x: x[index], y: y[index])) }
            x[index] = place?.x ?? .nan
            y[index] = place?.y ?? .nan
        }
    }

    static func == (left: PROJProjection, right: PROJProjection) -> Bool {
        left.transforms.source == right.transforms.source
    }

    func hash(into hasher: inout Hasher) { hasher.combine(transforms.source) }
}

extension ProjectionDomain {
    /// Returns whether a coordinate is inside, or at the edge apart from rounding.
    fileprivate func contains(_ place: Coordinate) -> Bool {
        guard case .box(let meridian?, let halfWidth, let latitudes) = self else { return true }
        let slack = 1e-6
        return abs((place.x - meridian).inOneTurn) <= halfWidth + slack && place.y >= latitudes.lowerBound - slack
            && place.y <= latitudes.upperBound + slack
    }
}

extension Double {
    /// The longitude from -180 to 180.
    fileprivate var inOneTurn: Double { abs(self) <= 180 ? self : remainder(dividingBy: 360) }
}

/// The unused transforms of a system, created as needed.
private final class TransformPool: Sendable {
    private enum Domain: Sendable {
        case unknown
        case known(ProjectionDomain)
    }

    let source: PROJSource
    private let definition: PROJDefinition
    private let idle = Mutex<[PROJTransform]>([])
    private let measured = Mutex(Domain.unknown)
    private let idleLimit = 16

    init(_ source: PROJSource, _ definition: PROJDefinition) {
        self.source = source
        self.definition = definition
    }

    /// Returns a transform for the calling thread, or `nil` if PROJ has none.
    func take() -> PROJTransform? { idle.withLock { $0.popLast() } ?? PROJContext().transform(to: source) }

    func giveBack(_ transform: PROJTransform?) {
        guard let transform else { return }
        idle.withLock { idle in
            if idle.count < idleLimit { idle.append(transform) }
        }
    }

    func use(_ work: (PROJTransform) -> Coordinate?) -> Coordinate? {
        guard let transform = take() else { return nil }
        defer { giveBack(transform) }
        return work(transform)
    }

    /// The largest of several candidate boxes around the area of use in which transforming forth and back reproduces
    /// all test points.
    var domain: ProjectionDomain {
        measured.withLock { measured in
            if case .known(let domain) = measured { return domain }
            let transform = take()
            defer { giveBack(transform) }
            let domain = transform.map { definition.domain(by: $0) } ?? .everywhere
            measured = .known(domain)
            return domain
        }
    }
}

extension PROJDefinition {
    /// The candidate boxes, the largest first.
    ///
    /// Whether a projection ends at a meridian or near a pole can only be found by trying.
    private var boxes: [(meridian: Double, halfWidth: Double, latitudes: ClosedRange<Double>)] {
        let meridian = centralMeridian ?? area.middle
        // At the exact edge, rounding would decide on which side of the map a coordinate is.
        let whole = 180 - 1e-7
        var boxes = [
            (meridian, whole, -90.0...90.0), (meridian, whole, -89.9...89.9), (meridian, whole, -85.0...85.0),
            (meridian, 90, -90...90), (meridian, 90, -85...85),
        ]
        for margin in [30.0, 15, 5, 1, 0] {
            boxes.append(
                (
                    area.middle, min(area.halfWidth + margin, whole),
                    max(area.latitudes.lowerBound - margin, -90)...min(area.latitudes.upperBound + margin, 90)
                ))
        }
        return boxes
    }

    fileprivate func domain(by transform: PROJTransform) -> ProjectionDomain {
        let steps = 16
        for box in boxes where box.halfWidth > 0 && box.latitudes.lowerBound < box.latitudes.upperBound {
            let height = box.latitudes.upperBound - box.latitudes.lowerBound
            let comesBack = (0...steps).allSatisfy { row in
                let latitude = box.latitudes.lowerBound + height * Double(row) / Double(steps)
                return (0...steps).allSatisfy { column in
                    let offset = box.halfWidth * (2 * Double(column) / Double(steps) - 1)
                    let place = Coordinate(x: (box.meridian + offset).inOneTurn, y: latitude)
                    // Steps for the scale stay inside the box.
                    let step = (x: offset < 0 ? 1e-3 : -1e-3, y: 2 * row < steps ? 1e-3 : -1e-3)
                    return Self.comesBack(place, by: transform) && isOrderly(at: place, step, by: transform)
                }
            }
            if comesBack { return .box(meridian: box.meridian, halfWidth: box.halfWidth, latitudes: box.latitudes) }
        }
        return .everywhere
    }

    /// Returns whether east, north and lengths along the meridian are plausible: a polynomial gives arbitrary results
    /// far from its area.
    private func isOrderly(at place: Coordinate, _ step: (x: Double, y: Double), by transform: PROJTransform) -> Bool {
        guard abs(place.y) < 85 else { return true }
        guard let here = transform.project(place),
            let beside = transform.project(Coordinate(x: (place.x + step.x).inOneTurn, y: place.y)),
            let above = transform.project(Coordinate(x: place.x, y: place.y + step.y))
        else { return false }
        let east = ((beside.x - here.x) / step.x, (beside.y - here.y) / step.x)
        let north = ((above.x - here.x) / step.y, (above.y - here.y) / step.y)
        let length = (north.0 * north.0 + north.1 * north.1).squareRoot() * unit.metersPerUnit
        let scale = length / CRS.Unit.degree.metersPerUnit
        return east.0 * north.1 - east.1 * north.0 > 0 && (0.05...20).contains(scale)
    }

    private static func comesBack(_ place: Coordinate, by transform: PROJTransform) -> Bool {
        guard let there = transform.project(place), let back = transform.unproject(there) else { return false }
        // Datum operations differ by metres between coordinates; at a pole all longitudes are equal.
        let limit = 1e-3
        let east = abs((back.x - place.x).inOneTurn)
        return abs(back.y - place.y) < limit && (east < limit || 90 - abs(place.y) < limit)
    }
}
#endif
