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
        case other
    }

    /// A line while its points come.
    private struct Line {
        var coordinates: [Coordinate] = []
        var altitudes: [Double?] = []
        var times: [String?] = []
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

    private let limits: FeatureLimits
    private let charge: MemoryCharge?
    private var open: [Element] = []
    /// The words of the document, of the line and of the point that are open, the innermost last.
    private var words: [GPXWords] = []
    private var text: [UInt8]?
    private var line = Line()
    private var point: Coordinate?
    private var features: [Feature] = []
    private var counts = (points: 0, lines: 0)
    private var coordinateCount = 0
    private var warnings: WarningList
    private var fault: GPXError?

    private init(limits: FeatureLimits, charge: MemoryCharge?) {
        self.limits = limits
        self.charge = charge
        warnings = WarningList(limit: limits.maximumWarningCount)
    }

    /// Reads a document.
    static func read(_ document: [UInt8], limits: FeatureLimits) throws(GPXError) -> FeatureCollection {
        let charge: MemoryCharge?
        do throws(MemoryError) { charge = try limits.memory?.charge(document.count) } catch {
            throw GPXError(.memory, "too large to be read: \(error)")
        }
        let reader = GPXReader(limits: limits, charge: charge)
        let xml = XMLReader(
            limits: XMLLimits(byteCount: min(limits.maximumByteCount, 512 << 20), elementCount: 16_000_000))
        do {
            for warning in try xml.read(document, into: reader) { reader.warn(warning, kind: .note) }
        } catch { throw reader.fault ?? GPXError(error) }
        charge?.shrink(by: document.count)
        return reader.collection()
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
        case .words, .elevation, .author: text = []
        case .metadata, .segment, .other: break
        }
        open.append(element)
    }

    func text(_ utf8: Span<UInt8>) throws(XMLError) {
        guard text != nil else { return }
        for index in utf8.indices { text?.append(utf8[index]) }
    }

    func endElement() throws(XMLError) {
        guard let element = open.popLast() else { return }
        switch element {
        case .words(let path):
            if let text = takeText() { words[words.count - 1][keyPath: path] = text }
        case .elevation:
            // Receivers without one write words, or nothing.
            if let number = takeText()?.decimalNumber {
                words[words.count - 1].elevation = number
            }
        case .point: try endPoint()
        case .segment: endSegment()
        case .line: try endLine()
        // GPX 1.0 has the name itself in it.
        case .author: if let text = takeText() { words[words.count - 1].author = text }
        case .link, .document, .metadata, .copyright, .other: break
        }
    }

    private func takeText() -> String? {
        defer { text = nil }
        guard let bytes = text else { return nil }
        return String(decoding: bytes, as: UTF8.self).withoutOuterBlanks
    }

    /// What an element is in the place where it stands; names are compared without their namespace, which many documents lack.
    private func element(of tag: XMLStartTag) throws(XMLError) -> Element {
        guard let parent = open.last else {
            guard tag.name.lowercased() == "gpx" else {
                throw XMLError(
                    .refused("the document is no GPX: its outermost element is '\(tag.name)'"), line: tag.line)
            }
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
            default: return described(tag.name)
            }
        case .segment: return tag.name == "trkpt" ? .point : .other
        case .point: return tag.name == "ele" ? .elevation : described(tag.name)
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
            return warn("line \(tag.line): a point without latitude and longitude is left out", kind: .omitted)
        }
        guard abs(x) <= 180, abs(y) <= 90 else {
            return warn("line \(tag.line): a point at \(x), \(y) degrees is left out", kind: .omitted)
        }
        coordinateCount += 1
        guard coordinateCount <= limits.maximumCoordinateCount else {
            throw refusal(.limitExceeded, line: tag.line, "more than \(limits.maximumCoordinateCount) points")
        }
        point = Coordinate(x: x, y: y)
    }

    private func endPoint() throws(XMLError) {
        let said = words.removeLast()
        guard let place = point else { return }
        point = nil
        guard case .document? = open.last else {
            line.coordinates.append(place)
            line.altitudes.append(said.elevation)
            if line.isTrack {
                line.times.append(said.time)
            } else if said.name != nil || said.description != nil {
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
        line.times.removeSubrange(min(start, line.times.count)...)
    }

    private func endLine() throws(XMLError) {
        if !line.isTrack { endSegment() }
        let said = words.removeLast()
        counts.lines += 1
        if line.loneCount > 0 {
            warn("\(line.loneCount) segments of a single point are left out", kind: .omitted)
        }
        var route = said.feature(
            id: (line.isTrack ? "trk" : "rte") + "\(counts.lines)", type: "route", geometry: line.geometry,
            gpx: line.isTrack ? "trk" : "rte")
        if line.times.contains(where: { $0 != nil }), !line.partEnds.isEmpty {
            var start = 0
            let parts = line.partEnds.map { end -> PropertyValue in
                defer { start = end }
                return .array(line.times[start..<end].map { $0.map(PropertyValue.string) ?? .null })
            }
            route.properties["coordinateProperties"] = ["times": parts.count > 1 ? .array(parts) : parts[0]]
        }
        try add(route)
        for place in line.places { try add(place) }
        line = Line()
    }

    private func add(_ feature: Feature) throws(XMLError) {
        guard features.count < limits.maximumFeatureCount else {
            throw refusal(.limitExceeded, "more than \(limits.maximumFeatureCount) features")
        }
        let count = feature.geometry?.coordinateCount ?? 0
        let texts = feature.properties.reduce(0) { $0 + 64 + ($1.value.stringValue?.utf8.count ?? 0) }
        // Coordinates lie in columns besides, with altitudes and times beside them.
        do throws(MemoryError) { try charge?.grow(by: MemoryLayout<Feature>.stride + 160 + texts + 64 * count) } catch {
            throw refusal(.memory, "too large to be read: \(error)")
        }
        features.append(feature)
    }

    private func refusal(_ code: GPXError.Code, line: Int = 1, _ detail: String) -> XMLError {
        let error = XMLError(.limit(detail), line: line)
        fault = GPXError(error, as: code)
        return error
    }

    private func warn(_ message: String, kind: FeatureWarning.Kind) {
        warnings.append(FeatureWarning(feature: nil, message: message, kind: kind), kind: kind)
    }

    private func collection() -> FeatureCollection {
        var members: Properties = [:]
        let said = words.first ?? GPXWords()
        if let name = said.name { members["name"] = .string(name) }
        if let text = said.description { members["description"] = .string(text) }
        if let author = said.author { members["author"] = .string(author) }
        var collection = FeatureCollection(features: features, foreignMembers: members, warnings: warnings.all)
        collection.charge = charge
        return collection
    }
}

extension XMLStartTag {
    fileprivate func value(of name: String) -> String? {
        attributes.first { $0.name == name }?.value.withoutOuterBlanks
    }

    fileprivate func number(of name: String) -> Double? { value(of: name)?.decimalNumber }
}

extension String {
    /// The text without blanks at its ends, or `nil` when nothing else is in it.
    fileprivate var withoutOuterBlanks: String? {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) }
    }

    /// The number that the text is in decimal digits (XML Schema, `xsd:decimal`, and with an exponent), or `nil`.
    fileprivate var decimalNumber: Double? {
        guard utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }) else { return nil }
        return Double(self).flatMap { $0.isFinite ? $0 : nil }
    }
}
