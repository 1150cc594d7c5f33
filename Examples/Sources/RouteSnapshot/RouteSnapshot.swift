import ArgumentParser
import Foundation
import HelsinkiFixtures
import Portolan

/// Draws a picture of a route: over tiles and a map service, with its places, one of them selected, and a bar of facts.
@main
struct RouteSnapshot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws a route over a WMS-C and a WMS into a picture.",
        discussion: """
            EXAMPLES
              RouteSnapshot --demo
              RouteSnapshot route.geojson --tiles https://example.org/service --tile-layer base \\
                --wms https://example.org/wms --wms-layer labels --select poi03 --output route.png
            """)

    @Argument(help: "The route, a GeoJSON file.")
    var route: String?

    @Flag(help: "Draw the walk through Helsinki from recorded services, without the network.")
    var demo = false

    @Option(help: "The address of a WMS with tile sets.")
    var tiles: String?

    @Option(help: "The layer of the tiles.")
    var tileLayer = "base"

    @Option(help: "The address of a WMS to draw over the tiles.")
    var wms: String?

    @Option(help: "The layer of that WMS.")
    var wmsLayer = "labels"

    @Option(help: "The identifier of the place to select; the first one when it is not given.")
    var select: String?

    @Option(help: "The bearing that points up, in degrees.")
    var rotation: Double?

    @Option(help: "Width and height, as 1024x768.")
    var size = "1024x768"

    @Option(name: [.short, .long], help: "The picture.")
    var output = "route.png"

    func run() async throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { throw ValidationError("--size \(size) is not of the form 1024x768") }
        let map =
            demo
            ? try await demonstration(width: sides[0], height: sides[1])
            : try await ownRoute(width: sides[0], height: sides[1])
        if let select {
            try map.selectFeature(id: .string(select))
        } else {
            map.selectNext()
        }
        map.options.infoBar = infoBar(of: map)
        let picture = try await map.refresh()
        try picture.writePNG(to: output)
        for layer in picture.report.layers {
            for failure in layer.failed { print("missing: \(layer.name): \(failure.resource): \(failure.error)") }
        }
        print(URL(filePath: output).path)
        guard picture.report.complete else { throw ExitCode(3) }
    }

    /// The user's route over the user's services.
    private func ownRoute(width: Int, height: Int) async throws -> MapFacade {
        guard let route else { throw ValidationError("give a route, or --demo") }
        let map = try MapFacade(width: width, height: height)
        if let tiles { try await map.addTileSet(tiles, layers: [tileLayer]) }
        if let wms { try await map.addWMS(wms, layers: [wmsLayer]) }
        try map.rotate(to: rotation ?? 0)
        try await addRoute(route, to: map)
        return map
    }

    /// The walk through Helsinki over what was recorded.
    private func demonstration(width: Int, height: Int) async throws -> MapFacade {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures")
            .standardizedFileURL
        var configuration = RendererConfiguration()
        configuration.fontFiles = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"].map {
            fixtures.appending(path: "fonts/\($0)").path
        }
        // With its own fonts the picture is the same on every machine.
        configuration.usesSystemFonts = false
        let services = RecordedServices(folder: fixtures.appending(path: "helsinki"))
        let renderer = MapRenderer(configuration: configuration, transport: services)
        let map = try MapFacade(width: width, height: height, renderer: renderer)
        try await map.addTileSet(RecordedServices.tileService, layers: ["base"])
        func features(_ name: String) async throws -> FeatureCollection {
            let url = fixtures.appending(path: "helsinki/\(name).geojson").absoluteString
            return try GeoJSONReader.read(bytes: await map.services.data(at: url))
        }
        for layer in CityLayers.streets(try await features("streets")) { try map.add(layer) }
        try map.add(CityLayers.railways(try await features("rail")))
        try await map.addWMS(RecordedServices.mapService, layers: ["transit"])
        // The walk runs from north to south; turned by a quarter it fills the picture.
        try map.rotate(to: rotation ?? 270)
        map.options.showsNorthArrow = true
        try await addRoute(fixtures.appending(path: "routes/helsinki-walk.geojson").path, to: map)
        // The extent whose map was recorded: 3.2 m a pixel.
        if let extent = Extent(minX: 2_775_631, minY: 8_436_409.6, maxX: 2_778_088.6, maxY: 8_439_686.4) {
            try map.setExtent(extent)
        }
        return map
    }

    /// Puts the route on top, white-edged, with the names of its places, and shows all of it.
    private func addRoute(_ path: String, to map: MapFacade) async throws {
        try await map.addGeoJSON(at: path)
        try map.updateLayer(named: MapFacade.vectorLayerName) { layer in
            guard case .features(var source) = layer.content else { return }
            source.style.casing = .init(color: .white, width: 8)
            source.style.label = "${label}"
            source.style.fontSize = 12
            source.style.labelOutlineColor = .white
            source.style.labelOutlineWidth = 2
            source.style.labelVerticalAlignment = .top
            source.style.labelOffsetY = 16
            for place in source.features.compactMap(\.pointOfInterest) {
                // What follows a dash explains the name; a map has no room for it.
                guard let id = place.id, let name = place.name?.components(separatedBy: " - ").first else { continue }
                source.update(id) { $0.properties["label"] = .string(name) }
            }
            layer.content = .features(source)
        }
        try map.centerOnFeatures(padding: 50)
    }

    private func infoBar(of map: MapFacade) -> InfoBar? {
        guard case .features(let source) = map.vectorLayer.content,
            let route = source.features.lazy.compactMap(\.route).first
        else { return nil }
        var facts: [String] = []
        if let distance = route.distance { facts.append(String(format: "%.1f km", distance)) }
        if let duration = route.duration { facts.append("\(Int(duration.rounded())) min") }
        let places = source.features.filter { $0.pointOfInterest != nil }.count
        if places > 0 { facts.append("\(places) places") }
        return InfoBar(title: route.name ?? "Route", facts: facts)
    }
}
