import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanStyles
import PortolanText
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The MapLibre style of a map, as clients receive it: its sources, sprites and glyphs in local files have addresses of
/// this server, and other addresses stay as they are.
struct ServedStyle {
    /// The largest sprite or range of glyphs in bytes.
    private static let byteLimit = 16 << 20

    private let map: PublishedMap
    private let style: StyleSource
    private let members: Properties

    /// Returns `nil` if the map is not drawn by one style alone.
    init?(_ map: PublishedMap) {
        guard map.layers.count == 1, let style = map.layers[0].style, let members = style.sheet.document.objectValue
        else { return nil }
        (self.map, self.style, self.members) = (map, style, members)
    }

    /// The style that shows the drawn tiles of a map.
    static func ofTiles(_ map: PublishedMap, at base: String) -> Properties {
        [
            "version": 8, "name": .string(map.title),
            "sources": [
                "tiles": [
                    "type": "raster", "url": .string("\(base)/styles/\(map.name).json"), "tileSize": 256,
                ]
            ],
            "layers": [["id": "tiles", "type": "raster", "source": "tiles"]],
        ]
    }

    /// Returns the document, or the name of a part that cannot be sent.
    ///
    /// - Parameter base: the public base URL of the server.
    func document(at base: String) -> (document: Properties?, lost: String?) {
        var shown = members, sources = Properties()
        for source in members["sources"]?.objectValue ?? [:] {
            guard let own = served(source.name, source.value.objectValue ?? [:], at: base) else {
                return (nil, "source '\(source.name)'")
            }
            sources[source.name] = .object(own)
        }
        shown["sources"] = .object(sources)
        if let sprite = members["sprite"] {
            guard let own = served(sprite: sprite, at: base) else { return (nil, "the sprite") }
            shown["sprite"] = own
        }
        let glyphs = members["glyphs"]?.stringValue
        if let glyphs, !Self.isPublic(glyphs), !FontBook.isBuiltIn, glyphPath("x", "0-255") == nil {
            return (nil, "the glyphs")
        }
        // Labels of a style without glyphs are drawn with the fonts of the server.
        if glyphs.map({ !Self.isPublic($0) }) ?? (hasLabels && FontBook.isBuiltIn) {
            shown["glyphs"] = .string("\(base)/fonts/{fontstack}/{range}.pbf")
        }
        return (shown, nil)
    }

    /// Returns whether an address leads to a server for everyone: it has no key or password.
    private static func isPublic(_ address: String) -> Bool {
        ["http://", "https://"].contains(where: address.lowercased().hasPrefix)
            && FetchError.redactedWhole(address) == address
    }

    // MARK: - Sources

    /// Returns the members of a source, or `nil` if it cannot be sent.
    private func served(_ name: String, _ source: Properties, at base: String) -> Properties? {
        var shown = source
        let drawn = style.sources[name], tiles = (drawn as? VectorTileSource)?.tiles ?? drawn as? TileSource
        if let tiles, let index = map.archives.firstIndex(where: { $0.tiles.address == tiles.address }) {
            shown["tiles"] = nil
            shown["scheme"] = nil
            shown["url"] = .string("\(base)/data/\(PercentEncoding.pathPart(map.archiveNames[index])).json")
            if map.archives[index].content == .mlt { shown["encoding"] = "mlt" }
            return shown
        }
        if features(of: name) != nil {
            let path = "styles/\(map.name)/sources/\(PercentEncoding.pathPart(name)).geojson"
            shown["data"] = .string("\(base)/\(path)")
            return shown
        }
        var addresses = (source["tiles"]?.arrayValue ?? []).map(\.stringValue)
        for key in ["url", "data"] where source[key]?.objectValue == nil {
            if let value = source[key] { addresses.append(value.stringValue) }
        }
        // A local address, or one with a key, must not be sent.
        return addresses.allSatisfy { $0.map(Self.isPublic) ?? false } ? shown : nil
    }

    /// Returns the features of a source that was read from a file or a server, or `nil` if there are none in degrees.
    func features(of name: String) -> FeatureCollection? {
        guard let source = style.sources[name] as? FeatureSource, source.crs.isLongitudeLatitude else { return nil }
        return FeatureCollection(features: source.features)
    }

    // MARK: - Sprites

    private func served(sprite: PropertyValue, at base: String) -> PropertyValue? {
        let isList = sprite.arrayValue != nil, start = "\(base)/styles/\(map.name)/sprite"
        var shown: [PropertyValue] = []
        for sprite in style.sheet.sprites {
            var address = sprite.url
            if !Self.isPublic(address) {
                guard spriteAddress(sprite.id) != nil else { return nil }
                address = isList ? "\(start)/\(PercentEncoding.pathPart(sprite.id))" : start
            }
            guard isList else { return .string(address) }
            shown.append(["id": .string(sprite.id), "url": .string(address)])
        }
        return isList ? .array(shown) : nil
    }

    /// Returns the path of a sprite without its pixel ratio and file extension, with the origin of the path.
    private func spriteAddress(_ id: String?) -> (path: String, origin: NamedURL.Origin)? {
        let sprites = style.sheet.sprites
        let sprite = sprites.first { $0.id == id ?? "default" } ?? (id == nil ? sprites.first : nil)
        return sprite.flatMap { path(of: $0.url) }
    }

    /// Returns the bytes of a part of a sprite in a file or packed from a folder, or `nil` without one.
    ///
    /// - Parameter ending: the pixel ratio and the file extension.
    func spriteFile(_ id: String?, _ ending: String, _ packed: PackedSprites) -> [UInt8]? {
        guard let (path, origin) = spriteAddress(id) else { return nil }
        if let bytes = bytes(of: path + ending, origin) { return bytes }
        return SpriteFolder.Part(ofFile: path + ending).flatMap { part in
            try? packed.content(of: SpriteFolder(path: part.folder, namedBy: origin, policy: policy), part)
        }
    }

    /// The warnings about sprites that are packed from folders.
    var spriteWarnings: [MapWarning] {
        style.sheet.sprites.flatMap { sprite -> [MapWarning] in
            guard let (path, origin) = path(of: sprite.url), let part = SpriteFolder.Part(ofFile: path + ".json") else {
                return []
            }
            let messages: [String]
            do throws(SpriteFolder.Failure) {
                messages = try SpriteFolder(path: part.folder, namedBy: origin, policy: policy).packed(ratio: 1)
                    .warnings
            } catch { messages = ["\(error)"] }
            return messages.map {
                MapWarning(
                    .style, MapWarning.Subject(member: "sprite '\(sprite.id)'"), effect: .omitted, message: $0)
            }
        }
    }

    private var policy: AddressPolicy { style.baseURL?.policy ?? .standard }

    // MARK: - Glyphs

    /// Returns the glyphs of a font from a file of the style, or `nil`.
    func glyphs(of font: String, _ range: String) -> [UInt8]? {
        guard Self.isFileName(font), let place = glyphPath(font, range) else { return nil }
        return bytes(of: place.path, place.origin)
    }

    /// Whether a layer may have labels.
    private var hasLabels: Bool {
        members["layers"]?.arrayValue?.contains { $0.objectValue?["layout"]?.objectValue?["text-field"] != nil }
            ?? false
    }

    /// The fonts that its layers name, those of expressions included.
    var textFonts: Set<String> {
        var names: Set<String> = []
        func collect(_ value: PropertyValue) {
            if let text = value.stringValue { names.insert(text) }
            for part in value.arrayValue ?? [] { collect(part) }
        }
        for layer in members["layers"]?.arrayValue ?? [] {
            if let fonts = layer.objectValue?["layout"]?.objectValue?["text-font"] { collect(fonts) }
        }
        return names
    }

    /// Returns the names of the fonts with glyphs in files, in alphabetical order.
    static func fontNames(of maps: [PublishedMap]) -> [String] {
        var names: Set<String> = []
        for style in maps.compactMap(ServedStyle.init) {
            guard let place = style.glyphPath("\u{1}", "0-255"),
                let folder = place.path.split(separator: "\u{1}", omittingEmptySubsequences: false).first,
                folder.hasSuffix("/")
            else { continue }
            let found = (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []
            names.formUnion(found.filter { isFileName($0) && style.glyphs(of: $0, "0-255") != nil })
        }
        return names.sorted()
    }

    private static func isFileName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count < 256 && !text.hasPrefix(".") && !text.utf8.contains { $0 == 0 || $0 == 0x2F }
    }

    private func glyphPath(_ font: String, _ range: String) -> (path: String, origin: NamedURL.Origin)? {
        guard let template = members["glyphs"]?.stringValue, template.contains("{fontstack}") else { return nil }
        return path(of: template.replacing("{fontstack}", with: font).replacing("{range}", with: range))
    }

    // MARK: - Files

    /// Returns the local path of an address in the style, or `nil` if it leads to a server or is refused.
    private func path(of address: String) -> (path: String, origin: NamedURL.Origin)? {
        guard let source = IconMarker.Source(address),
            let named = IconAddress.url(of: source, relativeTo: style.baseURL),
            let path = try? FileTransport.path(of: named.text)
        else { return nil }
        return (path, named.origin)
    }

    private func bytes(of path: String, _ origin: NamedURL.Origin) -> [UInt8]? {
        guard let file = try? LocalFile(at: path, namedBy: origin, policy: policy) else { return nil }
        return try? file.bytes(limit: Self.byteLimit)
    }
}
