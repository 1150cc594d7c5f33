import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ViewerSession {
    /// Performs a command.
    ///
    /// - Throws: ``Problem`` if it fails.
    func perform(_ command: ViewerCommand) throws(Problem) {
        do { try performNow(command) } catch let problem as Problem { throw problem } catch {
            throw Problem(.nothingToDraw, "\(error)")
        }
        changeState()
    }

    private func performNow(_ command: ViewerCommand) throws {
        let now = clock.now()
        switch command {
        case .back: facade.goBack(at: now)
        case .forward: facade.goForward(at: now)
        case .deselect: facade.deselect()
        case .select(let id):
            try facade.selectFeature(id: id)
            showSelected()
        case .layer(let name, let isVisible, let opacity, let isMovedUp):
            try facade.updateLayer(named: name) { layer in
                layer.isVisible = isVisible ?? layer.isVisible
                layer.opacity = opacity ?? layer.opacity
            }
            if let isMovedUp { try move(name, isUp: isMovedUp) }
        case .remove(let name): _ = facade.removeLayer(named: name)
        case .show(let place, let zoom, let bearing, let isFlown):
            if isFlown {
                try facade.fly(to: place, zoom: zoom, at: now)
            } else {
                try facade.center(on: place, zoom: zoom)
            }
            if let bearing { try facade.rotate(to: bearing) }
        case .resize(let size):
            try resize(to: size)
        case .position(let place, let accuracy, let course):
            if facade.position.phase == .off { facade.startPosition(at: now) }
            let fix = PositionFix(place: place, time: Date(), accuracy: accuracy, course: course)
            facade.handle(.fix(fix), at: now)
        case .follow(let isOn): facade.follow(isOn ? .follow : .none, at: now)
        case .stopPosition: facade.stopPosition(at: now)
        case .simulate(let isOn): try simulate(isOn)
        case .route(let id): try show(route: id)
        case .measure(let command): try measure(command)
        case .plan(let command): try plan(command)
        case .transit(let command): try show(command)
        }
    }

    /// Moves a layer one position up or down.
    private func move(_ name: String, isUp: Bool) throws {
        let names = facade.layers.map(\.name).filter { $0 != MapFacade.vectorLayerName }
        guard let place = names.firstIndex(of: name) else { throw MapError.noSuchLayer(name) }
        if isUp, place + 1 < names.count {
            try facade.moveLayer(named: name, to: .above(names[place + 1]))
        } else if !isUp, place > 0 {
            try facade.moveLayer(named: name, to: .below(names[place - 1]))
        }
    }

    /// Adds the features of an uploaded file as a new layer.
    ///
    /// Images named in the file are not fetched, because its sender is not trusted.
    ///
    /// - Parameter isShown: whether the map then shows the whole layer.
    /// - Throws: ``Problem`` if the file cannot be read, or has no features to show.
    func add(_ document: [UInt8], named file: String, isShown: Bool) throws(Problem) {
        try checkRoom()
        guard map.renderer.featureFormats.format(recognizing: document) != nil else {
            throw Problem(
                .badRequest,
                "\(file) is none of GeoJSON, KML, KMZ, GPX, GML, CSV with coordinates, zipped Shapefile, FlatGeobuf, "
                    + "GeoParquet or OSM data")
        }
        do {
            var collection = try map.renderer.featureFormats.read(
                document, limits: FeatureLimits(memory: share.memory))
            guard collection.features.count <= Self.featureLimit else {
                throw Problem(.bodyTooLarge, "the file has more than \(Self.featureLimit) features")
            }
            for index in collection.features.indices { collection.features[index].properties["icon"] = nil }
            let nowhere = BaseURL("https://stranger.invalid/", contents: Self.stranger)
            let name = free(file.isEmpty ? "file" : String(file.prefix(100)))
            try facade.add(MapLayer(name: name, source: FeatureSource(collection, baseURL: nowhere)))
            do { if isShown { try facade.fitFeatures(ofLayer: name) } } catch {
                facade.removeLayer(named: name)
                throw error
            }
        } catch let problem as Problem { throw problem } catch { throw Problem(.badRequest, "\(file): \(error)") }
        changeState()
    }

    /// The maximum number of features in a file.
    private static let featureLimit = 100_000
    /// The origin of content that users add: a host that can never exist (RFC 2606, section 2).
    static let stranger = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "stranger.invalid", network: .global))

    /// Checks that another layer can be added.
    func checkRoom() throws(Problem) {
        guard facade.layers.count < map.layers.count + limits.layers else {
            throw Problem(
                .bodyTooLarge, "at most \(limits.layers) layers can be added; remove one first", key: "name")
        }
    }

    /// Returns a name that no layer has.
    func free(_ name: String) -> String {
        var candidate = name, number = 2
        while facade.layer(named: candidate) != nil || candidate == MapFacade.vectorLayerName {
            candidate = "\(name) (\(number))"
            number += 1
        }
        return candidate
    }
}
