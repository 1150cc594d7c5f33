import PortolanFetch
import PortolanPaint
package import PortolanPlan
import PortolanText

/// The labels of a map cell, and their dependencies.
package struct LabelledCell: Sendable {
    /// The labels.
    package let labels: CellLabels
    /// Whether resources are missing that may become available.
    package let hasHoles: Bool
    /// The dependencies of the labels.
    package let validity: ContentValidity
}

extension MapRenderer {
    /// Places the labels of a cell, for the pictures of its parts.
    ///
    /// - Parameters:
    ///   - viewport: the cell with a margin around it.
    ///   - margin: the width of the margin in view pixels.
    ///   - reach: the maximum distance that a label may extend beyond the cell, in view pixels. Labels that extend
    ///     further are omitted.
    /// - Throws: ``MapError`` if there is no font, or the task was cancelled.
    package func labels(
        of layers: [MapLayer], inCellOf viewport: Viewport, margin: Int, reach: Int, options: RenderOptions
    ) async throws(MapError) -> LabelledCell {
        let owner = PinOwner()
        defer { release(owner) }
        let deadline = options.deadline.map { PictureDeadline($0, from: configuration.clock) }
        let planner = MapPlanner(viewport: viewport, traits: serviceTraits, drafts: true, fonts: fonts)
        var plan = await plan { planner.plan(layers.filter(\.placesLabels)) }
        // Raster images have no labels.
        let (loaded, arrivals) = await gather(
            &plan, planner, options: options,
            only: { resource in
                switch resource.id.item {
                case .tile, .map, .legend: resource.form != .image
                case .icon, .other: true
                }
            }, by: deadline, for: owner, storesImages: false, onRequested: {}, progress: nil)
        guard !Task.isCancelled else { throw MapError(.cancelled, "rendering was cancelled") }
        let painter = MapPainter(
            scene: plan.scene, images: arrivals.images, fonts: fonts, furniture: Furniture(),
            memory: configuration.memory)
        let ratio = viewport.pixelRatio
        func pixels(_ length: Int) -> Int { Int((Double(length) * ratio).rounded()) }
        let placed: (labels: CellLabels, areComplete: Bool)
        do throws(TextError) {
            placed = try await Self.labels(by: painter, margin: pixels(margin), reach: pixels(reach))
        } catch { throw MapError(.noFont, error.description) }
        let hasFailed = loaded.values.contains { if case .failure = $0 { true } else { false } }
        return LabelledCell(
            labels: placed.labels, hasHoles: hasFailed || !placed.areComplete, validity: validity(of: plan, loaded))
    }

    /// Places labels off the caller's actor, as this is pure computation.
    @concurrent
    private static func labels(
        by painter: MapPainter, margin: Int, reach: Int
    ) async throws(TextError) -> (labels: CellLabels, areComplete: Bool) {
        try painter.cellLabels(margin: margin, reach: reach)
    }
}
