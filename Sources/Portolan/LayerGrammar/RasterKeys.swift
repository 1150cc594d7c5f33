import PortolanArchives
import PortolanRaster
import PortolanServices
import PortolanStyles
import PortolanWeb

/// The keys that colour the bands of an image: `bands=4,3,2;range=2%..98%`, `ramp=viridis`, `classes=5;palette=blues`.
struct RasterKeys {
    /// The keys of the colours of bands.
    static let keys = [
        "bands", "range", "gamma", "ramp", "values", "classes", "method", "breaks", "palette", "resampling", "style",
        "style-name",
    ]
    /// The keys of which one at most decides how values become colours.
    private static let waysOfColors = ["ramp", "values", "classes", "breaks", "style"]

    /// Returns values of bands that are spread over an image.
    typealias Samples = ([Int]) async throws(MapError) -> [[Float]]

    let specification: LayerSpecification
    let image: GeoTIFFImage

    init(_ specification: LayerSpecification, _ image: GeoTIFFImage) {
        (self.specification, self.image) = (specification, image)
    }

    /// Returns whether some key replaces the colours of the file.
    static func coloursValues(_ specification: LayerSpecification) -> Bool {
        keys.contains { $0 != "resampling" && specification[$0] != nil }
    }

    /// Returns the stated resampling, or the usual one for a style.
    static func resampling(
        _ specification: LayerSpecification, _ style: RasterStyle?
    ) throws(MapError) -> ImageResampling {
        if let text = specification["resampling"] {
            guard let resampling = ImageResampling(rawValue: text) else {
                throw specification.invalid("resampling", "must be nearest, bilinear or cubic")
            }
            return resampling
        }
        // Between classes there is nothing.
        if case .map(let map, _)? = style?.coloring, map.kind != .ramp { return .nearest }
        return .bilinear
    }

    /// Returns the style of the keys, or `nil` for the colours of the file.
    func style(_ samples: Samples) async throws(MapError) -> RasterStyle? {
        guard Self.coloursValues(specification) else { return nil }
        let ways = Self.waysOfColors.filter { specification[$0] != nil }
        if ways.count > 1 { throw specification.invalid(ways[1], "cannot be combined with \(ways[0])") }
        for key in ["method", "palette"] where specification[key] != nil {
            if key == "method" && specification["classes"] == nil || ways.isEmpty || ways == ["ramp"]
                || ways == ["values"]
            {
                throw specification.invalid(
                    key, "needs classes; add ';classes=5', or use ramp=NAME for a continuous ramp")
            }
        }
        let bands = try bands()
        if !ways.isEmpty {
            guard bands.count == 1 else {
                throw specification.invalid("bands", "must be one band with \(ways[0])")
            }
            if specification["gamma"] != nil {
                throw specification.invalid("gamma", "has no effect with \(ways[0]); remove it")
            }
            if specification["range"] != nil, ways != ["ramp"] {
                throw specification.invalid("range", "has no effect with \(ways[0]); remove it")
            }
            return RasterStyle(.map(try await map(ways[0], bands[0], samples), band: bands[0]))
        }
        let ranges = try await ranges(of: bands, samples), gammas = try gammas(bands.count)
        let channels = bands.indices.map { index in
            RasterChannel(
                band: bands[index], stretch: .linear(from: ranges[index].low, to: ranges[index].high),
                gamma: gammas[index])
        }
        return RasterStyle(channels)
    }

    // MARK: - Bands and their ranges

    /// The bands in `bands`, or those of the file's own colours.
    private func bands() throws(MapError) -> [Int] {
        let isMapped = Self.waysOfColors.contains { specification[$0] != nil }
        guard let texts = specification.list("bands") else {
            return isMapped || image.colorBands.count == 1 ? [image.colorBands[0]] : image.colorBands
        }
        let names = image.bandNames
        let bands = texts.compactMap { text in Int(text) ?? names.first { $0.value == text }?.key }
        guard bands.count == texts.count, bands.count == 1 || bands.count == 3 else {
            throw specification.invalid(
                "bands", "must be one band, or three for red, green and blue, such as 4,3,2; the first band is 1")
        }
        if let missing = bands.first(where: { !(1...image.bandCount).contains($0) }) {
            throw specification.invalid("bands", "names band \(missing), and the image has \(image.bandCount)")
        }
        return bands
    }

    /// A bound of a range: a value, or the percentage of values that are lower.
    private enum Bound {
        case value(Double)
        case percent(Double)

        init?(_ text: Substring) {
            let isPercent = text.hasSuffix("%")
            guard let number = Double(isPercent ? text.dropLast() : text), number.isFinite else { return nil }
            if isPercent, !(0...100).contains(number) { return nil }
            self = isPercent ? .percent(number) : .value(number)
        }
    }

    private func ranges(
        of bands: [Int], _ samples: Samples
    ) async throws(MapError) -> [(low: Double, high: Double)] {
        let texts = specification.list("range") ?? []
        guard texts.count <= 1 || texts.count == bands.count else {
            throw specification.invalid("range", "must be one range, or one for each of \(bands.count) bands")
        }
        let bounds = try texts.map { text throws(MapError) in
            guard let middle = text.firstRange(of: ".."), let low = Bound(text[..<middle.lowerBound]),
                let high = Bound(text[middle.upperBound...])
            else { throw specification.invalid("range", "must be such as 0..3000 or 2%..98%") }
            return (low, high)
        }
        if bounds.isEmpty, let range = image.byteRange, !image.isScaled {
            return bands.map { _ in (range.lowerBound, range.upperBound) }
        }
        // Outliers would leave most of the picture in the dark.
        let wanted = bounds.isEmpty ? [(Bound.percent(2), Bound.percent(98))] : bounds
        let needsSamples = wanted.contains { low, high in
            if case .value = low, case .value = high { false } else { true }
        }
        let sorted = needsSamples ? try await samples(bands).map { $0.sorted() } : bands.map { _ in [] }
        return bands.indices.map { index in
            let (low, high) = wanted[min(index, wanted.count - 1)]
            return (Self.value(low, sorted[index]), Self.value(high, sorted[index]))
        }
    }

    private static func value(_ bound: Bound, _ sorted: [Float]) -> Double {
        switch bound {
        case .value(let value): value
        case .percent(let share): sorted.quantile(share / 100)
        }
    }

    private func gammas(_ count: Int) throws(MapError) -> [Double] {
        guard let texts = specification.list("gamma") else { return [Double](repeating: 1, count: count) }
        let numbers = texts.compactMap(Double.init)
        guard numbers.count == texts.count, numbers.allSatisfy({ $0 >= 0.01 && $0 <= 100 }),
            numbers.count == 1 || numbers.count == count
        else { throw specification.invalid("gamma", "must be a number from 0.01 to 100, or one for each band") }
        return (0..<count).map { numbers[min($0, numbers.count - 1)] }
    }

    // MARK: - Colours of values

    private func map(_ way: String, _ band: Int, _ samples: Samples) async throws(MapError) -> RasterColorMap {
        let classes = ThematicClasses(specification, way, "band \(band)")
        switch way {
        case "ramp":
            let text = specification["ramp"] ?? ""
            if text.contains(":") { return RasterColorMap(.ramp, try stops("ramp", text)) }
            let colors = try ThematicClasses.continuousPalette("ramp", text, specification)
            let range = try await ranges(of: [band], samples)[0]
            guard range.low < range.high else {
                throw specification.invalid("ramp", "needs a range of values; all values are \(range.low)")
            }
            let step = (range.high - range.low) / Double(colors.count - 1)
            return RasterColorMap(
                .ramp, colors.enumerated().map { .init(range.low + Double($0) * step, $1) }, lowest: range.low)
        case "values": return RasterColorMap(.values, try stops("values", specification["values"] ?? ""))
        default:
            let values = try await samples([band])[0].map { Double($0) }
            let (bounds, colors) = try classes.classes(of: values)
            return RasterColorMap(
                .classes, zip(bounds.upperBounds, colors).map { .init($0, $1) }, lowest: bounds.minimum)
        }
    }

    private func stops(_ key: String, _ text: String) throws(MapError) -> [RasterColorMap.Stop] {
        let stops = try specification.colorStops(key, text)
        guard Set(stops.map(\.value)).count == stops.count else {
            throw specification.invalid(key, "states a value twice")
        }
        return stops.map { RasterColorMap.Stop($0.value, $0.color) }
    }
}

extension LayerSpecification {
    /// Returns the values and colours of a key, such as `0:#000,1000:green`.
    func colorStops(_ key: String, _ text: String) throws(MapError) -> [(value: Double, color: MapColor)] {
        let stops = try text.split(separator: ",", omittingEmptySubsequences: false).map { part throws(MapError) in
            let sides = part.split(separator: ":", maxSplits: 1)
            guard sides.count == 2, let value = Double(sides[0].trimmed), value.isFinite,
                let color = MapColor(css: String(sides[1].trimmed))
            else { throw invalid(key, "must be values with colours such as 0:#000,1000:green; '\(part)' is not") }
            return (value: value, color: color)
        }
        return stops
    }
}

extension RasterStyle {
    /// One channel in grey, or three as red, green and blue.
    init(_ channels: [RasterChannel]) {
        self.init(
            channels.count == 3
                ? .channels(red: channels[0], green: channels[1], blue: channels[2]) : .gray(channels[0]))
    }
}

extension [Float] {
    /// Returns the value below which a share of ascending values lies, between two of them if need be; 0 without values.
    func quantile(_ share: Double) -> Double {
        guard !isEmpty else { return 0 }
        let place = share * Double(count - 1), before = Int(place), after = Swift.min(before + 1, count - 1)
        return Double(self[before]) + (Double(self[after]) - Double(self[before])) * (place - Double(before))
    }
}
