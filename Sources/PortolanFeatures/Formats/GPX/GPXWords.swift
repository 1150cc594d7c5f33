import PortolanGeo

/// What a GPX document says of itself, a line or a point.
struct GPXWords {
    /// Something on the web, or a file.
    struct Link {
        var address: String?
        var text: String?
        var type: String?
    }

    var name: String?
    var description: String?
    var comment: String?
    var source: String?
    var symbol: String?
    var category: String?
    var time: String?
    var author: String?
    var elevation: Double?
    var links: [Link] = []
    var extensions = GPXExtensions()

    /// The text of the link that came last.
    var lastLinkText: String? {
        get { links.last?.text }
        set { if !links.isEmpty { links[links.count - 1].text = newValue } }
    }

    /// The media type of the link that came last.
    var lastLinkType: String? {
        get { links.last?.type }
        set { if !links.isEmpty { links[links.count - 1].type = newValue } }
    }

    /// The one address of GPX 1.0.
    var address: String? {
        get { links.first?.address }
        set { if links.isEmpty { links.append(Link(address: newValue)) } else { links[0].address = newValue } }
    }

    /// The text for the one address of GPX 1.0.
    var addressText: String? {
        get { links.first?.text }
        set { if links.isEmpty { links.append(Link(text: newValue)) } else { links[0].text = newValue } }
    }

    /// A point of interest with these words.
    func place(_ coordinate: Coordinate, number: Int, _ gpx: String) -> Feature {
        let geometry = Geometry(
            kind: .point, coordinates: [coordinate], altitudes: elevation.map { [$0] } ?? [])
        return feature(id: "\(gpx)\(number)", type: "poi", geometry: geometry, gpx: gpx)
    }

    /// A feature with these words as its properties.
    func feature(id: String, type: String, geometry: Geometry?, gpx: String) -> Feature {
        var properties: Properties = ["type": .string(type)]
        let all = [
            ("name", name), ("description", description ?? comment), ("comment", description == nil ? nil : comment),
            ("category", category), ("symbol", symbol), ("source", source), ("time", time),
        ]
        for case (let name, let text?) in all { properties[name] = .string(text) }
        let links = links.filter { $0.address != nil }.map { link -> PropertyValue in
            var value: Properties = ["href": .string(link.address ?? "")]
            if let text = link.text { value["text"] = .string(text) }
            if let type = link.type { value["type"] = .string(type) }
            return .object(value)
        }
        if !links.isEmpty { properties["links"] = .array(links) }
        properties["gpx"] = .string(gpx)
        if let style = extensions.style { properties["style"] = .object(style) }
        if !extensions.texts.isEmpty { properties["extensions"] = .object(extensions.texts) }
        for property in extensions.properties { properties[property.name] = property.value }
        return Feature(id: .string(id), geometry: geometry, properties: properties)
    }
}
