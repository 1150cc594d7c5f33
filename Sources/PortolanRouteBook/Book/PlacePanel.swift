import Foundation
public import Portolan
public import PortolanFeatures
import PortolanGeo
public import PortolanPaint
import PortolanPlan
public import PortolanWeb

/// The details of a place for display: texts, attachments and position on the route.
public struct PlacePanel: Hashable, Sendable {
    /// An image, sound, video or page that belongs to a place.
    public struct Attachment: Hashable, Sendable {
        /// The kind of attachment.
        public enum Kind: String, Hashable, Sendable, Codable {
            /// An image.
            case picture
            /// A sound.
            case sound
            /// A video.
            case video
            /// Any other page.
            case page
        }

        /// The kind, from the media type or else from the file extension.
        public let kind: Kind
        /// The absolute URL.
        public let address: NamedURL
        /// The title, or `nil`.
        public let title: String?
    }

    /// The name, or `nil`.
    public let name: String?
    /// The description, or `nil`.
    public let text: String?
    /// The attachments, without URLs that the document may not refer to.
    public let attachments: [Attachment]
    /// The number of the place among the stops of the route, from 1, or `nil` if it is not a stop.
    public let number: Int?
    /// The number of stops of the route.
    public let count: Int
    /// The distance along the route in metres, or `nil` if the route has no line.
    public let distance: Double?
    /// The fraction of the route completed at this place, 0 to 1, or `nil` if the route has no line.
    public let progress: Double?

    /// Creates the details of a place.
    ///
    /// - Parameters:
    ///   - collection: the route, in degrees.
    ///   - baseURL: the base of relative URLs.
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

    /// An info bar with name, description, number and distance along the route.
    public var infoBar: Furniture.InfoBar {
        var facts = [text].compactMap(\.self)
        if let number { facts.append("\(number) of \(count)") }
        if let distance { facts.append(String(format: "%.1f km", distance / 1000)) }
        return Furniture.InfoBar(title: name ?? number.map { "Place \($0)" } ?? "Place", facts: facts)
    }

    /// The properties that contain a single attachment, with its default kind.
    private static let names: [(String, Attachment.Kind?)] = [
        ("image", .picture), ("picture", .picture), ("photo", .picture), ("audio", .sound), ("sound", .sound),
        ("video", .video), ("url", nil), ("website", .page), ("link", nil),
    ]
    /// The maximum number of attachments.
    private static let limit = 100

    private static func attachments(_ properties: Properties, _ baseURL: BaseURL?) -> [Attachment] {
        var found: [Attachment] = []
        func add(_ address: String, _ title: String?, _ type: String?, _ usual: Attachment.Kind?) {
            guard found.count < limit, let source = IconMarker.Source(address),
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

    /// Returns the kind for a media type or a file extension, or `nil`.
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

    /// Returns the distance of the route point nearest to a place, and the total length of the route, in metres.
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
    /// The details of the selected feature for ``RenderOptions/infoBar``, or `nil` without a selection.
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
