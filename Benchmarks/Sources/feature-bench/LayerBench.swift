import Foundation
import Portolan

/// Measures maps of a feature layer: the whole layer, and one hundredth of it.
struct LayerBench {
    let vertices: Int
    let runs: Int
    private let renderer: MapRenderer

    init(vertices: Int, runs: Int) {
        self.vertices = vertices
        self.runs = runs
        var configuration = RendererConfiguration()
        configuration.usesSystemFonts = false
        renderer = MapRenderer(configuration: configuration)
    }

    /// Prints a line for the whole layer, and one for each view of a hundredth of it.
    ///
    /// - Parameter window: a part of the layer's square that contains a hundredth of its vertices.
    func run(_ name: String, _ features: [Feature], style: StyleDeclaration, window: Extent) async throws {
        guard let square = Extent(minX: -0.5, minY: -0.5, maxX: 0.5, maxY: 0.5),
            let side = ImageSize(width: 1024, height: 1024),
            let small = ImageSize(
                width: Int((1024 * window.width).rounded()), height: Int((1024 * window.height).rounded()))
        else { return }
        let layer = source(features, style)
        let whole = try await time(layer, square, side)
        report(name, "whole", features, whole, [])
        let part = try await time(layer, window, small)
        report(name, "1 %, same scale", features, part, [("of_whole", part / whole)])
        // The same picture from a layer without other features shows the cost of the invisible ones.
        let near = features.compactMap { $0.clipped(to: window) }
        let zoomed = try await time(layer, window, side), alone = try await time(source(near, style), window, side)
        report(name, "1 %, enlarged", features, zoomed, [("of_whole", zoomed / whole)])
        report(name, "1 %, enlarged, nothing else in the layer", near, alone, [("of_whole", alone / whole)])
    }

    private func source(_ features: [Feature], _ style: StyleDeclaration) -> MapLayer {
        MapLayer(name: "layer", source: FeatureSource(features: features, style: style))
    }

    private func time(_ layer: MapLayer, _ extent: Extent, _ size: ImageSize) async throws -> Double {
        // Without a reprojection it would be faster, but this is the usual case.
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        guard let seen = transform(extent) else { return .nan }
        let viewport = try Viewport.showing(seen, size: size)
        return try await ProcessorTime.milliseconds(runs: runs) { _ = try await renderer.render([layer], in: viewport) }
    }

    private func report(
        _ name: String, _ view: String, _ features: [Feature], _ time: Double, _ ratios: [(String, Double)]
    ) {
        let count = features.reduce(0) { $0 + ($1.geometry?.coordinateCount ?? 0) }
        let more = ratios.map { ", \"\($0.0)\": \(String(format: "%.4f", $0.1))" }.joined()
        print(
            "{\"layer\": \"\(name)\", \"view\": \"\(view)\", \"features\": \(features.count), \"vertices\": \(count), "
                + "\"cpu_ms\": \(String(format: "%.2f", time))\(more)}")
    }
}

extension Feature {
    /// Returns the feature with only the vertices inside an extent and their neighbours, or `nil` if it has none.
    fileprivate func clipped(to extent: Extent) -> Feature? {
        guard let geometry else { return nil }
        let all = geometry.coordinates
        func isNear(_ index: Int) -> Bool { extent.contains(all[min(max(index, 0), all.count - 1)]) }
        let kept = all.indices.filter { isNear($0 - 1) || isNear($0) || isNear($0 + 1) }.map { all[$0] }
        guard kept.count > 1 else { return nil }
        return Feature(geometry: geometry.kind == .polygon ? .polygon([kept]) : .lineString(kept))
    }
}
