import Portolan
import PortolanRaster

/// Many points, each a red disc of four pixels, with or without its name above it, at 2048 × 2048.
struct PointsScene {
    private let layer: MapLayer
    private let source: FeatureSource
    private let name: String

    init(file: String, showsLabels: Bool) throws {
        var style = StyleDeclaration()
        style.isStroked = false
        style.fillColor = Color(red: 255, green: 0, blue: 0)
        style.fillOpacity = 1
        style.pointRadius = 2
        if showsLabels {
            style.label = "${name}"
            style.fontSize = 11
            style.fontFamily = "DejaVu Sans"
            style.labelOutlineColor = .white
            style.labelOutlineWidth = 1
            style.labelVerticalAlignment = .bottom
            style.labelOffsetY = -3
        }
        source = FeatureSource(features: try features(of: file), style: style)
        layer = MapLayer(name: "points", source: source)
        name = "points-\(source.features.count)" + (showsLabels ? "-labels" : "")
    }

    func time(_ clock: SceneClock) async throws {
        guard let box = try source.boundingBox(in: .webMercator), let extent = box.extent,
            let size = ImageSize(width: 2048, height: 2048)
        else { return }
        let times = try await clock.time([layer], in: try .showing(extent, size: size))
        SceneClock.report(name, times.members)
    }
}
