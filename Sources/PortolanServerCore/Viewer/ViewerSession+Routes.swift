import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRouteBook

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ViewerSession {
    /// Shows a whole route of the server's route book.
    ///
    /// - Throws: ``Problem`` if there is no such route.
    func show(route id: String) throws(Problem) {
        guard let book = offer.routes else { throw Problem(.notFound, "this server has no route book", key: "id") }
        let route: BookedRoute
        do throws(MapError) { route = try book.route(id) } catch {
            throw Problem(.notFound, "unknown route", key: "id")
        }
        do {
            if let name = routeLayers[id], facade.layer(named: name) != nil {
                try facade.fitFeatures(ofLayer: name)
                return
            }
            try checkRoom()
            let name = free(route.summary.name.isEmpty ? id : String(route.summary.name.prefix(100)))
            try facade.add(.route(route.collection, baseURL: route.baseURL, named: name))
            routeLayers[id] = name
            try facade.fitFeatures(ofLayer: name)
            if let place = route.selectedPlace?.identifier { try facade.selectFeature(id: place) }
        } catch let problem as Problem { throw problem } catch {
            throw Problem(.nothingToDraw, "cannot show the route: \(error)")
        }
    }

    /// The line in degrees for a simulated trip: that of the selected feature, or the first line of the topmost layer
    /// that has one.
    var lineToFollow: [Coordinate]? {
        if let chosen = facade.selectedGeometry, let line = Self.line(of: chosen, in: .crs84) { return line }
        for layer in facade.layers.reversed() where layer.isVisible && layer.name != Self.measurementLayer {
            for source in layer.featureSources {
                let geometries = source.features.lazy.prefix(10_000).compactMap(\.geometry)
                if let line = geometries.compactMap({ Self.line(of: $0, in: source.crs) }).first { return line }
            }
        }
        return nil
    }

    /// Returns the longest line of a geometry in degrees, or `nil` if it has none with valid coordinates.
    private static func line(of geometry: Geometry, in crs: CRS) -> [Coordinate]? {
        guard geometry.kind == .lineString || geometry.kind == .multiLineString,
            let longest = geometry.parts.max(by: { $0.count < $1.count }), longest.count > 1,
            let toDegrees = try? CoordinateTransform(from: crs, to: .crs84)
        else { return nil }
        let line = longest.compactMap { toDegrees($0) }
        let isOnEarth = line.count == longest.count && line.allSatisfy { $0.x.isFinite && $0.y.isFinite }
        return isOnEarth ? line : nil
    }

    /// Starts or stops a simulated trip along a line that the map follows.
    ///
    /// - Throws: ``Problem`` if there is no line.
    func simulate(_ isOn: Bool) throws(Problem) {
        simulation?.cancel()
        simulation = nil
        guard isOn else {
            facade.stopPosition(at: clock.now())
            return
        }
        guard let line = lineToFollow else {
            throw Problem(.nothingToDraw, "no line on the map to follow; choose one, or add a file with one")
        }
        let length = zip(line, line.dropFirst()).reduce(0.0) { $0 + GroundDistance.meters(from: $1.0, to: $1.1) }
        // The whole trip takes 90 seconds, but is not slower than walking pace.
        let positions = ReplayedPositions.along(
            line, metersPerSecond: max(length / 90, 1.4), every: .milliseconds(500), startingAt: Date())
        facade.startPosition(following: .follow, at: clock.now())
        simulation = Task { [weak self] in
            for await update in positions { await self?.go(update) }
            await self?.arrive()
        }
    }

    private func go(_ update: PositionUpdate) {
        // The simulation may have been stopped in the meantime.
        guard simulation?.isCancelled == false else { return }
        facade.handle(update, at: clock.now())
        note()
    }

    private func arrive() {
        guard simulation?.isCancelled == false else { return }
        simulation = nil
        changeState()
    }
}
