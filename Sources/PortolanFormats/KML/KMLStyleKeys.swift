import PortolanFeatures
import PortolanRaster

/// The parts of a style that a geometry uses.
struct KMLStyleUse: Hashable {
    var hasPoints = false
    var hasAreas = false
    /// Whether there is a name to display.
    var isNamed = false
    var isHidden = false
}

extension KMLStyle {
    /// Returns the equivalent keys of the route dialect (``RouteStyleReader``).
    ///
    /// - Parameter picture: returns the URL of an image for the one in the document.
    func keys(for use: KMLStyleUse, picture: (String) -> String) -> Properties {
        var keys: Properties = [:]
        if let line {
            let paint = line.paint ?? .standard
            keys["strokeColor"] = .string(paint.color.hexText)
            if paint.opacity < 1 { keys["strokeOpacity"] = .number(paint.opacity) }
            keys["strokeWidth"] = .number(min(max(line.width ?? 1, 0), 1000))
        }
        if use.hasAreas, let area {
            let paint = area.paint ?? .standard
            keys["fill"] = .bool(area.isFilled ?? true)
            keys["fillColor"] = .string(paint.color.hexText)
            keys["fillOpacity"] = .number(paint.opacity)
            if area.isOutlined == false { keys["stroke"] = .bool(false) }
        }
        if use.hasPoints { addMark(to: &keys, picture: picture) }
        if use.hasPoints, use.isNamed, label?.scale ?? 1 > 0, label?.paint?.opacity ?? 1 > 0 {
            keys["label"] = "${name}"
            keys["fontSize"] = .number(min(Self.fontSize * (label?.scale ?? 1), 200))
            let color = label?.paint?.color ?? .white
            keys["fontColor"] = .string(color.hexText)
            keys["labelOutlineColor"] = .string((color.luminance > 0.4 ? MapColor.black : .white).hexText)
            keys["labelOutlineWidth"] = .number(2)
        }
        return keys
    }

    private func addMark(to keys: inout Properties, picture: (String) -> String) {
        guard let icon else { return }
        if icon.scale == 0 || icon.paint?.opacity == 0 {
            keys["pointRadius"] = .number(0)
            return
        }
        guard let address = icon.pictureAddress else { return }
        let size = min(Self.iconSize * (icon.scale ?? 1), 1000)
        keys["externalGraphic"] = .string(picture(address))
        keys["graphicHeight"] = .number(size)
        if let anchor = icon.anchor {
            // Images are usually square. The centre does not depend on the shape.
            if anchor.x != 0.5 { keys["graphicXOffset"] = .number(-anchor.x * size) }
            if anchor.y != 0.5 { keys["graphicYOffset"] = .number(-anchor.y * size) }
        }
        if let opacity = icon.paint?.opacity, opacity < 1 { keys["graphicOpacity"] = .number(opacity) }
        if let color = icon.paint?.color, color != .white { keys["graphicColor"] = .string(color.hexText) }
        if let heading = icon.heading, heading != 0 { keys["rotation"] = .number(heading) }
    }

    /// The colour of the pin that replaces a missing image, or `nil` if there is an image or no point symbol.
    var pinColor: MapColor? {
        guard let icon, icon.pictureAddress == nil, icon.scale != 0, icon.paint?.opacity != 0 else { return nil }
        return icon.paint.map { $0.color.withOpacity($0.opacity) } ?? MapColor(red: 0xFF, green: 0xDD, blue: 0x33)
    }
}

extension KMLStyle.Icon {
    /// The URL of the image, or `nil` without an image, or for one that is built into a viewer (`root://`).
    var pictureAddress: String? {
        guard let address, !address.lowercased().hasPrefix("root:") else { return nil }
        return address
    }
}

extension MapColor {
    /// The perceived brightness, 0 to 1 (ITU-R BT.709 weights, without the transfer curve).
    fileprivate var luminance: Double {
        (0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)) / 255
    }
}
