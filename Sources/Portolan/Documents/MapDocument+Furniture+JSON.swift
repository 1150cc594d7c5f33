import PortolanFeatures
import PortolanPaint
import PortolanRaster

extension MapDocument.Furniture {
    /// The keys of the object in a map document.
    static let keys = [
        "title", "attribution", "theme", "background", "sphere", "legend", "scale-bar", "north-arrow", "graticule",
    ]

    /// Sets the value of a key.
    ///
    /// - Returns: a description of the expected value if the value is invalid, otherwise `nil`.
    mutating func set(_ key: String, to value: PropertyValue) -> String? {
        switch key {
        case "title":
            guard let text = value.stringValue else { return "a text" }
            title = text
        case "attribution":
            guard let text = value.stringValue else { return "auto, none or a text" }
            attribution = RenderOptions.Attribution(text)
        case "theme":
            guard value.stringValue != "auto" else { return nil }
            guard let own = value.stringValue.flatMap({ PortolanPaint.Furniture.Theme($0) }) else {
                return "auto, light or dark, or two colours such as '#222,#f4ecd8'"
            }
            theme = own
        case "background":
            guard let color = value.stringValue.flatMap({ MapColor(css: $0) }) else { return "a colour" }
            background = color
        case "sphere":
            guard let color = value.stringValue.flatMap({ MapColor(css: $0) }) else { return "a colour" }
            sphere = color
        case "graticule":
            let isAutomatic = value.stringValue == "auto"
            guard let lines = isAutomatic ? .automatic : Furniture.Graticule(degrees: value.doubleValue) else {
                return "'auto' or degrees up to 90"
            }
            graticule = lines
        default:
            guard case .bool(let flag) = value else { return "true or false" }
            switch key {
            case "legend": showsLegend = flag
            case "scale-bar": showsScaleBar = flag
            default: showsNorthArrow = flag
            }
        }
        return nil
    }

    /// The members of the object in a map document.
    var members: Properties {
        var members: Properties = [:]
        members["title"] = title.map { .string($0) }
        switch attribution {
        case nil: break
        case .automatic: members["attribution"] = "auto"
        case .some(.none): members["attribution"] = "none"
        case .text(let text): members["attribution"] = .string(text)
        }
        members["theme"] = theme.map { .string($0.text) }
        members["background"] = background.map { .string($0.cssText) }
        members["sphere"] = sphere.map { .string($0.cssText) }
        for (key, flag) in [("legend", showsLegend), ("scale-bar", showsScaleBar), ("north-arrow", showsNorthArrow)]
        where flag { members[key] = true }
        switch graticule {
        case nil: break
        case .automatic: members["graticule"] = "auto"
        case .degrees(let degrees): members["graticule"] = .number(degrees)
        }
        return members
    }
}
