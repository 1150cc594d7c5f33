import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanWeb
import PortolanXML

/// Reads a GPX document element by element.
///
/// Only its features are kept in memory.
struct GPXReader {
    /// The kind of an open element.
    private enum Element {
        case document, metadata, author, copyright, link, point, line, segment
        /// An element with text for the innermost described object.
        case words(GPXWords.Field)
        case elevation
        /// The extensions element, and an element in it.
        case extensions, foreign
        case other
    }

    /// A line during reading.
    private struct Line {
        var coordinates: [Coordinate] = []
        var altitudes: [Double?] = []
        /// The additional attributes of the points.
        var columns = GPXColumns()
        var partEnds: [Int] = []
        /// The number of segments with a single point.
        var loneCount = 0
        var places: [Feature] = []
        var isTrack = false

        /// The line, or `nil` if no segment has two points.
        var geometry: Geometry? {
            guard !partEnds.isEmpty else { return nil }
            return Geometry(
                kind: partEnds.count > 1 ? .multiLineString : .lineString, coordinates: coordinates, partEnds: partEnds,
                altitudes: altitudes.contains { $0 != nil } ? altitudes : []
            ).continuedOverAntimeridian()
        }
    }

    /// A point during reading.
    private struct Point {
        /// The position, or `nil` if it is invalid.
        var place: Coordinate?
        var elevation: Double?
        /// Whether the point has descriptive elements.
        var hasWords = false
        /// The path of the route to the next point, as written by Garmin's route planners.
        var way: [Coordinate] = []
    }

    private static let name = "GPX"

    private var open: [Element] = []
    /// The namespace of the root element.
    private var namespace: String?
    /// The descriptive elements of the open document, line and point, the innermost last.
    ///
    /// A point has none until the first one.
    private var words: [GPXWords] = []
    /// The text of the innermost text element.
    private var text: [UInt8] = []
    /// The range of the text in the document while it is contiguous.
    private var piece = 0..<0
    private var isInText = false
    private var line = Line()
    private var point = Point()
    private var isInPoint = false
    private var counts = (points: 0, lines: 0)
    private var gathering: FeatureGathering
    private var fault: FeatureFileError?

    private init(_ gathering: FeatureGathering) { self.gathering = gathering }

    /// Reads a document.
    static func read(_ document: [UInt8], limits: FeatureLimits) throws(FeatureFileError) -> FeatureCollection {
        let xml = XMLReader(limits: XMLLimits(limits), vocabulary: GPXName.vocabulary)
        if let collection = try plain(document, xml, limits) { return collection }
        let gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        var events = Events(GPXReader(gathering))
        do {
            let warnings = try xml.readLeniently(document, closesElements: true) { document throws(XMLError) in
                events = Events(GPXReader(gathering))
                return try xml.read(document, into: events)
            }
            for warning in warnings { events.reader.gathering.add(warning) }
        } catch { throw events.reader.fault ?? FeatureFileError(error, in: name) }
        return events.reader.collection()
    }

    /// Reads a document without faults, which is the common case; otherwise returns `nil`.
    private static func plain(
        _ document: [UInt8], _ xml: XMLReader, _ limits: FeatureLimits
    ) throws(FeatureFileError) -> FeatureCollection? {
        var reader = GPXReader(try FeatureGathering(name, limits: limits, documentLength: document.count))
        let isPlain = xml.readPlain(document) { scanner, document throws(XMLPlainScanner.Refusal) in
            do { try reader.read(&scanner, document.span) } catch { throw XMLPlainScanner.Refusal() }
        }
        return isPlain ? reader.collection() : nil
    }

    private mutating func read(_ scanner: inout XMLPlainScanner, _ document: Span<UInt8>) throws {
        while true {
            switch try scanner.next(document) {
            case .start: try startElement(&scanner, document)
            case .text: addText(scanner.text, document)
            case .character: if isInText { addText(scanner.character.span, document) }
            case .end: try endElement(document)
            case .finish: return
            }
        }
    }

    /// Passes the events of the system's parser to a reader.
    private final class Events: XMLHandler {
        var reader: GPXReader

        init(_ reader: GPXReader) { self.reader = reader }

        func startElement(_ tag: XMLStartTag) throws(XMLError) {
            var tag = tag
            try reader.startElement(&tag, Span())
        }

        func text(_ utf8: Span<UInt8>) throws(XMLError) { if reader.isInText { reader.addText(utf8, Span()) } }

        func endElement() throws(XMLError) { try reader.endElement(Span()) }
    }

    private mutating func startElement(
        _ tag: inout some XMLTag & ~Copyable, _ document: Span<UInt8>
    ) throws(XMLError) {
        let element = try element(&tag)
        switch element {
        case .document: words.append(GPXWords())
        case .line:
            words.append(GPXWords())
            line = Line()
            line.isTrack = tag.word == .trk
        case .point: try beginPoint(&tag, document)
        case .link:
            needWords()
            let address = tag.attribute("href", of: document)?.withoutOuterBlanks
            words[words.count - 1].links.append(GPXWords.Link(address: address))
        case .copyright:
            needWords()
            words[words.count - 1].author = tag.attribute("author", of: document)?.withoutOuterBlanks
        case .words, .elevation, .author: beginText()
        case .foreign:
            beginText()
            if tag.word == .rpt { try addWay(&tag, document) }
            needWords()
            words[words.count - 1].extensions.begin(&tag, document)
        case .extensions, .metadata, .segment, .other: break
        }
        open.append(element)
    }

    private mutating func endElement(_ document: Span<UInt8>) throws(XMLError) {
        guard let element = open.popLast() else { return }
        switch element {
        case .words(let field): if let text = takeText(document) { set(field, to: text) }
        case .elevation:
            // Receivers without an altimeter write texts, or nothing.
            if isInText,
                let number = piece.isEmpty
                    ? DecimalScanner.whole(text.span) : DecimalScanner.whole(document.extracting(piece))
            {
                point.elevation = number
            }
            isInText = false
        case .point: try endPoint()
        case .segment: endSegment()
        case .line: try endLine()
        // In GPX 1.0, `author` contains the name as text.
        case .author: if let text = takeText(document) { set(.author, to: text) }
        case .foreign:
            needWords()
            words[words.count - 1].extensions.end(text: takeText(document))
        case .link, .document, .metadata, .copyright, .extensions, .other: break
        }
    }

    private mutating func set(_ field: GPXWords.Field, to text: String) {
        needWords()
        words[words.count - 1].set(field, to: text)
    }

    /// Ensures that the last entry of `words` belongs to the innermost object.
    private mutating func needWords() {
        guard isInPoint, !point.hasWords else { return }
        words.append(GPXWords())
        point.hasWords = true
    }

    private mutating func beginText() {
        if !text.isEmpty { text.removeAll(keepingCapacity: true) }
        piece = 0..<0
        isInText = true
    }

    /// Adds text in the document.
    ///
    /// A single piece is not copied.
    private mutating func addText(_ range: Range<Int>, _ document: Span<UInt8>) {
        guard isInText else { return }
        if piece.isEmpty, text.isEmpty { piece = range } else { addText(document.extracting(range), document) }
    }

    private mutating func addText(_ more: Span<UInt8>, _ document: Span<UInt8>) {
        if !piece.isEmpty {
            text.append(document.extracting(piece))
            piece = 0..<0
        }
        text.append(more)
    }

    private mutating func takeText(_ document: Span<UInt8>) -> String? {
        defer { isInText = false }
        if !piece.isEmpty {
            text.append(document.extracting(piece))
            piece = 0..<0
        }
        return isInText ? String(decoding: text, as: UTF8.self).withoutOuterBlanks : nil
    }

    /// Returns the kind of an element in its context.
    ///
    /// Namespaces are ignored, as many documents lack them.
    private mutating func element(_ tag: inout some XMLTag & ~Copyable) throws(XMLError) -> Element {
        guard let parent = open.last else {
            let name = tag.qualifiedName
            guard name.local.lowercased() == "gpx" else {
                throw XMLError(
                    .refused("not GPX: the root element is '\(name.local)'"), line: tag.line)
            }
            namespace = name.namespace
            return .document
        }
        let word = tag.word
        switch parent {
        case .document:
            switch word {
            case .wpt: return .point
            case .rte, .trk: return .line
            case .metadata: return .metadata
            case .extensions: return .extensions
            default: return Self.described(word)
            }
        case .metadata: return word == .extensions ? .extensions : Self.described(word)
        case .line:
            switch word {
            case .rtept: return line.isTrack ? .other : .point
            case .trkseg: return line.isTrack ? .segment : .other
            default: return said(&tag)
            }
        case .segment: return word == .trkpt ? .point : .other
        case .point: return word == .ele ? .elevation : said(&tag)
        case .extensions, .foreign: return .foreign
        case .author: return word == .name ? .words(.author) : .other
        case .copyright: return .other
        case .link:
            switch word {
            case .text: return .words(.linkText)
            case .type: return .words(.linkType)
            default: return .other
            }
        case .words, .elevation, .other: return .other
        }
    }

    /// Returns the kind of a child element of a line or point.
    ///
    /// In GPX 1.0, foreign elements are among the standard ones.
    private mutating func said(_ tag: inout some XMLTag & ~Copyable) -> Element {
        if tag.word == .extensions { return .extensions }
        let isForeign = tag.qualifiedName.namespace != namespace
        return isForeign ? .foreign : Self.described(tag.word)
    }

    /// Returns the kind of an element that describes its parent.
    private static func described(_ word: GPXName) -> Element {
        switch word {
        case .name: .words(.name)
        case .desc: .words(.description)
        case .cmt: .words(.comment)
        case .src: .words(.source)
        case .sym: .words(.symbol)
        case .type: .words(.category)
        case .time: .words(.time)
        case .url: .words(.address)
        case .urlname: .words(.addressText)
        case .author: .author
        case .copyright: .copyright
        case .link: .link
        default: .other
        }
    }

    private mutating func beginPoint(
        _ tag: inout some XMLTag & ~Copyable, _ document: Span<UInt8>
    ) throws(XMLError) {
        point = Point()
        isInPoint = true
        guard let x = tag.number(of: "lon", document), let y = tag.number(of: "lat", document) else {
            return gathering.warn(.omitted, line: tag.line, "a point without latitude and longitude is left out")
        }
        guard abs(x) <= 180, abs(y) <= 90 else {
            return gathering.warn(.omitted, line: tag.line, "a point at \(x), \(y) degrees is left out")
        }
        try lookForRoom(line: tag.line)
        point.place = Coordinate(x: x, y: y)
    }

    /// Adds a point between two route points (Garmin GpxExtensions v3, `RoutePointExtension_t`).
    private mutating func addWay(
        _ tag: inout some XMLTag & ~Copyable, _ document: Span<UInt8>
    ) throws(XMLError) {
        guard isInPoint, let x = tag.number(of: "lon", document), let y = tag.number(of: "lat", document),
            abs(x) <= 180, abs(y) <= 90
        else { return }
        try lookForRoom(line: tag.line)
        point.way.append(Coordinate(x: x, y: y))
    }

    private func lookForRoom(line number: Int) throws(XMLError) {
        let most = gathering.limits.maximumCoordinateCount
        guard gathering.coordinateCount + line.coordinates.count + point.way.count < most else {
            throw XMLError(.limit("more than \(most) points"), line: number)
        }
    }

    private mutating func endPoint() throws(XMLError) {
        isInPoint = false
        let said = point.hasWords ? words.popLast() : nil
        guard let place = point.place else { return }
        guard case .document? = open.last else {
            if line.isTrack, let said { line.columns.set(said, at: line.coordinates.count) }
            line.coordinates.append(place)
            line.altitudes.append(point.elevation)
            if !line.isTrack, var said, said.name != nil || said.description != nil {
                counts.points += 1
                said.elevation = point.elevation
                line.places.append(said.place(place, number: counts.points, "rtept"))
            }
            if !line.isTrack {
                line.coordinates += point.way
                line.altitudes += repeatElement(nil, count: point.way.count)
            }
            return
        }
        counts.points += 1
        var known = said ?? GPXWords()
        known.elevation = point.elevation
        try add(known.place(place, number: counts.points, "wpt"))
    }

    /// Ends a segment, which needs at least two points.
    private mutating func endSegment() {
        let start = line.partEnds.last ?? 0, count = line.coordinates.count
        guard count - start < 2 else { return line.partEnds.append(count) }
        if count > start { line.loneCount += 1 }
        line.coordinates.removeSubrange(start...)
        line.altitudes.removeSubrange(start...)
        line.columns.cut(to: start)
    }

    private mutating func endLine() throws(XMLError) {
        if !line.isTrack { endSegment() }
        let said = words.removeLast()
        counts.lines += 1
        if line.loneCount > 0 {
            gathering.warn(.omitted, "\(line.loneCount) segments with a single point left out")
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

    private mutating func add(_ feature: Feature) throws(XMLError) {
        do throws(FeatureFileError) { try gathering.add(feature) } catch {
            fault = error
            throw XMLError(.limit(error.detail), line: 1)
        }
    }

    private mutating func collection() -> FeatureCollection {
        var members: Properties = [:]
        let said = words.first ?? GPXWords()
        if let name = said.name { members["name"] = .string(name) }
        if let text = said.description { members["description"] = .string(text) }
        if let author = said.author { members["author"] = .string(author) }
        if let look = said.extensions.lineStyle {
            // OsmAnd declares the style of all tracks once.
            gathering.update { features in
                for index in features.indices
                where features[index].properties["type"] == "route" && features[index].properties["style"] == nil {
                    features[index].properties["style"] = ["default": .object(look)]
                }
            }
        }
        return gathering.collection(foreignMembers: members)
    }
}

extension XMLTag where Self: ~Copyable {
    fileprivate var word: GPXName {
        mutating get { GPXName(rawValue: code(in: GPXName.vocabulary)) ?? .other }
    }

    fileprivate mutating func number(of name: String, _ document: Span<UInt8>) -> Double? {
        withAttribute(name, of: document) { DecimalScanner.whole($0) } ?? nil
    }
}

extension String {
    /// The text without leading and trailing white space, or `nil` if it is empty.
    fileprivate var withoutOuterBlanks: String? {
        // Most texts are ASCII without white space at their ends.
        if let first = utf8.first, let last = utf8.last, (0x21..<0x7F).contains(first), (0x21..<0x7F).contains(last) {
            return self
        }
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) }
    }
}
