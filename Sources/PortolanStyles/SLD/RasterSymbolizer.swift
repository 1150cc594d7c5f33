package import PortolanRaster
package import PortolanWeb
import PortolanXML

/// The RasterSymbolizer of a Styled Layer Descriptor (OGC 02-070, 11.5; OGC 05-077r4, 11.6).
package struct RasterSymbolizer: Hashable, Sendable {
    /// A band and the enhancement of its contrast.
    package struct Channel: Hashable, Sendable {
        /// The number of the band, or its description.
        package let name: String
        /// The enhancement of its contrast.
        package let contrast: Contrast
    }

    /// The enhancement of contrast.
    package struct Contrast: Hashable, Sendable {
        /// The way in which values are spread.
        package enum Method: Hashable, Sendable {
            /// Between two values; `nil` for the lowest and the highest one.
            case normalize(from: Double?, to: Double?)
            /// So that all brightnesses are equally frequent.
            case histogram
        }

        /// The way in which values are spread, or `nil` if it is not stated.
        package var method: Method?
        /// The factor of gamma, 1 if it is not stated.
        package var gamma = 1.0

        /// Creates no enhancement.
        package init() {}
    }

    /// The opacity, 0 to 1.
    package private(set) var opacity = 1.0
    /// One channel in grey, or red, green and blue; empty if none is selected.
    package private(set) var channels: [Channel] = []
    /// The contrast of all channels.
    package private(set) var contrast = Contrast()
    /// The colours of values, or `nil`.
    package private(set) var colorMap: RasterColorMap?
    /// The parts that have no effect.
    package private(set) var warnings: [MapWarning] = []

    /// The reasons why a document has no such symbolizer.
    package enum Failure: Error, Hashable, Sendable {
        /// The document is not XML, at a line.
        case notReadable(String, line: Int)
        /// It is not a Styled Layer Descriptor, or has no RasterSymbolizer in a selected style.
        case noSymbolizer
        /// A value is not valid.
        case value(String, line: Int)

        /// The failure, for people.
        package var words: String {
            switch self {
            case .notReadable(let detail, let line): "line \(line): \(detail)"
            case .noSymbolizer: "it has no RasterSymbolizer"
            case .value(let detail, let line): "line \(line): \(detail)"
            }
        }
    }

    /// Reads the first RasterSymbolizer of a document.
    ///
    /// - Parameter name: the selected style, or `nil` for the first one.
    package init(_ bytes: [UInt8], styleName name: String? = nil) throws(Failure) {
        let root: SLDElement
        do { (root, warnings) = try SLDElement.read(bytes) } catch {
            throw .notReadable("\(error)", line: error.line)
        }
        guard let symbolizer = Self.symbolizer(in: root, named: name, isSelected: name == nil) else {
            throw .noSymbolizer
        }
        for child in symbolizer.children {
            switch child.name {
            case "Opacity": opacity = min(max(try Self.number(child), 0), 1)
            case "ChannelSelection":
                let names =
                    child.child("GrayChannel") == nil
                    ? ["RedChannel", "GreenChannel", "BlueChannel"] : ["GrayChannel"]
                for name in names {
                    guard let element = child.child(name) else {
                        throw .value("ChannelSelection has no \(name)", line: child.line)
                    }
                    channels.append(
                        Channel(
                            name: element.child("SourceChannelName")?.text ?? "",
                            contrast: try contrast(element.child("ContrastEnhancement"))))
                }
            case "ContrastEnhancement": contrast = try contrast(child)
            case "ColorMap": colorMap = try Self.colorMap(child)
            case "Name", "Description": break
            default: note(child)
            }
        }
    }

    private static func symbolizer(in element: SLDElement, named name: String?, isSelected: Bool) -> SLDElement? {
        if element.name == "RasterSymbolizer" { return isSelected ? element : nil }
        let isNamed = element.name == "UserStyle" && element.child("Name")?.text == name
        for child in element.children {
            if let found = symbolizer(in: child, named: name, isSelected: isSelected || isNamed) { return found }
        }
        return nil
    }

    private mutating func note(_ element: SLDElement) {
        warnings.append(
            MapWarning(
                .style, effect: .ignored, message: "line \(element.line): \(element.name) of a raster has no effect"))
    }

    private static func number(_ element: SLDElement) throws(Failure) -> Double {
        guard let number = Double(element.text), number.isFinite else {
            throw .value("\(element.name) '\(element.text.prefix(40))' is not a number", line: element.line)
        }
        return number
    }

    private mutating func contrast(_ element: SLDElement?) throws(Failure) -> Contrast {
        var contrast = Contrast()
        for child in element?.children ?? [] {
            switch child.name {
            case "Normalize":
                var low: Double?, high: Double?
                // GeoServer's options.
                for option in child.children("VendorOption") {
                    switch option.attribute("name") {
                    case "minValue": low = try Self.number(option)
                    case "maxValue": high = try Self.number(option)
                    case "algorithm" where option.text == "StretchToMinimumMaximum": break
                    default: note(option)
                    }
                }
                contrast.method = .normalize(from: low, to: high)
            case "Histogram": contrast.method = .histogram
            case "GammaValue":
                contrast.gamma = try Self.number(child)
                guard contrast.gamma > 0 else { throw .value("GammaValue must be more than 0", line: child.line) }
            default: note(child)
            }
        }
        return contrast
    }

    // MARK: - Colour maps

    private static func color(_ text: String, opacity: String?, line: Int) throws(Failure) -> MapColor {
        guard let color = MapColor(css: text) else {
            throw .value("'\(text.prefix(40))' is not a colour", line: line)
        }
        guard let opacity else { return color }
        guard let share = Double(opacity), share.isFinite else {
            throw .value("the opacity '\(opacity.prefix(40))' is not a number", line: line)
        }
        return color.withOpacity(min(max(share, 0), 1))
    }

    private static func colorMap(_ element: SLDElement) throws(Failure) -> RasterColorMap {
        if let categorize = element.child("Categorize") { return try Self.categorize(categorize) }
        if let interpolate = element.child("Interpolate") {
            let stops = try interpolate.children("InterpolationPoint").map { point throws(Failure) in
                guard let data = point.child("Data"), let value = point.child("Value") else {
                    throw .value("InterpolationPoint needs Data and Value", line: point.line)
                }
                return RasterColorMap.Stop(
                    try number(data), try color(value.text, opacity: nil, line: value.line))
            }
            guard !stops.isEmpty else { throw .value("Interpolate has no InterpolationPoint", line: interpolate.line) }
            return RasterColorMap(.ramp, stops)
        }
        let kind: RasterColorMap.Kind
        switch element.attribute("type") {
        case nil, "ramp"?: kind = .ramp
        case "intervals"?: kind = .intervals
        case "values"?: kind = .values
        case let other?: throw .value("the ColorMap type '\(other.prefix(40))' is not known", line: element.line)
        }
        let stops = try element.children("ColorMapEntry").map { entry throws(Failure) in
            guard let text = entry.attribute("quantity"), let quantity = Double(text), !quantity.isNaN else {
                throw .value("ColorMapEntry needs a number as quantity", line: entry.line)
            }
            let color = try color(
                entry.attribute("color") ?? "", opacity: entry.attribute("opacity"), line: entry.line)
            return RasterColorMap.Stop(quantity, color, label: entry.attribute("label"))
        }
        guard !stops.isEmpty else { throw .value("ColorMap has no ColorMapEntry", line: element.line) }
        return RasterColorMap(kind, stops)
    }

    /// Values and thresholds alternate; a threshold belongs to the value after it unless stated otherwise.
    private static func categorize(_ element: SLDElement) throws(Failure) -> RasterColorMap {
        var values: [MapColor] = [], thresholds: [Double] = []
        for child in element.children {
            switch child.name {
            case "Value": values.append(try color(child.text, opacity: nil, line: child.line))
            case "Threshold": thresholds.append(try number(child))
            default: break
            }
        }
        guard values.count == thresholds.count + 1 else {
            throw .value(
                "Categorize has \(values.count) values for \(thresholds.count) thresholds", line: element.line)
        }
        let precedes =
            (element.attribute("thresholdsBelongTo") ?? element.attribute("threshholdsBelongTo")) == "preceding"
        let stops = zip(thresholds + [.infinity], values).map { RasterColorMap.Stop($0, $1) }
        return RasterColorMap(precedes ? .classes : .intervals, stops)
    }
}
