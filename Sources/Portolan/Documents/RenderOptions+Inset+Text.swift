import PortolanFeatures
import PortolanGeo
import PortolanServices
import PortolanWeb

extension RenderOptions.Inset {
    /// An invalid description of an inset.
    package struct Malformed: Error, Hashable, Sendable {
        /// The expected form.
        package let wanted: String
    }

    /// Parses a description such as `bbox=24.9,60.1,25,60.2;bbox-crs=EPSG:4326;at=top-left;size=30%`; `auto` is a locator
    /// map of all layers.
    package init(_ text: String, isLocator: Bool) throws(RenderOptions.Inset.Malformed) {
        if isLocator, text == "auto" {
            self = .locator()
            return
        }
        let values = text.split(separator: ";").map { part in
            let key = part.prefix { $0 != "=" }
            return (String(key), String(part.dropFirst(key.count + 1)))
        }
        try self.init(values: values, isLocator: isLocator)
    }

    /// Creates an inset from its keys and their values.
    init(values: [(key: String, text: String)], isLocator: Bool) throws(RenderOptions.Inset.Malformed) {
        self = isLocator ? .locator() : RenderOptions.Inset()
        for (key, text) in values {
            switch key {
            case "bbox":
                guard let numbers = ViewRequest.numbers(text, count: 4), let box = Extent(sides: numbers) else {
                    throw Malformed(wanted: "bbox=MINX,MINY,MAXX,MAXY, east first")
                }
                extent = box
            case "bbox-crs":
                guard let named = try? CRS(text) else { throw Malformed(wanted: "bbox-crs=CODE of a known CRS") }
                crs = named
            case "at":
                guard let corner = Corner(rawValue: text) else {
                    throw Malformed(wanted: "at=\(Corner.allCases.map(\.rawValue).joined(separator: "|"))")
                }
                self.corner = corner
            case "size":
                let digits = text.last == "%" ? text.dropLast() : text[...]
                guard let percent = Double(digits), Self.shares.contains(percent / 100) else {
                    throw Malformed(wanted: "size=N%, 2 to 90")
                }
                share = percent / 100
            case "layers":
                let names = text.split(separator: ",").map(String.init)
                guard !names.isEmpty else { throw Malformed(wanted: "layers=NAME,…") }
                layers = names
            default: throw Malformed(wanted: "the keys bbox, bbox-crs, at, size and layers")
            }
        }
        guard extent != nil || isLocator else { throw Malformed(wanted: "bbox=MINX,MINY,MAXX,MAXY") }
        guard crs == nil || extent != nil else { throw Malformed(wanted: "bbox with bbox-crs") }
    }

    /// The members of the object in a map document, without default values.
    var members: Properties {
        var members: Properties = [:]
        if let extent {
            members["bbox"] = .array([extent.minX, extent.minY, extent.maxX, extent.maxY].map { .number($0) })
        }
        members["bbox-crs"] = (crs?.name).map { .string($0) }
        if corner != .automatic { members["at"] = .string(corner.rawValue) }
        let usual = isLocator ? RenderOptions.Inset.locator().share : RenderOptions.Inset().share
        if share != usual { members["size"] = .string("\(NumberText.decimal(share * 100))%") }
        members["layers"] = layers.map { .array($0.map { .string($0) }) }
        return members
    }
}
