import PortolanFeatures
import PortolanRaster
import PortolanXML

/// A KML `Style`; absent elements are `nil` (OGC 12-007r2 clause 12).
struct KMLStyle: Hashable {
    /// A colour and its opacity.
    struct Paint: Hashable {
        var color: MapColor
        var opacity: Double

        /// The default colour of a symbol: white.
        static let standard = Paint(color: .white, opacity: 1)
    }

    /// The image at a point.
    struct Icon: Hashable {
        var address: String?
        var paint: Paint?
        var scale: Double?
        var heading: Double?
        /// The position in the image that is at the point, as fractions from its top left corner.
        var anchor: IconMarker.Anchor?
    }

    /// A line symbol.
    struct Line: Hashable {
        var paint: Paint?
        var width: Double?
    }

    /// An area symbol.
    struct Area: Hashable {
        var paint: Paint?
        var isFilled: Bool?
        var isOutlined: Bool?
    }

    /// The label at a point.
    struct Label: Hashable {
        var paint: Paint?
        var scale: Double?
    }

    var icon: Icon?
    var line: Line?
    var area: Area?
    var label: Label?
    /// Messages about deviations from the standard.
    var faults: [String] = []

    /// The side length of an image in pixels at a scale of 1, as in KML viewers.
    static let iconSize = 32.0
    /// The assumed image size for hot spots in pixels: that of Google's palettes, which most icons are from.
    private static let pictureSize = 64.0
    /// The font size of a label in pixels at a scale of 1.
    static let fontSize = 14.0

    init() {}

    /// Reads a `Style` element.
    init(_ element: XMLElement) {
        for child in element.children {
            switch child.name {
            case "IconStyle":
                var icon = Icon()
                icon.paint = paint(child)
                icon.scale = number(child, "scale")
                icon.heading = number(child, "heading")
                icon.address = child.child("Icon").map { $0.text(of: "href") ?? $0.text }
                if icon.address?.isEmpty == true { icon.address = nil }
                icon.anchor = child.child("hotSpot").flatMap { Self.anchor($0) }
                self.icon = icon.over(self.icon)
            case "LineStyle": line = Line(paint: paint(child), width: number(child, "width")).over(line)
            case "PolyStyle":
                area = Area(
                    paint: paint(child), isFilled: Self.flag(child, "fill"), isOutlined: Self.flag(child, "outline")
                ).over(area)
            case "LabelStyle": label = Label(paint: paint(child), scale: number(child, "scale")).over(label)
            default: break
            }
        }
    }

    /// Returns the style with its absent elements taken from another.
    func over(_ lower: KMLStyle) -> KMLStyle {
        var style = self
        style.icon = icon.map { $0.over(lower.icon) } ?? lower.icon
        style.line = line.map { $0.over(lower.line) } ?? lower.line
        style.area = area.map { $0.over(lower.area) } ?? lower.area
        style.label = label.map { $0.over(lower.label) } ?? lower.label
        return style
    }

    private mutating func number(_ element: XMLElement, _ name: String) -> Double? {
        guard let text = element.text(of: name) else { return nil }
        guard let number = text.decimalValue else {
            faults.append("line \(element.line): the \(name) '\(text.prefix(20))' is not a number")
            return nil
        }
        return number
    }

    private static func flag(_ element: XMLElement, _ name: String) -> Bool? {
        element.text(of: name).map { !["0", "false"].contains($0.lowercased()) }
    }

    private mutating func paint(_ element: XMLElement) -> Paint? {
        guard let text = element.text(of: "color") else { return nil }
        guard let (paint, isStandard) = Self.paint(text) else {
            faults.append("line \(element.line): invalid colour '\(text.prefix(20))'")
            return nil
        }
        if !isStandard {
            faults.append("line \(element.line): the colour '\(text)' must have eight digits, aabbggrr")
        }
        return paint
    }

    /// Parses a colour.
    ///
    /// Eight digits are opacity, blue, green, red; seven are the same without a leading zero. Six or three digits are
    /// red, green, blue as in CSS, since such files are written by hand.
    static func paint(_ text: String) -> (paint: Paint, isStandard: Bool)? {
        var digits = text.utf8.map { $0 }
        let hasMark = digits.first == UInt8(ascii: "#")
        if hasMark { digits.removeFirst() }
        var values: [UInt8] = []
        for digit in digits {
            switch digit {
            case 0x30...0x39: values.append(digit - 0x30)
            case 0x41...0x46: values.append(digit - 0x37)
            case 0x61...0x66: values.append(digit - 0x57)
            default: return nil
            }
        }
        if values.count == 3 { values = values.flatMap { [$0, $0] } }
        let isWeb = values.count == 6
        if values.count == 7 { values.insert(0, at: 0) }
        guard isWeb || values.count == 8 else { return nil }
        let parts = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
        let color =
            isWeb
            ? MapColor(red: parts[0], green: parts[1], blue: parts[2])
            : MapColor(red: parts[3], green: parts[2], blue: parts[1])
        let opacity = isWeb ? 1 : Double(parts[0]) / 255
        return (Paint(color: color, opacity: opacity), !hasMark && digits.count == 8)
    }

    /// Returns the hot spot of an icon (clause 12.7), measured from the lower left, or for `insetPixels` from the upper
    /// right.
    private static func anchor(_ element: XMLElement) -> IconMarker.Anchor? {
        func fraction(_ name: String) -> Double? {
            guard let value = element.attribute(name)?.decimalValue else { return nil }
            switch element.attribute("\(name)units") ?? "fraction" {
            case "pixels": return value / pictureSize
            case "insetPixels": return 1 - value / pictureSize
            default: return value
            }
        }
        guard let x = fraction("x"), let y = fraction("y"), abs(x) <= 100, abs(y) <= 100 else { return nil }
        return IconMarker.Anchor(x: x, y: 1 - y)
    }
}

// A symbol in a style and one in the style below are merged element by element.
extension KMLStyle.Icon {
    fileprivate func over(_ lower: Self?) -> Self {
        Self(
            address: address ?? lower?.address, paint: paint ?? lower?.paint, scale: scale ?? lower?.scale,
            heading: heading ?? lower?.heading, anchor: anchor ?? lower?.anchor)
    }
}

extension KMLStyle.Line {
    fileprivate func over(_ lower: Self?) -> Self { Self(paint: paint ?? lower?.paint, width: width ?? lower?.width) }
}

extension KMLStyle.Area {
    fileprivate func over(_ lower: Self?) -> Self {
        Self(
            paint: paint ?? lower?.paint, isFilled: isFilled ?? lower?.isFilled,
            isOutlined: isOutlined ?? lower?.isOutlined)
    }
}

extension KMLStyle.Label {
    fileprivate func over(_ lower: Self?) -> Self { Self(paint: paint ?? lower?.paint, scale: scale ?? lower?.scale) }
}
