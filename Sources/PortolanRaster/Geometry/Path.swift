/// Subpaths of straight and curved segments in pixel coordinates, to be filled or stroked.
public struct Path: Hashable, Sendable {
    /// One step of a path.
    public enum Element: Hashable, Sendable {
        /// Starts a new subpath.
        case move(Point)
        /// A straight segment.
        case line(Point)
        /// A quadratic Bézier segment.
        case quad(control: Point, end: Point)
        /// A cubic Bézier segment.
        case cubic(control1: Point, control2: Point, end: Point)
        /// Closes the subpath with a straight segment to its start.
        case close
    }

    /// The steps in drawing order.
    public private(set) var elements: [Element]

    /// Makes an empty path.
    public init() { elements = [] }

    /// Whether nothing has been added.
    public var isEmpty: Bool { elements.isEmpty }

    /// Makes room for `count` elements in all.
    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

    /// Starts a new subpath at `point`.
    public mutating func move(to point: Point) { elements.append(.move(point)) }

    /// Adds a straight segment to `point`; without a subpath begun, it begins one there.
    public mutating func line(to point: Point) { elements.append(elements.isEmpty ? .move(point) : .line(point)) }

    /// Adds a quadratic Bézier segment; without a subpath begun, it begins one at `control`.
    public mutating func quad(control: Point, to end: Point) {
        if elements.isEmpty { move(to: control) }
        elements.append(.quad(control: control, end: end))
    }

    /// Adds a cubic Bézier segment; without a subpath begun, it begins one at `control1`.
    public mutating func cubic(control1: Point, control2: Point, to end: Point) {
        if elements.isEmpty { move(to: control1) }
        elements.append(.cubic(control1: control1, control2: control2, end: end))
    }

    /// Closes the current subpath; does nothing when there is none.
    public mutating func close() {
        if !elements.isEmpty { elements.append(.close) }
    }

    /// Adds all subpaths of `other`.
    public mutating func append(_ other: Path) { elements.append(contentsOf: other.elements) }

    /// The path with each of its points moved by `transform`.
    public func transformed(by transform: AffineTransform) -> Path {
        var copy = Path()
        copy.elements = elements.map { element in
            switch element {
            case .move(let p): .move(transform(p))
            case .line(let p): .line(transform(p))
            case .quad(let c, let e): .quad(control: transform(c), end: transform(e))
            case .cubic(let c1, let c2, let e):
                .cubic(control1: transform(c1), control2: transform(c2), end: transform(e))
            case .close: .close
            }
        }
        return copy
    }
}
