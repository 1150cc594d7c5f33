import PortolanRaster
import PortolanXML

extension SVGIcon {
    /// Reads a document.
    ///
    /// - Throws: ``Failure``.
    /// - Complexity: O(bytes), and at most a limited number of shapes.
    package init(_ bytes: [UInt8]) throws(Failure) {
        let limits = XMLLimits(
            byteCount: 4 << 20, depth: 64, tagLength: 1 << 20, elementCount: 50_000, attributeCount: 200)
        let root: XMLElement
        do throws(XMLError) { root = try XMLReader(limits: limits).tree(of: bytes).root } catch {
            throw .markup("\(error)")
        }
        guard root.name == "svg" else { throw .noSVG }
        var reader = SVGIconReader(root)
        guard let box = SVGViewport(root) else { throw .noSize }
        let nodes = try reader.content(of: root, SVGLook(), box.transform, depth: 0)
        self.init(width: box.width, height: box.height, losses: reader.losses.sorted(), nodes: nodes)
    }
}

/// The size of an `svg` element and the transform of its view box (SVG 2, clause 8.2).
struct SVGViewport {
    let width: Double, height: Double
    let transform: AffineTransform

    /// - Parameters:
    ///   - size: the size of the surrounding element, or `nil` for the outermost one.
    ///   - wanted: the size that a `use` states.
    init?(
        _ element: XMLElement, in size: (width: Double, height: Double)? = nil,
        wanted: (width: Double?, height: Double?) = (nil, nil)
    ) {
        let attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { first, _ in first }
        let box = SVGPathData.numbers(attributes["viewBox"] ?? "")
        let hasBox = box.count == 4 && box[2] > 0 && box[3] > 0
        guard
            let width = wanted.width ?? attributes["width"].flatMap(SVGLength.pixels) ?? size?.width
                ?? (hasBox ? box[2] : nil),
            let height = wanted.height ?? attributes["height"].flatMap(SVGLength.pixels) ?? size?.height
                ?? (hasBox ? box[3] : nil),
            width > 0, height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
        guard hasBox else {
            transform = .identity
            return
        }
        let fit = attributes["preserveAspectRatio"] ?? "xMidYMid meet"
        var x = width / box[2], y = height / box[3]
        if !fit.contains("none") {
            x = fit.contains("slice") ? max(x, y) : min(x, y)
            y = x
        }
        func shift(_ axis: String, _ room: Double) -> Double {
            fit.contains(axis + "Min") ? 0 : fit.contains(axis + "Max") ? room : room / 2
        }
        let left = fit.contains("none") ? 0 : shift("x", width - box[2] * x)
        let top = fit.contains("none") ? 0 : shift("Y", height - box[3] * y)
        transform = AffineTransform.translation(x: -box[0], y: -box[1]).then(.scale(x: x, y: y)).then(
            .translation(x: left, y: top))
    }
}

/// Collects the shapes of an SVG document.
struct SVGIconReader {
    /// The most elements and segments of paths, those of `use` included.
    private static let elementLimit = 20_000, segmentLimit = 1_000_000
    /// The deepest nesting, that of `use` included.
    private static let depthLimit = 80

    private static let silentElements: Set<String> = [
        "defs", "title", "desc", "metadata", "style", "symbol", "namedview", "linearGradient", "radialGradient",
        "clipPath", "mask", "pattern", "filter", "marker", "RDF", "sodipodi", "script",
    ]

    private var named: [String: XMLElement] = [:]
    private var sheet = SVGStyleSheet()
    /// The size of the document in its own units, of which percentages and missing sizes are a part.
    private let size: (width: Double, height: Double)?
    private var elementCount = 0, segmentCount = 0
    private(set) var losses: Set<String> = []

    init(_ root: XMLElement) {
        let box = SVGPathData.numbers(root.attributes.first { $0.name == "viewBox" }?.value ?? "")
        let outer = SVGViewport(root)
        size = box.count == 4 ? (box[2], box[3]) : outer.map { ($0.width, $0.height) }
        collect(root)
    }

    /// Collects the named elements and the style sheets.
    private mutating func collect(_ element: XMLElement) {
        for child in element.children {
            if let id = child.attributes.first(where: { $0.name == "id" })?.value, named[id] == nil {
                named[id] = child
            }
            if child.name == "style" { sheet.add(child.text) }
            collect(child)
        }
    }

    mutating func content(
        of element: XMLElement, _ look: SVGLook, _ transform: AffineTransform, depth: Int
    ) throws(SVGIcon.Failure) -> [SVGIcon.Node] {
        var nodes: [SVGIcon.Node] = []
        for child in element.children { nodes += try self.nodes(of: child, look, transform, depth: depth + 1) }
        return nodes
    }

    private mutating func nodes(
        of element: XMLElement, _ parent: SVGLook, _ parentTransform: AffineTransform, depth: Int
    ) throws(SVGIcon.Failure) -> [SVGIcon.Node] {
        guard depth < Self.depthLimit, !Self.silentElements.contains(element.name) else { return [] }
        // Elements without shapes count as well: references to them may multiply.
        elementCount += 1
        guard elementCount <= Self.elementLimit else { throw .tooComplex(limit: Self.elementLimit) }
        // Editors keep notes in namespaces of their own.
        if let namespace = element.namespace, namespace != "http://www.w3.org/2000/svg" { return [] }
        let attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { first, _ in first }
        let look = look(of: element.name, attributes, parent.inherited)
        guard look.isDisplayed else { return [] }
        let own = attributes["transform"].map(SVGTransform.read) ?? .identity
        let transform = own.then(parentTransform)
        var nodes: [SVGIcon.Node] = []
        switch element.name {
        case "g", "a", "switch": nodes = try content(of: element, look, transform, depth: depth)
        case "svg", "use":
            var target = element
            var place = AffineTransform.translation(
                x: attributes["x"].flatMap(SVGLength.pixels) ?? 0, y: attributes["y"].flatMap(SVGLength.pixels) ?? 0
            ).then(transform)
            if element.name == "use" {
                guard let reference = attributes["href"], reference.hasPrefix("#"),
                    let found = named[String(reference.dropFirst())]
                else { break }
                target = found
            }
            guard target.name == "svg" || target.name == "symbol" else {
                nodes = try self.nodes(of: target, look, place, depth: depth + 1)
                break
            }
            let wanted = (
                attributes["width"].flatMap(SVGLength.pixels), attributes["height"].flatMap(SVGLength.pixels)
            )
            if let box = SVGViewport(target, in: size, wanted: wanted) { place = box.transform.then(place) }
            let inner = target == element ? look : self.look(of: target.name, [:], look.inherited)
            nodes = try content(of: target, inner, place, depth: depth + 1)
        default:
            guard let path = SVGShape.path(element.name, attributes) else {
                losses.insert("<\(element.name)>")
                return []
            }
            segmentCount += path.elementCount
            guard segmentCount <= Self.segmentLimit else { throw .tooComplex(limit: Self.segmentLimit) }
            nodes = Self.painted(path.transformed(by: transform), look, transform)
        }
        guard look.opacity < 1, !nodes.isEmpty else { return nodes }
        return look.opacity > 0 ? [.group(nodes, opacity: look.opacity)] : []
    }

    /// Returns the painted parts of a shape.
    ///
    /// Strokes under a transform that is not uniform have the mean width.
    private static func painted(_ path: Path, _ look: SVGLook, _ transform: AffineTransform) -> [SVGIcon.Node] {
        guard look.isVisible, !path.isEmpty else { return [] }
        var nodes: [SVGIcon.Node] = []
        if let color = look.fillColor { nodes.append(.fill(path, look.fillRule, color)) }
        if let color = look.strokeColor {
            var style = look.strokeStyle
            let scale = abs(transform.a * transform.d - transform.b * transform.c).squareRoot()
            style.width *= scale
            style.dashes = style.dashes.map { $0 * scale }
            style.dashPhase *= scale
            nodes.append(.stroke(path, style, color))
        }
        return nodes
    }

    /// Returns the look of an element: attributes, then style sheets, then its own style.
    private mutating func look(of name: String, _ attributes: [String: String], _ inherited: SVGLook) -> SVGLook {
        var look = inherited
        let rules = sheet.declarations(
            for: name, id: attributes["id"], classes: attributes["class"]?.split(separator: " ").map(String.init) ?? [])
        let own = SVGStyleSheet.declarations(attributes["style"] ?? "")
        // The colour comes first, because paints refer to it by name alone.
        for (property, value) in attributes.sorted(by: { $0.key < $1.key }) + rules + own {
            guard let lost = look.apply(property, value) else { continue }
            losses.insert("\(property)=\"\(lost.prefix(40))\"")
        }
        return look
    }
}
