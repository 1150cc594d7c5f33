import PortolanRaster

/// A growing content stream: graphics operators, the resources that they use, and the graphics state after them
/// (ISO 32000-1, clauses 7.8 and 8).
struct PDFContent {
    /// The parameters that have been set; `nil` for an unknown one.
    struct State {
        var fill: UInt32?
        var stroke: UInt32?
        /// The opacity in thousandths.
        var alpha: Int?
        var line: StrokeStyle?
        var font: (number: Int, size: Double)?
    }

    private(set) var bytes: [UInt8] = []
    var resources = PDFResources()
    var state = State()
    /// The position after the last operator that begins something that has not ended, such as a clip.
    ///
    /// All operators after it can be moved to a stream of their own.
    var start = 0

    private static let decimals = 2

    /// Adds operators.
    mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Adds operators.
    mutating func add(_ operators: [UInt8]) { bytes += operators }

    /// Adds a number followed by a space.
    mutating func add(_ value: Double, decimals: Int = Self.decimals) {
        bytes.append(DecimalText.units(value, decimals: decimals), decimals: decimals)
        bytes.append(0x20)
    }

    /// Adds numbers followed by an operator.
    mutating func add(_ values: [Double], decimals: Int = Self.decimals, _ command: String) {
        for value in values { add(value, decimals: decimals) }
        add(command)
        add("\n")
    }

    /// Adds the coefficients of a transform followed by an operator.
    mutating func add(_ t: AffineTransform, _ command: String) {
        for value in [t.a, t.b, t.c, t.d] { add(value, decimals: 6) }
        add([t.tx, t.ty], decimals: 3, command)
    }

    /// Removes everything after the first `count` bytes.
    mutating func cut(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Removes and returns everything that can be moved to a stream of its own.
    mutating func takeTail() -> [UInt8] {
        defer {
            cut(to: start)
            state = State()
        }
        return Array(bytes[start...])
    }

    /// Sets the colour and opacity of fills.
    mutating func setFill(_ color: MapColor, _ file: inout PDFFile, _ states: inout [Int: Int]) {
        setAlpha(Double(color.alpha) / 255, &file, &states)
        let bits = Self.bits(color)
        guard state.fill != bits else { return }
        state.fill = bits
        add(color, gray: "g", rgb: "rg")
    }

    /// Sets the colour, opacity and style of strokes.
    mutating func setStroke(
        _ style: StrokeStyle, _ color: MapColor, _ file: inout PDFFile, _ states: inout [Int: Int]
    ) {
        setAlpha(Double(color.alpha) / 255, &file, &states)
        let bits = Self.bits(color)
        if state.stroke != bits {
            state.stroke = bits
            add(color, gray: "G", rgb: "RG")
        }
        let old = state.line
        state.line = style
        if old?.width != style.width { add([style.width], decimals: 3, "w") }
        if old?.cap != style.cap { add("\(style.cap == .butt ? 0 : style.cap == .round ? 1 : 2) J\n") }
        if old?.join != style.join { add("\(style.join == .miter ? 0 : style.join == .round ? 1 : 2) j\n") }
        if old?.miterLimit != style.miterLimit { add([max(style.miterLimit, 1)], decimals: 3, "M") }
        if old?.dashes != style.dashes || old?.dashPhase != style.dashPhase
            || !style.dashes.isEmpty && old?.cap != style.cap
        {
            addDashes(of: style)
        }
    }

    /// Sets the opacity of all painting.
    mutating func setAlpha(_ alpha: Double, _ file: inout PDFFile, _ states: inout [Int: Int]) {
        let thousandths = Int((min(max(alpha, 0), 1) * 1000).rounded())
        guard state.alpha != thousandths else { return }
        state.alpha = thousandths
        let number: Int
        if let known = states[thousandths] {
            number = known
        } else {
            let value = PDFText.number(Double(thousandths) / 1000, decimals: 3)
            number = file.add("<</Type/ExtGState/ca \(value)/CA \(value)>>")
            states[thousandths] = number
        }
        add("/\(resources.use(.state, number)) gs\n")
    }

    /// Adds path construction operators; subpaths with a coordinate that is not finite are omitted.
    ///
    /// - Returns: whether any operator was added.
    @discardableResult
    mutating func add(_ path: Path) -> Bool {
        let elements = path.elements, start = bytes.count
        var index = elements.startIndex
        while index < elements.endIndex {
            var end = index, isFinite = true
            repeat {
                isFinite = isFinite && elements[end].isFinite
                end += 1
            } while end < elements.endIndex && !elements[end].isMove
            if isFinite { add(elements[index..<end]) }
            index = end
        }
        return bytes.count > start
    }

    /// Adds the elements of a subpath.
    private mutating func add(_ elements: ArraySlice<Path.Element>) {
        var first = Point(x: 0, y: 0), last = first, pen = (x: 0, y: 0), lines = 0
        for element in elements {
            switch element {
            case .move(let point):
                pen = add(point, "m")
                (first, last) = (point, point)
            case .line(let point):
                last = point
                // Steps too small to see are omitted, but not the only one, which may be a dot.
                if lines > 0, Self.units(point) == pen { continue }
                lines += 1
                pen = add(point, "l")
            case .quad(let control, let end):
                let one = Point(x: last.x + (control.x - last.x) * 2 / 3, y: last.y + (control.y - last.y) * 2 / 3)
                let two = Point(x: end.x + (control.x - end.x) * 2 / 3, y: end.y + (control.y - end.y) * 2 / 3)
                pen = add(one, two, end)
                last = end
            case .cubic(let one, let two, let end):
                pen = add(one, two, end)
                last = end
            case .close:
                add("h\n")
                pen = Self.units(first)
                last = first
            }
        }
    }

    private mutating func add(_ one: Point, _ two: Point, _ end: Point) -> (x: Int, y: Int) {
        _ = add(one, "")
        _ = add(two, "")
        return add(end, "c")
    }

    /// Adds a coordinate, with an operator and a line break unless it is empty.
    private mutating func add(_ point: Point, _ command: String) -> (x: Int, y: Int) {
        let units = Self.units(point)
        bytes.append(units.x, decimals: Self.decimals)
        bytes.append(0x20)
        bytes.append(units.y, decimals: Self.decimals)
        bytes.append(0x20)
        guard !command.isEmpty else { return units }
        add(command)
        bytes.append(0x0A)
        return units
    }

    private static func units(_ point: Point) -> (x: Int, y: Int) {
        (
            DecimalText.coordinate(point.x, decimals: decimals),
            DecimalText.coordinate(point.y, decimals: decimals)
        )
    }

    private static func bits(_ color: MapColor) -> UInt32 {
        UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    }

    private mutating func add(_ color: MapColor, gray: String, rgb: String) {
        let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let isGray = color.red == color.green && color.green == color.blue
        add(isGray ? [channels[0]] : channels, decimals: 4, isGray ? gray : rgb)
    }

    /// Adds the dashes of a stroke; invalid ones are drawn as a solid line.
    private mutating func addDashes(of style: StrokeStyle) {
        let sum = style.dashes.reduce(0, +)
        guard style.dashes.allSatisfy({ $0 >= 0 }), sum.isFinite, sum >= 0.1 else { return add("[] 0 d\n") }
        // Readers differ in lists of odd length with a phase.
        var dashes = style.dashes.count % 2 == 0 ? style.dashes : style.dashes + style.dashes
        let period = style.dashes.count % 2 == 0 ? sum : 2 * sum
        // The direction of a square dot is that of its dash, which therefore needs a length.
        let dot = 0.02
        for index in stride(from: 0, to: dashes.count, by: 2)
        where style.cap == .square && dashes[index] < dot && dashes[index + 1] > dot {
            dashes[index] += dot
            dashes[index + 1] -= dot
        }
        add("[")
        for dash in dashes { add(dash, decimals: 3) }
        add("]")
        // The phase must not be negative.
        let phase = style.dashPhase.isFinite ? style.dashPhase.truncatingRemainder(dividingBy: period) : 0
        add([phase < 0 ? phase + period : phase], decimals: 3, "d")
    }
}

/// The named resources of a content stream (ISO 32000-1, clause 7.8.3).
///
/// A name is a letter for its kind and the number of its object.
struct PDFResources {
    /// A kind of resource, with the key of its dictionary.
    enum Kind: String, CaseIterable {
        case xObject = "XObject"
        case font = "Font"
        case state = "ExtGState"
        case pattern = "Pattern"
        case layer = "Properties"

        fileprivate var letter: String {
            switch self {
            case .xObject: "X"
            case .font: "F"
            case .state: "G"
            case .pattern: "P"
            case .layer: "L"
            }
        }
    }

    private var numbers: [Kind: Set<Int>] = [:]

    /// Adds an object, and returns its name.
    mutating func use(_ kind: Kind, _ number: Int) -> String {
        numbers[kind, default: []].insert(number)
        return "\(kind.letter)\(number)"
    }

    /// The resource dictionary.
    var dictionary: String {
        let entries = Kind.allCases.compactMap { kind -> String? in
            guard let numbers = numbers[kind] else { return nil }
            let list = numbers.sorted().map { "/\(kind.letter)\($0) \($0) 0 R" }.joined()
            return "/\(kind.rawValue)<<\(list)>>"
        }
        return "<<\(entries.joined())>>"
    }
}
