import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
package import PortolanStyles
import PortolanText
import PortolanWeb

/// The unsupported parts of a style, found by rendering: its sources are read, and all its layers are drawn once, with
/// all their features.
package struct StyleExamination: Sendable {
    /// A part that is not drawn as the style requires.
    package struct Finding: Hashable, Sendable {
        /// The style layer, or `nil` for the style itself.
        package let layer: String?
        /// The member of the layer or style, or `nil` for the whole layer.
        package let member: String?
        /// The reason.
        package let reason: String
        /// Whether something is missing, as opposed to drawn differently.
        package let isLoss: Bool

        fileprivate init(_ warning: MapWarning) {
            (layer, member) = (warning.subject.styleLayer, warning.subject.member)
            (reason, isLoss) = (warning.placedMessage, warning.isLoss)
        }

        fileprivate init(_ reason: String, layer: String? = nil, member: String? = nil, isLoss: Bool) {
            (self.layer, self.member, self.reason, self.isLoss) = (layer, member, reason, isLoss)
        }
    }

    /// The name of the style, or `nil`.
    package let name: String?
    /// The number of layers.
    package let layerCount: Int
    /// The number of completely drawn layers.
    package let drawnCount: Int
    /// The findings, without duplicates.
    package let findings: [Finding]

    private static let side = 512

    /// Examines a style.
    ///
    /// - Parameter path: the path of the style, which is the base of its relative URLs.
    package init(_ sheet: StyleSheet, at path: String, configuration: RendererConfiguration) async throws(MapError) {
        var findings = sheet.warnings.map(Finding.init),
            lost = Set(sheet.losses.compactMap(\.warning.subject.styleLayer))
        let client = ServiceClient(configuration: configuration)
        var layer: MapLayer?
        if sheet.sources.isEmpty {
            // Without its own features, only the images of a style can be examined.
            var source = FeatureSource(features: [])
            source.sheet = sheet.showingAll()
            source.sheetBaseURL = BaseURL(FileAddress.url(of: path))
            layer = MapLayer(name: "style", source: source)
        } else {
            var builder = LayerBuilder(client: client)
            builder.isExamining = true
            let built = try await builder.build([LayerSpecification(kind: .style, source: path)])
            layer = built.first?.layer
            findings += built.flatMap(\.warnings).map(Finding.init)
            if let failure = built.first?.failure { findings.append(Finding(failure.description, isLoss: true)) }
            if let style = layer?.style {
                for own in style.sheet.layers {
                    guard let reason = style.loss(of: own) else { continue }
                    lost.insert(own.id)
                    findings.append(Finding(MapWarning(styleLayer: own.id, member: nil, reason)))
                }
                layer?.source = style.showingAll()
            }
        }
        if let layer {
            let drawn = await Self.drawn(layer, configuration)
            findings += drawn.findings
            lost.formUnion(drawn.lost)
        }
        if let finding = await Self.glyphFinding(sheet, at: path, configuration) { findings.append(finding) }
        await client.flush()
        name = sheet.name
        layerCount = sheet.layerCount
        drawnCount = sheet.layers.count { !lost.contains($0.id) }
        var seen: Set<Finding> = []
        self.findings = findings.filter { seen.insert($0).inserted }
    }

    /// Requests one glyph range of a style with texts, and returns the reason if it is unavailable.
    ///
    /// It is not a loss: glyphs are only needed for characters that no font has.
    private static func glyphFinding(
        _ sheet: StyleSheet, at path: String, _ configuration: RendererConfiguration
    ) async -> Finding? {
        guard FontBook.isBuiltIn, let template = sheet.glyphs, let stack = sheet.firstFontStack else { return nil }
        let fonts = stack.split(separator: ",").map(String.init), base = BaseURL(FileAddress.url(of: path))
        let renderer = MapRenderer(configuration: configuration)
        var reason = "\(template): invalid address, or one that the style may not refer to"
        for font in [stack] + (fonts.count > 1 ? fonts : []) {
            guard let address = GlyphAddress.url(template, font: font, start: 0, relativeTo: base) else { continue }
            let resource = Resource(
                id: Resource.ID(layer: "style", .other("glyphs \(font)")), location: .url(address), form: .document,
                name: "glyphs")
            let loaded = await renderer.load(
                [resource], isMargin: false, reloads: false, by: nil, onRequested: {}, progress: { _ in })
            switch loaded[resource.id] {
            case .success(let answer):
                guard case .document(let bytes, _) = answer.content else { continue }
                do throws(GlyphRangeError) {
                    _ = try GlyphRange(bytes, start: 0)
                    return nil
                } catch { reason = "\(address.text): \(error)" }
            case .failure(let error): reason = "\(address.text): \(error)"
            case nil: break
            }
        }
        return Finding(
            "\(reason); characters that no font has are not drawn", member: "glyphs", isLoss: false)
    }

    /// The middle of the vector tiles of a style in degrees, and a zoom at which there are some.
    private static func place(of style: StyleSource) -> (center: Coordinate, zoom: Double)? {
        for (_, source) in style.sources.sorted(by: { $0.key < $1.key }) {
            guard let source = source as? VectorTileSource, source.tiles.grid.crs == .webMercator,
                let extent = source.knownBounds?.extent(in: .webMercator),
                let center = (try? CoordinateTransform(from: .webMercator, to: .crs84))?(extent.center),
                let resolution = Resolution(unitsPerPixel: max(extent.width, extent.height) / Double(side))
            else { continue }
            let levels = source.tiles.grid.matrices.compactMap { Double($0.id) }
            // The zoom of styles is one less.
            let zoom = max(resolution.zoom(in: .webMercator), (levels.min() ?? 0) + 1)
            return (center, min(zoom, 24))
        }
        return nil
    }

    /// Returns the warnings of a picture of all features, and the affected layers.
    private static func drawn(
        _ layer: MapLayer, _ configuration: RendererConfiguration
    ) async -> (findings: [Finding], lost: Set<String>) {
        var request = ViewRequest()
        request.size = ImageSize(width: side, height: side)
        request.padding = 16
        var view = try? request.viewport(for: [layer])
        let place = layer.style.flatMap(place)
        // A view of all tiles may be coarser than the coarsest of them.
        let isTooCoarse = view.map { fitted in place.map { fitted.styleZoom + 1 < $0.zoom } ?? false } ?? true
        if isTooCoarse {
            request.padding = nil
            (request.center, request.zoom) = place ?? (Coordinate(x: 0, y: 0), 1)
            view = try? request.viewport(for: [])
        }
        guard let view else { return ([], []) }
        let renderer = MapRenderer(configuration: configuration)
        let report: RenderReport?
        do { report = try await renderer.render([layer], in: view).report } catch { report = error.report }
        await renderer.flush()
        guard let report else { return ([], []) }
        var findings: [Finding] = [], lost: Set<String> = []
        let parts = Dictionary(
            grouping: MapPlanner(viewport: view).plan([layer]).resources.filter { $0.use == .shown }, by: \.id.part)
        let failures = report.layers.flatMap(\.failed)
        for failure in failures {
            if let warning = failure.style {
                findings.append(Finding(warning))
                if let layer = warning.subject.styleLayer { lost.insert(layer) }
            } else {
                findings.append(Finding("\(failure.resource): \(failure.error)", isLoss: true))
            }
        }
        // A source whose images all failed draws no layer.
        for (part, resources) in parts {
            let failed = Set(failures.compactMap(\.id))
            guard let part, resources.allSatisfy({ failed.contains($0.id) }) else { continue }
            lost.formUnion(layer.style?.sheet.layers.filter { $0.source == part }.map(\.id) ?? [])
        }
        findings += report.warnings.map(Finding.init)
        return (findings, lost)
    }
}
