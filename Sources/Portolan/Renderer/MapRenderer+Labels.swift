import PortolanFetch
import PortolanPaint
package import PortolanPlan
import PortolanText

/// The labels of a cell of a map, and what they depend on.
package struct LabelledCell: Sendable {
    /// The labels.
    package let labels: CellLabels
    /// Whether something is missing that may still come.
    package let hasHoles: Bool
    /// What they depend on.
    package let validity: ContentValidity
}

extension MapRenderer {
    /// Places the labels of a cell, for the pictures of its parts.
    ///
    /// - Parameters:
    ///   - viewport: the cell with a margin about it.
    ///   - margin: how wide that is at each side, in view pixels.
    ///   - reach: how far a label may lie beyond the cell, in view pixels; one that reaches farther is left out.
    /// - Throws: ``MapError`` where there is no font, or the task was cancelled.
    package func labels(
        of layers: [MapLayer], inCellOf viewport: Viewport, margin: Int, reach: Int, options: RenderOptions
    ) async throws(MapError) -> LabelledCell {
        let owner = PinOwner()
        defer { release(owner) }
        let deadline = options.deadline.map { PictureDeadline($0, from: configuration.clock) }
        let planner = MapPlanner(viewport: viewport, traits: serviceTraits, drafts: true)
        var plan = await plan { planner.plan(layers.filter(\.placesLabels)) }
        // Pictures of the ground say nothing about labels.
        let (loaded, arrivals) = await gather(
            &plan, planner, options: options,
            only: { resource in
                switch resource.id.item {
                case .tile, .map, .legend: false
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

    /// Placing is pure computation: it leaves the caller's actor.
    @concurrent
    private static func labels(
        by painter: MapPainter, margin: Int, reach: Int
    ) async throws(TextError) -> (labels: CellLabels, areComplete: Bool) {
        try painter.cellLabels(margin: margin, reach: reach)
    }
}
