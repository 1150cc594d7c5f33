import PortolanFeatures
import PortolanRaster
import PortolanStyles

/// The samples of a rule that distinguishes features by colour or size.
struct RuleClasses {
    /// A sample: a class with its style, or a scale.
    struct Sample {
        /// The description; empty for that of the rule.
        var text = ""
        /// The style.
        var style: Style
        /// The kind of a scale, or `nil` for that of the rule.
        var kind: Legend.Symbol.Kind?
        /// The scale, or `nil` for a class.
        var scale: Legend.Scale?
    }

    /// The largest number of classes that are shown for one rule.
    private static let classLimit = 24
    /// The radius of discs that show a colour if the radius shows a number.
    private static let plainRadius = 6.0
    /// The colour of discs that show a number if the colour shows another one.
    private static let gray = MapColor(red: 0xB0, green: 0xB0, blue: 0xB0)

    private let rule: StyleRule
    private let style: Style

    init(_ rule: StyleRule, _ style: Style) {
        self.rule = rule
        self.style = style
    }

    /// The samples, or an empty array if features are not distinguished.
    var samples: [Sample] {
        switch rule.kind {
        case .area:
            guard let fill = style.fill else { return [] }
            return colors(.fillColor) { style, value in style.fill?.color = Self.color(value, over: fill.color) }
        case .line:
            guard let stroke = style.stroke else { return [] }
            let colors = colors(.lineColor) { style, value in
                style.stroke?.color = Self.color(value, over: stroke.color)
            }
            let widths = classes(.lineWidth)
            guard widths.allSatisfy({ $0.isOfNumbers || $0.text.isEmpty }) else { return colors }
            // With colours of another property, the widths need the name of theirs.
            let name = colors.count > 1 || colors.first?.scale != nil ? rule.layer.input(of: .lineWidth) : nil
            return colors
                + widths.filter { !$0.text.isEmpty }.map { one in
                    var style = style
                    style.stroke?.width = one.value.numberValue ?? stroke.width
                    if name != nil { style.stroke?.color = Self.gray }
                    return Sample(text: (name.map { "\($0): " } ?? "") + one.text, style: style)
                }
        case .mark:
            guard case .shape(let shape)? = style.marker else { return [] }
            return discs(shape)
        }
    }

    private func discs(_ shape: ShapeMarker) -> [Sample] {
        let radii = classes(.circleRadius), stops = radii.filter { $0.stop != nil && !$0.text.isEmpty }
        let colors = colors(.circleColor) { style, value in
            var shape = shape
            if var fill = shape.fill {
                fill.color = Self.color(value, over: fill.color)
                shape.fill = fill
            }
            if stops.count > 1 { shape.radius = Self.plainRadius }
            style.marker = .shape(shape)
        }
        let isByColor = colors.count > 1 || colors.first?.scale != nil
        func sized(_ radius: Double) -> Style {
            var (style, shape) = (style, shape)
            shape.radius = radius
            if isByColor, shape.fill != nil { shape.fill?.color = Self.gray }
            style.marker = .shape(shape)
            return style
        }
        func radius(_ value: ExpressionValue) -> Double { min(max(value.numberValue ?? shape.radius, 0), 100) }
        guard stops.count > 1 else {
            return colors
                + radii.filter { !$0.text.isEmpty }.map { Sample(text: $0.text, style: sized(radius($0.value))) }
        }
        let steps = stops.map { Legend.Scale.Step(value: radius($0.value), text: $0.text) }
            .sorted { $0.value < $1.value }
        // With colours of another property, the discs need the name of theirs.
        let name = isByColor ? rule.layer.input(of: .circleRadius) ?? "" : ""
        return [
            Sample(
                text: name, style: sized(steps.last?.value ?? shape.radius), kind: .discs,
                scale: Legend.Scale(steps: steps))
        ] + colors
    }

    // MARK: - Classes

    private func classes(_ key: StyleSheet.Key) -> [ExpressionClass] {
        Array(rule.layer.classes(of: key, at: rule.zoom, globalState: rule.globalState).prefix(Self.classLimit))
    }

    /// The classes of a colour: a ramp of those that are interpolated, and one sample for each other one.
    private func colors(_ key: StyleSheet.Key, _ apply: (inout Style, ExpressionValue) -> Void) -> [Sample] {
        let classes = classes(key)
        var samples: [Sample] = []
        if let scale = ramp(classes.filter { $0.stop != nil }) {
            samples.append(Sample(style: style, kind: .ramp, scale: scale))
        }
        for one in classes where !one.text.isEmpty && (samples.first?.scale == nil || one.stop == nil) {
            var style = style
            apply(&style, one.value)
            samples.append(Sample(text: one.text, style: style))
        }
        return samples
    }

    /// The ramp of stops, or `nil` if they are not colours at different numbers.
    private func ramp(_ stops: [ExpressionClass]) -> Legend.Scale? {
        let numbers = stops.compactMap(\.stop?.number)
        guard let low = numbers.first, let high = numbers.last, high > low, (high - low).isFinite else { return nil }
        var steps: [Legend.Scale.Step] = []
        for (place, one) in stops.enumerated() {
            guard let stop = one.stop, let color = one.value.colorValue?.color else { return nil }
            func position(_ number: Double) -> Double { (number - low) / (high - low) }
            steps.append(Legend.Scale.Step(value: position(stop.number), color: faded(color), text: one.text))
            guard place + 1 < stops.count else { break }
            let gap = (numbers[place + 1] - stop.number) / Double(stop.onward.count + 1)
            for (number, value) in stop.onward.enumerated() {
                guard let color = value.colorValue?.color else { return nil }
                steps.append(
                    Legend.Scale.Step(value: position(stop.number + gap * Double(number + 1)), color: faded(color)))
            }
        }
        return Legend.Scale(steps: steps)
    }

    /// A colour with the opacity of the drawn style.
    private func faded(_ color: MapColor) -> MapColor {
        let drawn: MapColor?
        switch rule.kind {
        case .area: drawn = style.fill?.color
        case .line: drawn = style.stroke?.color
        case .mark: if case .shape(let shape)? = style.marker { drawn = shape.fill?.color } else { drawn = nil }
        }
        return color.withOpacity(Double(drawn?.alpha ?? 255) / 255)
    }

    private static func color(_ value: ExpressionValue, over drawn: MapColor) -> MapColor {
        value.colorValue.map { $0.color.withOpacity(Double(drawn.alpha) / 255) } ?? drawn
    }
}
