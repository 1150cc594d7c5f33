import PortolanFeatures
import PortolanRaster
import PortolanStyles
import PortolanWeb

/// The sprites of a style as a view needs them: of each an index and an image, twice as fine where the picture is.
///
/// Where a service or a folder has no finer sprite the usual one does. A sprite that cannot be had leaves the style without
/// its pictures; what could not be had is in the report as any resource is.
struct SheetSprites {
    /// What is needed.
    private(set) var resources: [Resource] = []
    /// Those that have come.
    private(set) var sprites: [Sprite] = []
    /// What is wrong with those that have come, or cannot be asked for.
    private(set) var warnings: [String] = []
    /// Whether some may still come.
    private(set) var isWaiting = false
    /// Which have come: what is drawn with others looks otherwise.
    private(set) var key: [String] = []

    init(_ sheet: StyleSheet, base: BaseURL?, _ view: LayerView, given arrivals: Arrivals) {
        for sprite in sheet.sprites {
            guard let source = IconSource(sprite.url), let address = IconAddress.url(of: source, relativeTo: base)
            else {
                warnings.append("sprite '\(sprite.id)': its address leads nowhere, or where the style may not lead")
                continue
            }
            add(sprite.id, address, view, arrivals)
        }
    }

    private mutating func add(_ id: String, _ address: NamedURL, _ view: LayerView, _ arrivals: Arrivals) {
        let finer = view.viewport.pixelRatio > 1 ? ["@2x", ""] : [""]
        for (number, density) in finer.enumerated() {
            let isLast = number == finer.count - 1
            let index = resource(
                "sprite \(id)\(density)", address, "\(density).json", .document, isLast ? .shown : .probe, view)
            let image = resource("sprite \(id)\(density) image", address, "\(density).png", .image, .shown, view)
            resources.append(index)
            // Nothing is lost by asking for both at once, where there is no other choice.
            if isLast { resources.append(image) }
            switch arrivals[index.id] {
            case nil:
                isWaiting = true
                return
            case .failure:
                if isLast { return }
            default:
                if !isLast { resources.append(image) }
                guard let bytes = arrivals.document(index.id), let pixels = arrivals.image(image.id) else {
                    isWaiting = isWaiting || arrivals[image.id] == nil
                    return
                }
                do throws(SpriteError) {
                    let read = try SpriteIndex(bytes: bytes)
                    if !read.malformedNames.isEmpty {
                        let names = read.malformedNames.prefix(5).map { "'\($0.prefix(60))'" }.joined(separator: ", ")
                        warnings.append("sprite '\(id)': \(read.malformedNames.count) pictures are not drawn: \(names)")
                    }
                    sprites.append(Sprite(id: id, index: read, image: pixels))
                    key.append("\(id)\(density)")
                } catch { warnings.append("sprite '\(id)': \(error)") }
                return
            }
        }
    }

    /// A part of a sprite; the ending goes before the query of the address.
    private func resource(
        _ name: String, _ address: NamedURL, _ ending: String, _ form: Resource.Form, _ use: Resource.Use,
        _ view: LayerView
    ) -> Resource {
        let end = address.text.firstIndex { $0 == "?" || $0 == "#" } ?? address.text.endIndex
        let url = NamedURL(
            address.text[..<end] + ending + address.text[end...], namedBy: address.origin)
        return Resource(id: view.id(.other(name)), location: .url(url), form: form, use: use, name: name, rank: -1)
    }
}
