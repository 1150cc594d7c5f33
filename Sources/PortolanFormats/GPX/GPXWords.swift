import PortolanFeatures
import PortolanGeo
import PortolanXML

/// The relevant GPX elements, in the order of their numbers.
enum GPXName: UInt8, CaseIterable {
    /// Any other element.
    case other
    case wpt, rte, trk, metadata, rpt, rtept, trkseg, trkpt, ele, extensions
    case name, desc, cmt, src, sym, type, time, url, urlname, author, copyright, link, text

    static let vocabulary = XMLVocabulary(allCases.dropFirst().map { "\($0)" })
}

/// The descriptive elements of a GPX document, a line or a point.
struct GPXWords {
    /// A link to a web page or a file.
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

    /// The text content of an element.
    enum Field {
        case name, description, comment, source, symbol, category, time, author
        /// The text and the media type of the last link.
        case linkText, linkType
        /// The URL of GPX 1.0, and its text.
        case address, addressText
    }

    /// Sets the text of an element.
    mutating func set(_ field: Field, to value: String) {
        switch field {
        case .name: name = value
        case .description: description = value
        case .comment: comment = value
        case .source: source = value
        case .symbol: symbol = value
        case .category: category = value
        case .time: time = value
        case .author: author = value
        case .linkText: if !links.isEmpty { links[links.count - 1].text = value }
        case .linkType: if !links.isEmpty { links[links.count - 1].type = value }
        case .address: if links.isEmpty { links.append(Link(address: value)) } else { links[0].address = value }
        case .addressText: if links.isEmpty { links.append(Link(text: value)) } else { links[0].text = value }
        }
    }

    /// Returns a point of interest with these elements.
    func place(_ coordinate: Coordinate, number: Int, _ gpx: String) -> Feature {
        let geometry = Geometry(
            kind: .point, coordinates: [coordinate], altitudes: elevation.map { [$0] } ?? [])
        return feature(id: "\(gpx)\(number)", type: "poi", geometry: geometry, gpx: gpx)
    }

    /// Returns a feature with these elements as its properties.
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
        extensions.addStyle(to: &properties, isPoint: type == "poi")
        if !extensions.texts.isEmpty { properties["extensions"] = .object(extensions.texts) }
        for property in extensions.properties { properties[property.name] = property.value }
        return Feature(id: .string(id), geometry: geometry, properties: properties)
    }
}
