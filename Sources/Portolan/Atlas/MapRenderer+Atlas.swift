import PortolanFetch
public import PortolanPaint
public import PortolanPlan

extension MapRenderer {
    /// Renders an atlas as one PDF document: a page after the other, with an outline, page labels and links between the
    /// pages.
    ///
    /// Fonts and repeated images are embedded once. Only one page is in memory at a time, besides the document.
    ///
    /// - Parameters:
    ///   - layers: the layers of all pages, the lowest first.
    ///   - options: the options of all pages; the title is on the overview.
    ///   - progress: called before each page with the number of finished pages.
    /// - Throws: ``MapError`` as in ``render(_:in:options:progress:)``, or if an image cannot be compressed.
    public func pdf(
        of atlas: Atlas, layers: [MapLayer], options: RenderOptions = RenderOptions(),
        pdf: PDFOptions = PDFOptions(), progress: ProgressHandler? = nil
    ) async throws(MapError) -> Atlas.Document {
        let collected = CollectedBytes()
        var rights: [String] = []
        for attribution in layers.compactMap(\.attribution) where !rights.contains(attribution) {
            rights.append(attribution)
        }
        if case .text(let text) = options.attribution { rights = [text] }
        var target = PDFTarget(
            fonts: fonts, title: options.title, rights: rights.joined(separator: " · "), options: pdf
        ) { collected.bytes += $0 }
        var reports: [RenderReport] = []
        for (index, page) in atlas.pages.enumerated() {
            progress?(Progress(done: index, total: atlas.pages.count))
            let owner = PinOwner()
            let drawing = await unobservedDrawing(
                of: layers, in: page.viewport, options: atlas.options(ofPage: index, options), for: owner,
                purpose: .documentPage)
            release(owner)
            let result = try drawing.result.get()
            reports.append(result.report)
            let label = page.number.map { "\($0)" } ?? options.title ?? "Overview"
            do { try result.painter.addPage(to: &target, title: label, label: page.number == nil ? "0" : label) } catch
            {
                throw MapError(any: error)
            }
        }
        do { try target.finish() } catch { throw MapError(any: error) }
        progress?(Progress(done: atlas.pages.count, total: atlas.pages.count))
        return Atlas.Document(bytes: collected.bytes, reports: reports)
    }

    /// The bytes of a document so far.
    private final class CollectedBytes {
        var bytes: [UInt8] = []
    }
}
