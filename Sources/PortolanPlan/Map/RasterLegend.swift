import PortolanFeatures
import PortolanRaster
import PortolanStyles

/// The samples of the colours of an image for a legend.
struct RasterLegend {
    /// The steps of a ramp that are shown.
    private static let stepCount = 5
    /// The largest number of samples.
    private static let limit = 48

    /// The samples, and the number of those that are left out.
    let symbols: [Legend.Symbol], moreCount: Int

    /// Creates the samples of a style; bands in grey or as red, green and blue have none.
    init(_ style: RasterStyle) {
        guard case .map(let map, _) = style.coloring else {
            (symbols, moreCount) = ([], 0)
            return
        }
        let samples = Self.samples(of: map)
        symbols = samples.prefix(Self.limit).map { text, color in
            Legend.Symbol(kind: .area, style: Style(fill: FillSymbol(color: color)), text: text)
        }
        moreCount = max(samples.count - Self.limit, 0)
    }

    private static func samples(of map: RasterColorMap) -> [(String, MapColor)] {
        let stops = map.stops, values = stops.map(\.value).filter(\.isFinite)
        switch map.kind {
        case .values: return stops.map { ($0.label ?? text($0.value), $0.color) }
        case .classes, .intervals:
            let bounds = (map.lowest.map { [$0] } ?? []) + values
            let titles = Classification(bounds: bounds)?.titles(nil) ?? []
            return stops.enumerated().map { index, stop in
                let number = map.lowest == nil ? index - 1 : index
                let title =
                    titles.indices.contains(number)
                    ? titles[number] : index == 0 ? "< \(text(stop.value))" : "≥ \(text(stops[index - 1].value))"
                return (stop.label ?? title, stop.color)
            }
        case .ramp:
            if stops.count <= stepCount || stops.contains(where: { $0.label != nil }) {
                return stops.map { ($0.label ?? text($0.value), $0.color) }
            }
            guard let low = values.first, let high = values.last else { return [] }
            return (0..<stepCount).compactMap { index in
                let value = low + (high - low) * Double(index) / Double(stepCount - 1)
                return map.color(of: value).map { (text(value), $0) }
            }
        }
    }

    private static func text(_ value: Double) -> String {
        PropertyValue.number(Double(Float(value).description) ?? value).displayText ?? ""
    }
}
