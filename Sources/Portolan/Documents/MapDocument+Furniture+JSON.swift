import PortolanFeatures
import PortolanPaint
import PortolanRaster

extension MapDocument.Furniture {
    /// The keys of the object in a map document.
    static let keys = [
        "title", "subtitle", "source", "attribution", "theme", "background", "sphere", "legend", "scale-bar",
        "north-arrow", "graticule", "frame", "insets", "locator", "profile",
    ]

    /// Sets the value of a key.
    ///
    /// - Returns: a description of the expected value if the value is invalid, otherwise `nil`.
    mutating func set(_ key: String, to value: PropertyValue) -> String? {
        switch key {
        case "title":
            guard let text = value.stringValue else { return "a text" }
            title = text
        case "subtitle", "source":
            guard let text = value.stringValue else { return "a text" }
            if key == "source" { source = text } else { subtitle = text }
        case "frame":
            guard let own = value.stringValue.flatMap({ PrintPage.Frame(rawValue: $0) }) else {
                return PrintPage.Frame.allCases.map(\.rawValue).joined(separator: ", ")
            }
            frame = own
        case "insets":
            guard case .array(let entries) = value else {
                return "a list of objects with bbox, bbox-crs, at, size and layers"
            }
            for entry in entries {
                if let wanted = addInset(entry, isLocator: false) { return "a list: each inset must have \(wanted)" }
            }
        case "locator": return addInset(value, isLocator: true).map { "auto or an object: \($0)" }
        case "profile":
            if value == .bool(false) { return nil }
            guard let own = Profile(value) else { return Profile.wanted }
            profile = own
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
        case "scale-bar":
            if case .bool(let flag) = value {
                showsScaleBar = flag
                return nil
            }
            scaleBarUnits = value.stringValue.flatMap { PortolanPaint.Furniture.LengthUnits(rawValue: $0) }
            showsScaleBar = scaleBarUnits != nil
            return showsScaleBar ? nil : "true, false, metric, imperial or nautical"
        case "legend":
            if case .bool(let flag) = value {
                showsLegend = flag
                return nil
            }
            legendCorner = value.stringValue.flatMap { RenderOptions.Inset.Corner(rawValue: $0) }
            showsLegend = legendCorner != nil
            let corners = RenderOptions.Inset.Corner.allCases.map(\.rawValue).joined(separator: ", ")
            return showsLegend ? nil : "true, false or one of \(corners)"
        case "graticule":
            let isAutomatic = value.stringValue == "auto"
            guard let lines = isAutomatic ? .automatic : Furniture.Graticule(degrees: value.doubleValue) else {
                return "'auto' or degrees up to 90"
            }
            graticule = lines
        default:
            guard case .bool(let flag) = value else { return "true or false" }
            showsNorthArrow = flag
        }
        return nil
    }

    /// Adds an inset, and returns a description of the expected value if the value is invalid.
    private mutating func addInset(_ value: PropertyValue, isLocator: Bool) -> String? {
        if isLocator, value.stringValue == "auto" {
            insets.append(.locator())
            return nil
        }
        guard let object = value.objectValue else { return "bbox, bbox-crs, at, size and layers" }
        do throws(RenderOptions.Inset.Malformed) {
            insets.append(
                try RenderOptions.Inset(values: object.map { ($0.name, $0.value.keyText ?? "") }, isLocator: isLocator))
            return nil
        } catch { return error.wanted }
    }

    /// The members of the object in a map document.
    var members: Properties {
        var members: Properties = [:]
        members["title"] = title.map { .string($0) }
        members["subtitle"] = subtitle.map { .string($0) }
        members["source"] = source.map { .string($0) }
        switch attribution {
        case nil: break
        case .automatic: members["attribution"] = "auto"
        case .some(.none): members["attribution"] = "none"
        case .text(let text): members["attribution"] = .string(text)
        }
        members["theme"] = theme.map { .string($0.text) }
        members["background"] = background.map { .string($0.cssText) }
        members["sphere"] = sphere.map { .string($0.cssText) }
        if showsLegend { members["legend"] = legendCorner.map { .string($0.rawValue) } ?? true }
        if showsNorthArrow { members["north-arrow"] = true }
        if showsScaleBar { members["scale-bar"] = scaleBarUnits.map { .string($0.rawValue) } ?? true }
        members["frame"] = frame.map { .string($0.rawValue) }
        let plain = insets.filter { !$0.isLocator }
        if !plain.isEmpty { members["insets"] = .array(plain.map { .object($0.members) }) }
        if let locator = insets.first(where: \.isLocator) {
            let own = locator.members
            members["locator"] = own.isEmpty ? "auto" : .object(own)
        }
        members["profile"] = profile.map(\.value)
        switch graticule {
        case nil: break
        case .automatic: members["graticule"] = "auto"
        case .degrees(let degrees): members["graticule"] = .number(degrees)
        }
        return members
    }
}
