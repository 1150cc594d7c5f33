import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanText
import PortolanWeb

/// Arranges a legend in rows and columns.
struct LegendLayout {
    /// The sample at the left of a row's text.
    enum Swatch {
        /// No sample.
        case none
        /// An image of a service, drawn at this size.
        case image(PixelBuffer, width: Double, height: Double)
        /// A sample of a feature style.
        case symbol(Legend.Symbol)

        /// The space for a sample in picture pixels, and the scale of a mark or a line relative to the map, or `nil` to
        /// fit the space.
        struct Size {
            var width = 0.0
            var height = 0.0
            var scale: Double?
        }
    }

    /// A text beside a position of a scale.
    struct Tick {
        let line: TextLine
        /// The position of the number, and that of the middle of its text, below the upper edge of the row.
        let y: Double, textY: Double
    }

    /// A row.
    struct Row {
        var mark = Swatch.none
        var lines: [TextLine] = []
        /// The ticks of a scale.
        var ticks: [Tick] = []
        var opacity = 1.0
        /// The width of the mark, including its distance from the text.
        var markWidth = 0.0
        /// The space for the sample.
        var swatch = Swatch.Size()
        var width = 0.0
        var height = 0.0
        /// The space above, unless the row is the first of its column.
        var gap = 0.0
        /// Whether the row must be followed by another one.
        var isHeading = false
        /// The number of items that it explains, or reports as omitted.
        var itemCount = 1
        /// The number of omitted items that it reports.
        var leftOver = 0
        /// Whether it reports omitted items.
        var isRemainder = false
    }

    /// A column of rows.
    struct Column {
        var rows: [Row] = []
        var width = 0.0
        var height = 0.0

        mutating func append(_ row: Row) {
            height += (rows.isEmpty ? 0 : row.gap) + row.height
            width = max(width, row.width)
            rows.append(row)
        }

        func hasRoom(for next: [Row], height limit: Double) -> Bool {
            var column = self
            for row in next { column.append(row) }
            return column.height <= limit
        }
    }

    static let titleSize = 12.0, textSize = 11.0, swatchWidth = 28.0, swatchHeight = 16.0, columnGap = 16.0
    /// The largest mark that is shown at its own size, in view pixels.
    ///
    /// If a layer has a larger one, all its marks are scaled down.
    static let largestMark = 64.0

    let legend: Legend
    let images: [NamedURL: PixelBuffer]
    let fonts: FontBook
    let pixelRatio: Double

    /// Returns the columns that fit into a space, in picture pixels.
    ///
    /// The remaining items are counted in a last row.
    func columns(width: Double, height: Double) throws(TextError) -> [Column] {
        var columns: [Column] = []
        var current = Column()
        var isFull = false
        var leftOver = 0
        // An image may be as wide as the space; text is wrapped earlier.
        let rows = try rows(width: width, height: height)
        var index = 0
        while index < rows.count {
            // A heading stays with its content.
            var block = [rows[index]]
            while block.last?.isHeading == true, index + block.count < rows.count {
                block.append(rows[index + block.count])
            }
            index += block.count
            let count = Self.itemCount(of: block)
            if isFull {
                leftOver = Self.sum(leftOver, count)
                continue
            }
            if !current.hasRoom(for: block, height: height), !current.rows.isEmpty {
                let taken = (columns + [current]).reduce(0) { $0 + $1.width + Self.columnGap * pixelRatio }
                let needed = block.map(\.width).max() ?? 0
                guard taken + needed <= width, Column().hasRoom(for: block, height: height) else {
                    isFull = true
                    leftOver = count
                    continue
                }
                columns.append(current)
                current = Column()
            }
            guard current.hasRoom(for: block, height: height) else {
                isFull = true
                leftOver = count
                continue
            }
            for row in block { current.append(row) }
        }
        if leftOver > 0 { try add(leftOver, to: &current, height: height) }
        if !current.rows.isEmpty { columns.append(current) }
        return columns
    }

    private static func itemCount(of rows: [Row]) -> Int {
        rows.reduce(0) { sum($0, $1.isHeading ? 0 : $1.itemCount) }
    }

    /// The sum, clamped to the largest integer.
    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, isTooLarge) = a.addingReportingOverflow(b)
        return isTooLarge ? .max : sum
    }

    /// Adds a row with the number of omitted items, removing other rows if necessary.
    private func add(_ count: Int, to column: inout Column, height: Double) throws(TextError) {
        var count = count
        while true {
            var row = try textRow("and \(count) more", width: .infinity)
            row.gap = 4 * pixelRatio
            row.leftOver = count
            // Two such rows in succession would be redundant.
            let follows = column.rows.last?.isRemainder ?? false
            if !follows, column.hasRoom(for: [row], height: height) { return column.append(row) }
            guard let last = column.rows.last else { return }
            var rows = column.rows.dropLast()
            count = Self.sum(count, last.isHeading ? 0 : last.itemCount)
            // A heading must not remain alone.
            while rows.last?.isHeading == true { rows.removeLast() }
            column = Column()
            for row in rows { column.append(row) }
        }
    }

    // MARK: Rows

    private func rows(width: Double, height: Double) throws(TextError) -> [Row] {
        var rows: [Row] = []
        for entry in legend.entries {
            let start = rows.count
            switch entry.content {
            case .titleOnly: rows.append(try heading(entry, width: width))
            case .image(let url):
                guard let image = images[url] else {
                    rows.append(try heading(entry, width: width))
                    break
                }
                if image.width <= 32, image.height <= 24 {
                    // Some servers send images of a symbol only.
                    rows.append(try imageRow(image, title: entry, width: width, height: height))
                } else {
                    rows.append(try heading(entry, width: width, isFollowed: true))
                    rows.append(try imageRow(image, title: nil, width: width, height: height * 0.85))
                }
            case .symbols(let symbols, let moreCount):
                if symbols.count == 1, moreCount == 0, symbols[0].scale == nil {
                    rows.append(try symbolRow(symbols[0], text: entry.title, width: width, sizes(of: symbols)[0]))
                } else {
                    rows.append(try heading(entry, width: width, isFollowed: true))
                    for (symbol, size) in zip(symbols, sizes(of: symbols)) {
                        if let scale = symbol.scale {
                            if !symbol.text.isEmpty {
                                var title = try textRow(symbol.text, width: width)
                                title.isHeading = true
                                rows.append(title)
                            }
                            rows.append(try scaleRow(scale, of: symbol, width: width))
                            continue
                        }
                        rows.append(try symbolRow(symbol, text: symbol.text, width: width, size))
                    }
                    if moreCount > 0 {
                        var row = try textRow("and \(moreCount) more", width: width)
                        row.itemCount = moreCount
                        row.isRemainder = true
                        rows.append(row)
                    }
                }
            }
            for index in start..<rows.count {
                rows[index].gap = (index == start ? 9 : 3) * pixelRatio
                rows[index].opacity = entry.opacity
            }
        }
        return rows
    }

    private func heading(_ entry: Legend.Entry, width: Double, isFollowed: Bool = false) throws(TextError) -> Row {
        var row = try textRow(entry.title, width: width, weight: .bold)
        row.isHeading = isFollowed
        return row
    }

    private func textRow(
        _ text: String, width: Double, weight: FontRequest.Weight = .regular, indent: Double = 0
    ) throws(TextError) -> Row {
        let size = (weight == .bold ? Self.titleSize : Self.textSize) * pixelRatio
        let room = max(min(width - indent, 200 * pixelRatio), size)
        let lines = try lines(of: text, request: FontRequest(weight: weight), size: size, width: room)
        var row = Row()
        row.lines = lines
        row.width = indent + (lines.map(\.advance).max() ?? 0)
        row.height = Double(lines.count) * 1.3 * size
        row.markWidth = indent
        return row
    }

    /// A text in at most three lines: a title of any length must not use up the space.
    private func lines(
        of text: String, request: FontRequest, size: Double, width: Double
    ) throws(TextError) -> [TextLine] {
        let most = 3
        var shown = FurniturePainter.shortened(text)
        var lines = try fonts.wrap(shown, request: request, size: size, maximumWidth: width)
        while lines.count > most {
            // Reducing by a tenth each time ends soon, and drops little text that would fit.
            let share = min(Double(most + 1) / Double(lines.count), 0.9)
            shown = String(shown.prefix(Int(Double(shown.count) * share)))
            guard !shown.isEmpty else { return Array(lines.prefix(most)) }
            lines = try fonts.wrap(shown + "…", request: request, size: size, maximumWidth: width)
        }
        return lines
    }

    private func imageRow(
        _ image: PixelBuffer, title: Legend.Entry?, width: Double, height: Double
    ) throws(TextError) -> Row {
        let scale = min(pixelRatio, width / Double(image.width), height / Double(image.height))
        let drawn = (width: Double(image.width) * scale, height: Double(image.height) * scale)
        var row = Row()
        if let title {
            let indent = max(drawn.width, Self.swatchWidth * pixelRatio) + 8 * pixelRatio
            row = try textRow(title.title, width: width, indent: indent)
        } else {
            row.width = drawn.width
        }
        row.mark = .image(image, width: drawn.width, height: drawn.height)
        row.height = max(row.height, drawn.height)
        return row
    }

    private func symbolRow(
        _ symbol: Legend.Symbol, text: String, width: Double, _ size: Swatch.Size
    ) throws(TextError) -> Row {
        var row = try textRow(text, width: width, indent: size.width + 8 * pixelRatio)
        row.mark = .symbol(symbol)
        row.swatch = size
        row.height = max(row.height, size.height + 2 * pixelRatio)
        return row
    }

    /// The width and the smallest height of a ramp, in view pixels, and the gap between a scale and its texts.
    private static let rampWidth = 18.0, rampHeight = 84.0, tickGap = 10.0

    /// A ramp or discs, with the texts of their ticks at the right.
    private func scaleRow(_ scale: Legend.Scale, of symbol: Legend.Symbol, width: Double) throws(TextError) -> Row {
        let pitch = 1.3 * Self.textSize * pixelRatio, ticks = scale.ticks
        var size = Swatch.Size(width: Self.rampWidth * pixelRatio)
        var tops: [Double]
        if symbol.kind == .discs {
            let most = scale.steps.last?.value ?? 0
            let factor = most > 0 ? min(1, Self.largestMark / (2 * most)) : 1
            size.scale = factor
            size.height = 2 * most * factor * pixelRatio
            size.width = max(size.height, Self.swatchWidth * pixelRatio)
            tops = ticks.map { size.height - 2 * $0.value * factor * pixelRatio }
        } else {
            size.height = max(Self.rampHeight * pixelRatio, Double(ticks.count) * pitch)
            tops = ticks.map { (1 - $0.value) * size.height }
        }
        // Texts are centred at their ticks.
        tops = tops.map { $0 + pitch / 2 }
        let places = Self.separated(tops, by: pitch, below: pitch / 2)
        var row = Row()
        row.mark = .symbol(symbol)
        row.swatch = size
        row.markWidth = size.width + Self.tickGap * pixelRatio
        let room = max(min(width - row.markWidth, 200 * pixelRatio), pitch)
        for (place, tick) in ticks.enumerated() {
            let lines = try lines(
                of: tick.text, request: FontRequest(), size: Self.textSize * pixelRatio, width: room)
            guard let line = lines.first else { continue }
            row.ticks.append(Tick(line: line, y: tops[place], textY: places[place]))
            row.width = max(row.width, row.markWidth + line.advance)
        }
        row.width = max(row.width, size.width)
        let lowest = max(places.max() ?? 0, symbol.kind == .discs ? 0 : tops.max() ?? 0)
        row.height = max(size.height + pitch / 2, lowest + pitch / 2)
        return row
    }

    /// Returns positions in the order of `wanted`, moved so that neighbours are at least a distance apart.
    private static func separated(_ wanted: [Double], by distance: Double, below limit: Double) -> [Double] {
        var places = wanted
        let order = wanted.indices.sorted { wanted[$0] < wanted[$1] }
        // Upwards from the lowest one, then downwards as far as the upper limit requires.
        for (low, high) in zip(order.reversed(), order.reversed().dropFirst()) {
            places[high] = min(places[high], places[low] - distance)
        }
        var next = limit
        for index in order {
            places[index] = max(places[index], next)
            next = places[index] + distance
        }
        return places
    }

    /// The space for the samples of a layer.
    ///
    /// Marks of one shape in different sizes get the space to compare them.
    private func sizes(of symbols: [Legend.Symbol]) -> [Swatch.Size] {
        let usual = Swatch.Size(width: Self.swatchWidth * pixelRatio, height: Self.swatchHeight * pixelRatio)
        if let lines = lineSizes(of: symbols, usual) { return lines }
        let painter = MarkerPainter(pixelRatio: pixelRatio)
        var shapes: Set<ShapeMarker.Shape> = []
        let marks = symbols.map { symbol -> Rectangle? in
            guard symbol.kind == .mark, case .shape(let marker)? = symbol.style.marker else { return nil }
            shapes.insert(marker.shape)
            return painter.extent(of: .shape(marker), image: nil)
        }
        let sides = marks.compactMap { $0.map { max($0.width, $0.height) } }
        guard let least = sides.min(), let most = sides.max(), shapes.count == 1, least > 0, most.isFinite,
            most > 1.2 * least
        else {
            return symbols.map { _ in usual }
        }
        let scale = min(1, Self.largestMark * pixelRatio / most), width = max(usual.width, most * scale)
        return marks.map { mark in
            Swatch.Size(
                width: width, height: max(usual.height, (mark?.height ?? 0) * scale), scale: mark == nil ? nil : scale)
        }
    }

    /// The space for lines of different widths, or `nil` if all can have their own width in the usual space.
    private func lineSizes(of symbols: [Legend.Symbol], _ usual: Swatch.Size) -> [Swatch.Size]? {
        let widths = symbols.map { symbol in
            symbol.kind != .line
                ? 0 : (symbol.linesBeneath + [symbol.style.stroke].compactMap(\.self)).map(\.outerWidth).max() ?? 0
        }
        guard let most = widths.max(), most > LegendSymbolPainter.widestLine, most.isFinite else { return nil }
        let scale = min(1, Self.widestLine / most)
        return widths.map { width in
            guard width > 0 else { return usual }
            return Swatch.Size(
                width: usual.width, height: max(usual.height, width * scale * pixelRatio), scale: scale)
        }
    }

    /// The widest line that is shown at its own width, in view pixels.
    private static let widestLine = 24.0
}
