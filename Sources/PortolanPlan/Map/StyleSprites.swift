import PortolanFeatures
import PortolanRaster
import PortolanStyles
import PortolanWeb

/// The sprites of a style for a view: an index and an image each, at double density if the picture is dense.
///
/// The usual density is the fallback for services and folders without a denser sprite. Without its sprite, a style is
/// drawn without the pictures. Failed resources are reported as usual.
struct StyleSprites {
    /// The needed resources.
    private(set) var resources: [Resource] = []
    /// The sprites received so far.
    private(set) var sprites: [Sprite] = []
    /// Warnings about sprites that are invalid or cannot be requested.
    private(set) var warnings: [MapWarning] = []
    /// Whether some may still arrive.
    private(set) var isWaiting = false
    /// The received sprites, which determine the drawing.
    private(set) var key: [String] = []
    private let memory: SpriteCache
    /// The number of pixels generated from pictures for the style.
    ///
    /// Each rotation is another picture.
    private var madePixelCount = 0
    private static let mostMadePixels = 1 << 24

    init(
        _ sheet: StyleSheet, base: BaseURL?, _ view: LayerView, given arrivals: Arrivals, _ memory: SpriteCache
    ) {
        self.memory = memory
        for sprite in sheet.sprites {
            guard let address = memory.address(of: sprite.url, relativeTo: base) else {
                warn(of: "sprite '\(sprite.id)'", "invalid URL, or one that the style may not refer to")
                continue
            }
            add(sprite.id, address, view, arrivals)
        }
        for graphic in sheet.graphics { add(graphic, base, view, arrivals) }
    }

    private mutating func warn(of picture: String, _ message: String) {
        warnings.append(MapWarning(.style, MapWarning.Subject(member: picture), effect: .omitted, message: message))
    }

    /// Adds a picture that is not in a sprite.
    private mutating func add(_ graphic: StyleGraphic, _ base: BaseURL?, _ view: LayerView, _ arrivals: Arrivals) {
        if let sprite = graphic.sprite(pixelRatio: view.viewport.pixelRatio) { return take(sprite, graphic) }
        guard case .picture(let text) = graphic.content else { return }
        guard let source = IconMarker.Source(text), let address = IconAddress.url(of: source, relativeTo: base) else {
            warn(of: "picture '\(text.prefix(120))'", "invalid URL, or one that the style may not refer to")
            return
        }
        let resource = Resource(
            id: view.id(.icon(address: address)), location: .url(address), form: .image, use: .shown,
            name: "picture of the style", rank: -1)
        if !resources.contains(resource) { resources.append(resource) }
        guard let image = arrivals.image(resource.id) else {
            isWaiting = isWaiting || arrivals[resource.id] == nil
            return
        }
        guard madePixelCount <= Self.mostMadePixels else {
            warn(of: "picture '\(text.prefix(120))'", "too many pixels in rotated or spaced images")
            return
        }
        guard let sprite = graphic.sprite(image: image) else { return }
        if graphic.makesPicture { madePixelCount += sprite.image.size.pixelCount }
        take(sprite, graphic, image)
    }

    private mutating func take(_ sprite: Sprite, _ graphic: StyleGraphic, _ image: PixelBuffer? = nil) {
        sprites.append(sprite)
        key.append(graphic.name + (image.map { " \(memory.number(of: $0))" } ?? ""))
    }

    private mutating func add(_ id: String, _ address: NamedURL, _ view: LayerView, _ arrivals: Arrivals) {
        if view.viewport.pixelRatio > 1 {
            switch part(id, address, density: "@2x", .probe, view, arrivals) {
            case .come(let sprite, let number): return take(sprite, number, density: "@2x")
            case .awaited: return isWaiting = true
            // Whatever the fault of the denser sprite, incomplete or invalid, the usual one is the fallback.
            case .missing, .unreadable: break
            }
        }
        switch part(id, address, density: "", .shown, view, arrivals) {
        case .come(let sprite, let number): take(sprite, number, density: "")
        case .awaited: isWaiting = true
        case .missing: break
        case .unreadable(let error): warn(of: "sprite '\(id)'", "\(error)")
        }
    }

    private mutating func take(_ sprite: Sprite, _ number: Int, density: String) {
        let malformed = sprite.index.malformedNames
        if !malformed.isEmpty {
            let names = malformed.prefix(5).map { "'\($0.prefix(60))'" }.joined(separator: ", ")
            warn(of: "sprite '\(sprite.id)'", "\(malformed.count) images not drawn: \(names)")
        }
        sprites.append(sprite)
        key.append("\(sprite.id)\(density) \(number) \(memory.number(of: sprite.image))")
    }

    /// The state of a sprite at one density.
    private enum Part {
        /// The sprite, and the number of its index.
        case come(Sprite, Int)
        case awaited
        case missing
        case unreadable(SpriteError)
    }

    /// Requests a sprite at a density: the image once its index has arrived, or both at once if there is no fallback.
    private mutating func part(
        _ id: String, _ address: NamedURL, density: String, _ use: Resource.Use, _ view: LayerView, _ arrivals: Arrivals
    ) -> Part {
        let index = resource("sprite \(id)\(density)", address, "\(density).json", .document, use, view)
        let image = resource("sprite \(id)\(density) image", address, "\(density).png", .image, use, view)
        resources.append(index)
        if use == .shown { resources.append(image) }
        guard let arrival = arrivals[index.id] else { return .awaited }
        guard case .document(let bytes) = arrival else { return .missing }
        let read: (index: SpriteIndex, number: Int)
        do throws(SpriteError) { read = try memory.index(of: bytes) } catch { return .unreadable(error) }
        if use != .shown { resources.append(image) }
        guard let pixels = arrivals.image(image.id) else { return arrivals[image.id] == nil ? .awaited : .missing }
        return .come(Sprite(id: id, index: read.index, image: pixels), read.number)
    }

    /// The addresses of all parts of a sprite.
    static func addresses(of sprite: NamedURL) -> [NamedURL] {
        [".json", ".png", "@2x.json", "@2x.png"].map { address(sprite, $0) }
    }

    /// The address of a part of a sprite.
    ///
    /// The extension is inserted before the query.
    private static func address(_ sprite: NamedURL, _ ending: String) -> NamedURL {
        let text = sprite.text, end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        return NamedURL(text[..<end] + ending + text[end...], namedBy: sprite.origin)
    }

    /// A part of a sprite.
    private func resource(
        _ name: String, _ address: NamedURL, _ ending: String, _ form: Resource.Form, _ use: Resource.Use,
        _ view: LayerView
    ) -> Resource {
        let url = Self.address(address, ending)
        return Resource(id: view.id(.other(name)), location: .url(url), form: form, use: use, name: name, rank: -1)
            .keptInMemory
    }
}
