import PortolanFetch
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanWeb

extension MapRenderer {
    /// The purpose of a render.
    enum Purpose: Hashable, Sendable {
        /// A picture, which is kept for the next one if the configuration requires it.
        case picture
        /// An inset of a picture.
        case inset
        /// A page of a document, whose pixels are not needed.
        case documentPage
    }

    /// The painted insets of a picture, and what is missing in them.
    struct Insets: Sendable {
        var pictures: [PaintedInset] = []
        var missing: [RenderReport.Layer] = []
        var warnings: [MapWarning] = []
    }

    /// Returns the insets of a picture, each rendered like a picture of its own without furniture.
    func insets(of layers: [MapLayer], on viewport: Viewport, options: RenderOptions) async -> Insets {
        var insets = Insets()
        for inset in options.insets {
            do throws(RenderOptions.Inset.Failure) {
                let view = try inset.view(of: layers, on: viewport)
                if inset.isLocator, inset.extent == nil { insets.warnings += Self.hint(view, around: viewport) }
                insets.warnings += inset.degreesHint(on: viewport)
                for name in inset.layers ?? [] where !layers.contains(where: { $0.name == name }) {
                    insets.warnings.append(
                        MapWarning(.inset, effect: .ignored, message: "an inset names '\(name)', which is no layer"))
                }
                await add(inset, view, of: inset.shown(of: layers), on: viewport, options: options, to: &insets)
            } catch {
                let name = inset.isLocator ? "the locator map" : "an inset"
                insets.warnings.append(
                    MapWarning(.inset, effect: .omitted, message: "\(name) cannot be drawn: \(error.description)"))
            }
        }
        return insets
    }

    private func add(
        _ inset: RenderOptions.Inset, _ view: Viewport, of layers: [MapLayer], on map: Viewport, options: RenderOptions,
        to insets: inout Insets
    ) async {
        var own = RenderOptions()
        own.background = options.background
        own.attribution = .none
        own.deadline = options.deadline
        own.reloadsImages = options.reloadsImages
        let owner = PinOwner()
        defer { release(owner) }
        let drawing = await unobservedDrawing(of: layers, in: view, options: own, for: owner, purpose: .inset)
        switch drawing.result {
        case .success(let result):
            insets.pictures.append(
                result.painter.inset(
                    at: inset.corner.painted,
                    outlines: inset.isLocator ? [RenderOptions.Inset.outline(of: map, on: view)] : [],
                    hasLabels: !inset.isLocator))
            insets.missing += result.report.layers.filter { !$0.failed.isEmpty }
        case .failure(let error):
            insets.missing += error.report?.layers.filter { !$0.failed.isEmpty } ?? []
            insets.warnings.append(
                MapWarning(.inset, effect: .omitted, message: "an inset cannot be drawn: \(error.description)"))
        }
    }

    /// The warning about a locator map that shows hardly more than the map.
    private static func hint(_ view: Viewport, around map: Viewport) -> [MapWarning] {
        let outline = RenderOptions.Inset.outline(of: map, on: view), size = view.imageSize
        let xs = outline.map(\.x), ys = outline.map(\.y)
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return [] }
        let share = (right - left) * (bottom - top) / Double(size.pixelCount)
        guard share > 0.5 else { return [] }
        return [
            MapWarning(
                .inset, message: "the locator map shows hardly more than the map; state its extent with bbox=…")
        ]
    }
}

extension RenderOptions.Inset {
    /// The warning about an extent that looks like degrees, but is read in metres.
    fileprivate func degreesHint(on map: Viewport) -> [MapWarning] {
        guard let extent, crs == nil, !map.crs.isGeographic,
            max(abs(extent.minX), abs(extent.maxX)) <= 180, max(abs(extent.minY), abs(extent.maxY)) <= 90
        else { return [] }
        let sides = [extent.minX, extent.minY, extent.maxX, extent.maxY].map(NumberText.decimal)
        return [
            MapWarning(
                .inset,
                message: "the inset's bbox=\(sides.joined(separator: ",")) looks like degrees, but is read in "
                    + "\(map.crs); if it is in degrees, add bbox-crs=EPSG:4326")
        ]
    }
}
