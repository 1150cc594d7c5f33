import PortolanFeatures
package import PortolanGeo
package import PortolanPlan
import PortolanRaster
package import PortolanText

extension FeatureSource {
    /// The largest number of labels that are measured; no map shows more.
    private static var measuredLabelCount: Int { 2000 }

    /// The coordinates of points, and the extents of their marks and labels, in view pixels.
    ///
    /// An icon of unknown size counts as 32 pixels. Labels that search for a free position are not included: they find
    /// it within the picture.
    ///
    /// - Throws: ``/PortolanGeo/CRSError/noProjection(_:)``.
    /// - Complexity: O(coordinates of points + labels that differ).
    package func reaches(in crs: CRS, fonts: FontBook) throws(CRSError) -> [PointReach] {
        let transform = try CoordinateTransform(from: self.crs, to: crs)
        var meter = ReachMeter(fonts: fonts, limit: Self.measuredLabelCount), reaches: [PointReach] = []
        for (index, feature) in features.enumerated() {
            guard let geometry = feature.geometry, geometry.kind == .point || geometry.kind == .multiPoint else {
                continue
            }
            let isSelected = selection.map { feature.isIdentified(by: $0) } ?? false
            let style = looks.styles[Int(looks.numbers[index])].style(selected: isSelected)
            guard let box = meter.box(of: style, look: Int(looks.numbers[index]), isSelected, feature) else { continue }
            for place in geometry.coordinates {
                guard let moved = transform(place), moved.isFinite else { continue }
                reaches.append(PointReach(place: moved, box: box))
            }
        }
        return reaches
    }
}

/// Measures each distinct mark and label once.
private struct ReachMeter {
    private struct Key: Hashable {
        let look: Int
        let isSelected: Bool
        let text: String
    }

    private let fonts: FontBook
    private let limit: Int
    private let painter = MarkerPainter(pixelRatio: 1)
    private var known: [Key: Rectangle?] = [:]

    init(fonts: FontBook, limit: Int) {
        self.fonts = fonts
        self.limit = limit
    }

    /// Returns the box of a point's mark and label relative to it, or `nil` if nothing is visible.
    mutating func box(of style: Style, look: Int, _ isSelected: Bool, _ feature: Feature) -> Rectangle? {
        guard !style.isHidden else { return nil }
        let label = style.label.flatMap { $0.placement == .fixed ? $0 : nil }
        let text = known.count < limit ? label?.text(for: feature.properties) ?? "" : ""
        let key = Key(look: look, isSelected: isSelected, text: text)
        if let box = known[key] { return box }
        var box = style.marker.flatMap(mark)
        if let label, !text.isEmpty, let letters = letters(text, label) { box = box?.union(letters) ?? letters }
        known[key] = .some(box)
        return box
    }

    private func mark(_ marker: MarkerSymbol) -> Rectangle? {
        guard case .icon(let icon) = marker else { return painter.extent(of: marker, image: nil) }
        let usual = 32, width = icon.width ?? icon.height ?? Double(usual), height = icon.height ?? width
        guard width >= 1, height >= 1, width < 4096, height < 4096,
            let picture = ImageSize(width: Int(width), height: Int(height))
        else { return nil }
        let size = icon.drawnSize(of: picture), corner = icon.topLeftOffset(of: picture)
        return Rectangle(
            minX: corner.x, minY: corner.y, maxX: corner.x + size.width, maxY: corner.y + size.height
        ).bounds(after: .rotation(degrees: icon.rotation))
    }

    private func letters(_ text: String, _ symbol: LabelSymbol) -> Rectangle? {
        // Without a font no text is drawn, which the picture reports.
        guard let set = try? LabelText(text, symbol: symbol, fonts: fonts, pixelRatio: 1, isOneLine: false) else {
            return nil
        }
        let point = Point(x: symbol.offsetX, y: symbol.offsetY)
        let origins = set.origins(at: point, symbol.horizontalAlignment, symbol.verticalAlignment)
        return LabelPosition(upright: set, origins: origins, halo: max(symbol.outline?.width ?? 0, 0)).candidate.bounds
    }
}
