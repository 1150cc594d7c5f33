import Foundation
public import Portolan
public import PortolanFeatures
import PortolanGeo
public import PortolanPaint
import PortolanPlan
public import PortolanWeb

/// What an app shows about a place of a route: its words, what belongs to it, and where on the way it is.
public struct PlacePanel: Hashable, Sendable {
    /// A picture, sound, film or page that belongs to a place.
    public struct Attachment: Hashable, Sendable {
        /// Kinds of attachments.
        public enum Kind: String, Hashable, Sendable, Codable {
            /// A picture.
            case picture
            /// Something to hear.
            case sound
            /// A film.
            case video
            /// Anything else.
            case page
        }

        /// What it is, by its media type, or by the end of its address where none is said.
        public let kind: Kind
        /// Its address, in full.
        public let address: NamedURL
        /// What it is called, or `nil` when nothing is said.
        public let title: String?
    }

    /// What the place is called, or `nil` when it has no name.
    public let name: String?
    /// What there is to say about it, or `nil` when nothing is said.
    public let text: String?
    /// What belongs to it, but for addresses that the document may not lead to.
    public let attachments: [Attachment]
    /// Which of the places that next and previous stop at it is, from 1; `nil` when they pass it by.
    public let number: Int?
    /// How many places there are to stop at.
    public let count: Int
    /// How far along the route's lines it lies, in metres; `nil` when there is no line.
    public let distance: Double?
    /// The share of the way that is done there, 0 to 1; `nil` when there is no line.
    public let progress: Double?

    /// Looks at a place of a route.
    ///
    /// - Parameters:
    ///   - collection: the route, in degrees.
    ///   - baseURL: what its relative addresses are relative to.
    /// - Complexity: O(coordinates).
    public init(_ place: Feature, of collection: FeatureCollection, baseURL: BaseURL? = nil) {
        name = place.title
        text = place.properties["description"]?.displayText ?? place.properties["comment"]?.displayText
        attachments = Self.attachments(place.properties, baseURL)
        let stops = collection.withPlaces().features.stops
        count = stops.count
        number = stops.firstIndex { $0.identifier == place.identifier }.map { $0 + 1 }
        let way = place.geometry?.coordinates.first.flatMap { Self.way(to: $0, along: collection) }
        distance = way?.distance
        progress = way.map { $0.length > 0 ? $0.distance / $0.length : 0 }
    }

    /// A bar for the foot of a picture: the name, what there is to say, which of the places it is, and how far along the route.
    public var infoBar: InfoBar {
        var facts = [text].compactMap(\.self)
        if let number { facts.append("\(number) of \(count)") }
        if let distance { facts.append(String(format: "%.1f km", distance / 1000)) }
        return InfoBar(title: name ?? number.map { "Place \($0)" } ?? "Place", facts: facts)
    }

    /// The properties that name a single attachment, and what it is where nothing else tells.
    private static let names: [(String, Attachment.Kind?)] = [
        ("image", .picture), ("picture", .picture), ("photo", .picture), ("audio", .sound), ("sound", .sound),
        ("video", .video), ("url", nil), ("website", .page), ("link", nil),
    ]
    /// More than these are not looked at.
    private static let limit = 100

    private static func attachments(_ properties: Properties, _ baseURL: BaseURL?) -> [Attachment] {
        var found: [Attachment] = []
        func add(_ address: String, _ title: String?, _ type: String?, _ usual: Attachment.Kind?) {
            guard found.count < limit, let source = IconSource(address),
                let url = IconAddress.url(of: source, relativeTo: baseURL),
                !found.contains(where: { $0.address == url })
            else { return }
            found.append(Attachment(kind: kind(of: address, type) ?? usual ?? .page, address: url, title: title))
        }
        for (name, usual) in names {
            guard let value = properties[name] else { continue }
            for text in value.stringValue.map({ [$0] }) ?? value.arrayValue?.compactMap(\.stringValue) ?? [] {
                add(text, nil, nil, usual)
            }
        }
        for name in ["links", "media"] {
            for link in properties[name]?.arrayValue ?? [] {
                if let text = link.stringValue { add(text, nil, nil, nil) }
                guard let link = link.objectValue, let address = link["href"]?.stringValue else { continue }
                add(address, link["text"]?.stringValue ?? link["title"]?.stringValue, link["type"]?.stringValue, nil)
            }
        }
        return found
    }

    /// The kind that a media type tells, or the end of an address; `nil` when neither does.
    private static func kind(of address: String, _ type: String?) -> Attachment.Kind? {
        switch type?.lowercased().split(separator: "/").first {
        case "image": return .picture
        case "audio": return .sound
        case "video": return .video
        default: break
        }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        switch path.split(separator: ".").last?.lowercased() {
        case "png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "heic": return .picture
        case "mp3", "ogg", "oga", "m4a", "wav", "flac", "aac", "opus": return .sound
        case "mp4", "m4v", "mov", "webm", "ogv", "avi", "mkv": return .video
        default: return nil
        }
    }

    /// How far along the lines of a route the point next to a place lies, and how long they are, in metres.
    private static func way(
        to place: Coordinate, along collection: FeatureCollection
    ) -> (distance: Double, length: Double)? {
        var length = 0.0, best: (gap: Double, distance: Double)?
        for geometry in collection.features.lazy.filter(\.isLine).compactMap(\.geometry) {
            for line in geometry.parts.compactMap({ GroundLine(Array($0)) }) {
                let near = line.nearest(to: place)
                if near.meters < best?.gap ?? .infinity { best = (near.meters, length + near.measure) }
                length += line.length
            }
        }
        return best.map { ($0.distance, length) }
    }
}

extension MapFacade {
    /// What there is to show about the selected feature, as in ``RenderOptions/infoBar``; `nil` while nothing is selected.
    ///
    /// ```swift
    /// map.options.infoBar = map.selectedPlace?.infoBar ?? facts.infoBar
    /// ```
    public var selectedPlace: PlacePanel? {
        guard let place = selectedFeature, let layer = selection.flatMap({ self.layer(named: $0.layer) }) else {
            return nil
        }
        let source = layer.featureSources.first
        return PlacePanel(
            place, of: FeatureCollection(features: source?.features ?? [place]), baseURL: source?.baseURL)
    }
}
