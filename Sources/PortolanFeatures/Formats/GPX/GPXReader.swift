import PortolanGeo
import PortolanRaster
import PortolanXML

/// Reads a GPX document element by element, in memory for its features alone.
final class GPXReader: XMLHandler {
    /// What an open element is.
    private enum Element {
        case document, metadata, author, copyright, link, point, line, segment
        /// One that has text for the innermost thing with words.
        case words(WritableKeyPath<GPXWords, String?>)
        case elevation
        /// The element that holds what other makers say, and one that is such a thing.
        case extensions, foreign
        case other
    }

    /// A line while its points come.
    private struct Line {
        var coordinates: [Coordinate] = []
        var altitudes: [Double?] = []
        /// What is said of the points besides.
        var columns = GPXColumns()
        var partEnds: [Int] = []
        /// How many segments have one point alone.
        var loneCount = 0
        var places: [Feature] = []
        var isTrack = false

        /// The line, or `nil` where no segment has two points.
        var geometry: Geometry? {
            guard !partEnds.isEmpty else { return nil }
            return Geometry(
                kind: partEnds.count > 1 ? .multiLineString : .lineString, coordinates: coordinates, partEnds: partEnds,
                altitudes: altitudes.contains { $0 != nil } ? altitudes : [])
        }
    }

    private static let name = "GPX"

    private var open: [Element] = []
    /// That of the outermost element.
    private var namespace: String?
    /// The words of the document, of the line and of the point that are open, the innermost last.
    private var words: [GPXWords] = []
    /// The text of the innermost element that may have one.
    private var text: [UInt8] = []
    private var isInText = false
    private var line = Line()
    private var point: Coordinate?
    private var counts = (points: 0, lines: 0)
    private var gathering: FeatureGathering
    private var fault: FeatureFileError?

    private init(_ gathering: FeatureGathering) { self.gathering = gathering }

    /// Reads a document.
    static func read(_ document: [UInt8], limits: FeatureLimits) throws(FeatureFileError) -> FeatureCollection {
        let xml = XMLReader(
            limits: XMLLimits(byteCount: min(limits.maximumByteCount, 512 << 20), elementCount: 16_000_000))
        if let collection = try plain(document, xml, limits) { return collection }
        let reader = GPXReader(try FeatureGathering(name, limits: limits, documentLength: document.count))
        do {
            for warning in try xml.read(document, into: reader) { reader.gathering.warn(.note, warning) }
        } catch { throw reader.fault ?? FeatureFileError(error, in: name) }
        return reader.collection()
    }

    /// Reads a document without any fault, as most are, or gives `nil`.
    private static func plain(
        _ document: [UInt8], _ xml: XMLReader, _ limits: FeatureLimits
    ) throws(FeatureFileError) -> FeatureCollection? {
        let reader = GPXReader(try FeatureGathering(name, limits: limits, documentLength: document.count))
        return xml.readPlain(document, into: reader) ? reader.collection() : nil
    }

    func startElement(_ tag: XMLStartTag) throws(XMLError) {
        let element = try element(of: tag)
        switch element {
        case .document: words.append(GPXWords())
        case .line:
            words.append(GPXWords())
            line = Line()
            line.isTrack = tag.name == "trk"
        case .point: try beginPoint(tag)
        case .link:
            words[words.count - 1].links.append(GPXWords.Link(address: tag.value(of: "href")))
        case .copyright: words[words.count - 1].author = tag.value(of: "author")
        case .words, .elevation, .author: beginText()
        case .foreign:
            beginText()
            words[words.count - 1].extensions.begin(tag)
        case .extensions, .metadata, .segment, .other: break
        }
        open.append(element)
    }

    func text(_ utf8: Span<UInt8>) throws(XMLError) {
        if isInText { text.append(utf8) }
    }

    func endElement() throws(XMLError) {
        guard let element = open.popLast() else { return }
        switch element {
        case .words(let path):
            if let text = takeText() { words[words.count - 1][keyPath: path] = text }
        case .elevation:
            // Receivers without one write words, or nothing.
            if isInText, let number = DecimalScanner.whole(text.span) {
                words[words.count - 1].elevation = number
            }
            isInText = false
        case .point: try endPoint()
        case .segment: endSegment()
        case .line: try endLine()
        // GPX 1.0 has the name itself in it.
        case .author: if let text = takeText() { words[words.count - 1].author = text }
        case .foreign: words[words.count - 1].extensions.end(text: takeText())
        case .link, .document, .metadata, .copyright, .extensions, .other: break
        }
    }

    private func beginText() {
        text.removeAll(keepingCapacity: true)
        isInText = true
    }

    private func takeText() -> String? {
        defer { isInText = false }
        return isInText ? String(decoding: text, as: UTF8.self).withoutOuterBlanks : nil
    }

    /// What an element is in the place where it stands; names are compared without their namespace, which many documents lack.
    private func element(of tag: XMLStartTag) throws(XMLError) -> Element {
        guard let parent = open.last else {
            guard tag.name.lowercased() == "gpx" else {
                throw XMLError(
                    .refused("the document is no GPX: its outermost element is '\(tag.name)'"), line: tag.line)
            }
            namespace = tag.namespace
            return .document
        }
        switch parent {
        case .document:
            switch tag.name {
            case "wpt": return .point
            case "rte", "trk": return .line
            case "metadata": return .metadata
            default: return described(tag.name)
            }
        case .metadata: return described(tag.name)
        case .line:
            switch tag.name {
            case "rtept": return line.isTrack ? .other : .point
            case "trkseg": return line.isTrack ? .segment : .other
            default: return said(tag)
            }
        case .segment: return tag.name == "trkpt" ? .point : .other
        case .point: return tag.name == "ele" ? .elevation : said(tag)
        case .extensions, .foreign: return .foreign
        case .author: return tag.name == "name" ? .words(\.author) : .other
        case .copyright: return .other
        case .link:
            switch tag.name {
            case "text": return .words(\.lastLinkText)
            case "type": return .words(\.lastLinkType)
            default: return .other
            }
        case .words, .elevation, .other: return .other
        }
    }

    /// What an element says of a line or a point; GPX 1.0 has those of other makers stand among its own.
    private func said(_ tag: XMLStartTag) -> Element {
        if tag.name == "extensions" { return .extensions }
        let isForeign = tag.namespace != namespace
        return isForeign ? .foreign : described(tag.name)
    }

    /// An element that says something about the thing it stands in.
    private func described(_ name: String) -> Element {
        switch name {
        case "name": .words(\.name)
        case "desc": .words(\.description)
        case "cmt": .words(\.comment)
        case "src": .words(\.source)
        case "sym": .words(\.symbol)
        case "type": .words(\.category)
        case "time": .words(\.time)
        case "url": .words(\.address)
        case "urlname": .words(\.addressText)
        case "author": .author
        case "copyright": .copyright
        case "link": .link
        default: .other
        }
    }

    private func beginPoint(_ tag: XMLStartTag) throws(XMLError) {
        words.append(GPXWords())
        point = nil
        guard let x = tag.number(of: "lon"), let y = tag.number(of: "lat") else {
            return gathering.warn(.omitted, "line \(tag.line): a point without latitude and longitude is left out")
        }
        guard abs(x) <= 180, abs(y) <= 90 else {
            return gathering.warn(.omitted, "line \(tag.line): a point at \(x), \(y) degrees is left out")
        }
        let most = gathering.limits.maximumCoordinateCount
        guard gathering.coordinateCount + line.coordinates.count < most else {
            throw XMLError(.limit("more than \(most) points"), line: tag.line)
        }
        point = Coordinate(x: x, y: y)
    }

    private func endPoint() throws(XMLError) {
        let said = words.removeLast()
        guard let place = point else { return }
        point = nil
        guard case .document? = open.last else {
            if line.isTrack { line.columns.set(said, at: line.coordinates.count) }
            line.coordinates.append(place)
            line.altitudes.append(said.elevation)
            if !line.isTrack, said.name != nil || said.description != nil {
                counts.points += 1
                line.places.append(said.place(place, number: counts.points, "rtept"))
            }
            return
        }
        counts.points += 1
        try add(said.place(place, number: counts.points, "wpt"))
    }

    /// Fewer than two points are no line.
    private func endSegment() {
        let start = line.partEnds.last ?? 0, count = line.coordinates.count
        guard count - start < 2 else { return line.partEnds.append(count) }
        if count > start { line.loneCount += 1 }
        line.coordinates.removeSubrange(start...)
        line.altitudes.removeSubrange(start...)
        line.columns.cut(to: start)
    }

    private func endLine() throws(XMLError) {
        if !line.isTrack { endSegment() }
        let said = words.removeLast()
        counts.lines += 1
        if line.loneCount > 0 {
            gathering.warn(.omitted, "\(line.loneCount) segments of a single point are left out")
        }
        var route = said.feature(
            id: (line.isTrack ? "trk" : "rte") + "\(counts.lines)", type: "route", geometry: line.geometry,
            gpx: line.isTrack ? "trk" : "rte")
        if let columns = line.columns.properties(partEnds: line.partEnds) {
            route.properties["coordinateProperties"] = .object(columns)
        }
        try add(route)
        for place in line.places { try add(place) }
        line = Line()
    }

    private func add(_ feature: Feature) throws(XMLError) {
        do throws(FeatureFileError) { try gathering.add(feature) } catch {
            fault = error
            throw XMLError(.limit(error.detail), line: 1)
        }
    }

    private func collection() -> FeatureCollection {
        var members: Properties = [:]
        let said = words.first ?? GPXWords()
        if let name = said.name { members["name"] = .string(name) }
        if let text = said.description { members["description"] = .string(text) }
        if let author = said.author { members["author"] = .string(author) }
        return gathering.collection(foreignMembers: members)
    }
}

extension XMLStartTag {
    fileprivate func value(of name: String) -> String? {
        attribute(name)?.withoutOuterBlanks
    }

    fileprivate func number(of name: String) -> Double? {
        withAttribute(name) { DecimalScanner.whole($0) } ?? nil
    }
}

extension String {
    /// The text without blanks at its ends, or `nil` when nothing else is in it.
    fileprivate var withoutOuterBlanks: String? {
        // ASCII without blanks at the ends is most of it.
        if let first = utf8.first, let last = utf8.last, (0x21..<0x7F).contains(first), (0x21..<0x7F).contains(last) {
            return self
        }
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) }
    }
}
