public import PortolanFeatures
public import PortolanPlan
public import PortolanRaster

extension MapLayer {
    /// Returns a layer for a measurement: a line or area along geodesics, the length of each segment, a ring at each
    /// vertex, and the total at the last one.
    ///
    /// - Parameters:
    ///   - tool: the measurement, in degrees.
    ///   - color: the colour of lines and rings.
    /// - Complexity: O(vertices).
    public static func measurement(
        _ tool: MeasuringTool, named name: String = "measurement",
        color: MapColor = MapColor(red: 0x0B, green: 0x6B, blue: 0xCB)
    ) -> MapLayer {
        let line = LineSymbol(
            color: color, width: 3, cap: .round, join: .round, casing: .init(color: .white, width: 6))
        let shape = Style(stroke: line, fill: FillSymbol(color: color.withOpacity(0.15)), isGeodesic: true)
        let ring = MarkerSymbol.shape(
            ShapeMarker(radius: 5, fill: FillSymbol(color: .white), stroke: LineSymbol(color: color, width: 2.5)))
        func words(_ size: Double, _ offset: Double) -> LabelSymbol {
            var label = LabelSymbol(
                template: "${measure}", color: MapColor(red: 0x1B, green: 0x24, blue: 0x30), size: size,
                weight: size > 12 ? 700 : 400, offsetY: offset, outline: .init(color: .white, width: 3))
            label.mayOverlap = size > 12
            return label
        }
        var source = FeatureSource(features: [])
        var features = tool.features
        if let last = features.indices.last, !tool.text.isEmpty {
            features[last].properties["measure"] = .string(tool.text)
        }
        // The length of a single segment is the total.
        let hasWays = tool.segments.count > 1
        for (index, feature) in features.enumerated() {
            switch feature.properties["part"]?.stringValue {
            case "shape": source.append(feature, style: shape)
            case "segment":
                if hasWays { source.append(feature, style: Style(label: words(12, 0))) }
            default:
                let isLast = index == features.count - 1
                source.append(feature, style: Style(marker: ring, label: isLast ? words(14, -18) : nil))
            }
        }
        return MapLayer(name: name, source: source)
    }
}
