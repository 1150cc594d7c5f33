internal import PortolanGeo
import PortolanRaster
import PortolanWeb

/// The state of one pass over a document: a cursor over the bytes, and arrays that are reused for each feature.
///
/// Each step receives the bytes as a span, since a span cannot be stored. `bytes` is the same memory, from which texts
/// are created.
struct GeoJSONParser {
    typealias Known = GeoJSONNameTable.Known

    let bytes: [UInt8]
    let limits: FeatureLimits
    /// The number of threads that read features concurrently, and the number of bytes of each run.
    var threadCount = 1, runLength = 1 << 20
    /// Whether texts with invalid UTF-8 are repaired with a warning; otherwise they are errors.
    var mendsText = true
    /// The index of the next byte.
    var position = 0
    /// The current nesting depth.
    var depth = 0
    var names = GeoJSONNameTable()
    /// The last member name, if it is not in the table.
    var unsharedName = ""
    var crs: CRS?
    var warnings: WarningList
    /// Whether a duplicate name in an object is only recorded, with its last value.
    var allowsRepeatedNames = false
    /// Receives each feature after reading, in place of the collection.
    var receive: ((Feature) throws(GeoJSONError) -> Void)?
    /// The number of features passed to `receive`.
    private(set) var receivedCount = 0
    /// The number of the current feature, from 1, or `nil` outside the list of features.
    var featureNumber: Int?
    /// The error of the first skipped feature.
    var firstLoss: GeoJSONError?
    /// Whether the current geometry has a warning about numbers in quotes.
    var isTextOrdinateNoted = false
    var coordinateCount = 0
    /// The memory charge of the content read so far, except a few bytes.
    private(set) var charge: MemoryCharge?
    private var unchargedByteCount = 0

    var coordinates: [Coordinate] = []
    var altitudes: [Double?] = []
    var partEnds: [Int] = []
    var polygonEnds: [Int] = []
    /// The kind of the last geometry, whose start is tried first.
    var lastKind = 0
    /// The number of members in the last object with any content.
    var memberCount = 8
    /// A buffer for a text with escapes.
    var scratch: [UInt8] = []

    init(bytes: [UInt8], limits: FeatureLimits) {
        self.bytes = bytes
        self.limits = limits
        warnings = WarningList(limit: limits.maximumWarningCount)
    }

    /// Reads a document.
    ///
    /// The document is charged during reading, and the features while their collection is in use.
    mutating func charging(
        _ read: (inout GeoJSONParser) throws(GeoJSONError) -> FeatureCollection
    ) throws(GeoJSONError) -> FeatureCollection {
        guard let memory = limits.memory else { return try read(&self) }
        do { charge = try memory.charge(bytes.count) } catch { throw noMemory(error) }
        var collection = try read(&self)
        // The document is no longer needed, and the coordinates will also be stored in columns.
        charge?.shrink(by: bytes.count)
        unchargedByteCount += coordinateCount * MemoryLayout<Coordinate>.stride
        try chargeRest()
        collection.charge = charge
        return collection
    }

    /// Adds a feature to the kept ones, or passes it to `receive`.
    mutating func keep(_ feature: consuming Feature, in features: inout [Feature]) throws(GeoJSONError) {
        guard let receive else {
            if features.count == features.capacity { makeRoom(for: 1, in: &features) }
            return features.append(feature)
        }
        receivedCount += 1
        try receive(feature)
    }

    /// Moves features to the kept ones, or passes them to `receive`.
    mutating func keep(_ more: inout [Feature], in features: inout [Feature]) throws(GeoJSONError) {
        if receive == nil, features.capacity - features.count < more.count { makeRoom(for: more.count, in: &features) }
        for index in more.indices {
            // Features are swapped and not copied: their contents are in the cache of the processor that read them.
            var feature = Feature(geometry: nil)
            swap(&feature, &more[index])
            try keep(feature, in: &features)
        }
    }

    /// Reserves space for the estimated total number of features, at most sixteen times the current one.
    ///
    /// Unused reserved space needs no physical memory, while growing needs both copies.
    private func makeRoom(for count: Int, in features: inout [Feature]) {
        guard features.count >= 256 else { return }
        let known = features.count + count, share = Double(bytes.count) / Double(max(position, 1))
        features.reserveCapacity(max(min(Int(Double(known) * share * 1.02), 16 * known), 2 * known))
    }

    /// Charges memory for a part of the document.
    @inline(__always)
    mutating func charge(_ byteCount: Int) throws(GeoJSONError) {
        unchargedByteCount += byteCount
        if unchargedByteCount >= 1 << 18 { try chargeRest() }
    }

    @inline(never)
    private mutating func chargeRest() throws(GeoJSONError) {
        if Task.isCancelled { throw cancelled }
        defer { unchargedByteCount = 0 }
        do { try charge?.grow(by: unchargedByteCount) } catch { throw noMemory(error) }
    }

    /// Charges a run of coordinates, and checks that the array can grow, which temporarily needs both copies.
    mutating func chargeCoordinates(_ count: Int) throws(GeoJSONError) {
        try charge(count * MemoryLayout<Coordinate>.stride)
        if coordinates.capacity - coordinates.count <= count { try lookForRoom(coordinates.capacity) }
    }

    /// Checks that there is memory for a temporary copy of the coordinates.
    func lookForRoom(_ count: Int) throws(GeoJSONError) {
        do { _ = try limits.memory?.charge(count * MemoryLayout<Coordinate>.stride) } catch { throw noMemory(error) }
    }

    /// The error for a cancelled reader.
    var cancelled: GeoJSONError { error(.cancelled, position, "reading was cancelled") }

    private func noMemory(_ fault: MemoryBudget.ExceededError) -> GeoJSONError {
        error(.memory, position, "too large for memory: \(fault)")
    }

    /// Returns the byte at `index`, or 0 after the end.
    ///
    /// A zero byte is invalid in JSON.
    @inline(__always)
    func byte(_ text: Span<UInt8>, _ index: Int) -> UInt8 { index < text.count ? text[index] : 0 }

    /// Skips white space and returns the next byte without consuming it.
    @inline(__always)
    mutating func skipSpace(_ text: Span<UInt8>) -> UInt8 {
        while position < text.count {
            let byte = text[position]
            if byte > 0x20 || !(byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09) { return byte }
            position += 1
        }
        return 0
    }

    /// Consumes `wanted` after white space.
    @inline(__always)
    mutating func expect(_ text: Span<UInt8>, _ wanted: UInt8, _ place: StaticString) throws(GeoJSONError) {
        guard skipSpace(text) == wanted else { throw unexpected(text, place) }
        position += 1
    }

    /// Consumes an opening bracket or brace that `skipSpace` has found.
    @inline(__always)
    mutating func open() throws(GeoJSONError) {
        guard depth < limits.maximumDepth else {
            throw error(.limitExceeded, position, "nested deeper than \(limits.maximumDepth) objects and arrays")
        }
        depth += 1
        position += 1
    }

    /// Consumes a comma or the closing byte.
    ///
    /// Returns whether it was a comma.
    @inline(__always)
    mutating func continues(_ text: Span<UInt8>, until close: UInt8) throws(GeoJSONError) -> Bool {
        let byte = skipSpace(text)
        if byte == UInt8(ascii: ",") {
            position += 1
            return true
        }
        guard byte == close else {
            throw unexpected(text, close == UInt8(ascii: "}") ? "',' or '}'" : "',' or ']'")
        }
        position += 1
        depth -= 1
        return false
    }

    /// Opens an object or array and returns whether it has content.
    ///
    /// `skipSpace` has found the opening byte.
    @inline(__always)
    mutating func begin(_ text: Span<UInt8>, until close: UInt8) throws(GeoJSONError) -> Bool {
        try open()
        guard skipSpace(text) == close else { return true }
        position += 1
        depth -= 1
        return false
    }

    /// Reads a member's name and the colon.
    ///
    /// Returns the number of the name, or -1 if the name is in `unsharedName`.
    @inline(__always)
    mutating func memberName(_ text: Span<UInt8>) throws(GeoJSONError) -> Int {
        guard skipSpace(text) == UInt8(ascii: "\"") else { throw unexpected(text, "a quoted member name") }
        let start = position
        if let (number, end) = names.expected(in: text, at: start + 1, depth: depth) {
            position = end
            return number
        }
        var index = start + 1
        while index < text.count, text[index] >= 0x20, text[index] != UInt8(ascii: "\""),
            text[index] != UInt8(ascii: "\\")
        { index += 1 }
        var number = -1
        if byte(text, index) == UInt8(ascii: "\"") {
            number = names.number(of: text, start + 1, index) {
                String(validating: bytes[(start + 1)..<index], as: UTF8.self)
            }
        }
        if number >= 0 { position = index + 1 } else { number = try unusualName(text) }
        if number >= 0 { names.note(number, depth: depth) }
        try expect(text, UInt8(ascii: ":"), "':' after a member name")
        return number
    }

    /// Reads a name that has escapes or is not in the table.
    private mutating func unusualName(_ text: Span<UInt8>) throws(GeoJSONError) -> Int {
        unsharedName = try string(text)
        let utf8 = Array(unsharedName.utf8)
        return names.number(of: utf8.span, 0, utf8.count) { unsharedName }
    }

    /// Returns the text of a name from `memberName`.
    func name(_ number: Int) -> String { number < 0 ? unsharedName : names.names[number] }

    mutating func warn(
        _ message: String, key: String? = nil, at offset: Int, effect: MapWarning.Effect = .note
    ) {
        let number = featureNumber
        warnings.append(
            MapWarning(
                feature: number.map { "#\($0)" }, key: key, byteOffset: offset, message: message, effect: effect),
            effect: effect, number: number)
    }
}

extension GeoJSONParser {
    /// Reads the whole document.
    mutating func document(_ text: Span<UInt8>) throws(GeoJSONError) -> FeatureCollection {
        guard text.count <= limits.maximumByteCount else {
            throw error(.limitExceeded, 0, "\(text.count) bytes exceed the limit of \(limits.maximumByteCount)")
        }
        try skipByteOrderMark(text)
        let first = skipSpace(text)
        guard first == UInt8(ascii: "{") else {
            if first == UInt8(ascii: "<") {
                throw error(.syntax, position, "found '<' instead of '{': this looks like XML or HTML, not GeoJSON")
            }
            if ContentKind(recognizing: bytes)?.isRaster == true {
                throw error(.wrongType, position, "this is an image, not GeoJSON")
            }
            throw wrongType(text, "the GeoJSON object")
        }
        let result = try object(text)
        _ = skipSpace(text)
        guard position == text.count else {
            throw error(.trailingContent, position, "\(found(text)) after the end of the document")
        }
        return finished(result)
    }

    /// Reads one GeoJSON object.
    ///
    /// The cursor is at its brace.
    mutating func object(_ text: Span<UInt8>) throws(GeoJSONError) -> FeatureCollection {
        let start = position
        let type = try lookAheadType(text)
        switch type {
        case "FeatureCollection": return try collection(text)
        case "Feature": return FeatureCollection(features: [try feature(text, isRoot: true)])
        case "Topology": throw error(.wrongType, start, "this is TopoJSON; convert it to GeoJSON first")
        default: return FeatureCollection(features: [Feature(geometry: try geometry(text, isRoot: true))])
        }
    }

    /// Returns the collection with the CRS, warnings and other data found during reading.
    func finished(_ collection: FeatureCollection) -> FeatureCollection {
        var result = collection
        result.crs = crs
        result.warnings = warnings.all
        return result
    }

    mutating func skipByteOrderMark(_ text: Span<UInt8>) throws(GeoJSONError) {
        let marks = (byte(text, 0), byte(text, 1))
        if marks == (0xFE, 0xFF) || marks == (0xFF, 0xFE) {
            throw error(.invalidText, 0, "the document is UTF-16; save it as UTF-8")
        }
        if marks == (0xEF, 0xBB), byte(text, 2) == 0xBF { position = 3 }
    }

    /// Returns the `type` of the object at the cursor, without moving the cursor.
    mutating func lookAheadType(_ text: Span<UInt8>) throws(GeoJSONError) -> String {
        let start = position
        let depthBefore = depth
        var type: String?
        var isMalformed = false
        do throws(GeoJSONError) {
            var more = try begin(text, until: UInt8(ascii: "}"))
            while more {
                if try memberName(text) == Known.type {
                    guard skipSpace(text) == UInt8(ascii: "\"") else { throw wrongType(text, "the type name") }
                    type = try string(text)
                    break
                }
                skipValue(text)
                more = try continues(text, until: UInt8(ascii: "}"))
            }
        } catch  where error.code != .wrongType {
            isMalformed = true
        }
        position = start
        depth = depthBefore
        if let type { return type }
        if isMalformed {
            // A full parse reports the first fault, and not the one at which the lookahead failed.
            _ = try value(text)
            position = start
        }
        throw error(.missingMember, start, "missing member \"type\", which every GeoJSON object needs")
    }

    private mutating func collection(_ text: Span<UInt8>) throws(GeoJSONError) -> FeatureCollection {
        let start = position
        var result = FeatureCollection(features: [])
        var foreign: [Properties.Element] = []
        var seen = SeenNames()
        var more = try begin(text, until: UInt8(ascii: "}"))
        while more {
            let number = try distinctName(text, &seen)
            switch number {
            case Known.type: _ = try value(text)
            case Known.features: result.features = try features(text)
            case Known.crs: try readCRS(text)
            case Known.bbox: result.declaredBounds = try bounds(text)
            default: foreign.append(Properties.Element(name: name(number), value: try value(text)))
            }
            more = try continues(text, until: UInt8(ascii: "}"))
        }
        guard seen.contains(Known.features) else {
            throw error(.missingMember, start, "a FeatureCollection needs a member \"features\"")
        }
        result.foreignMembers = seen.properties(foreign)
        return result
    }

    private mutating func features(_ text: Span<UInt8>) throws(GeoJSONError) -> [Feature] {
        guard skipSpace(text) == UInt8(ascii: "[") else { throw wrongType(text, "the array of features") }
        var list = FeatureList()
        var more = try begin(text, until: UInt8(ascii: "]"))
        if more, threadCount > 1 { more = try readAhead(text, &list) }
        while more { more = try nextFeature(text, &list) }
        featureNumber = nil
        if list.isEmpty, let firstLoss { throw firstLoss }
        return list.features
    }

    /// Reads the next member of the list of features.
    ///
    /// Returns whether there are more.
    mutating func nextFeature(_ text: Span<UInt8>, _ list: inout FeatureList) throws(GeoJSONError) -> Bool {
        let first = skipSpace(text)
        list.count += 1
        guard list.count <= limits.maximumFeatureCount else {
            throw error(.limitExceeded, position, "more than \(limits.maximumFeatureCount) features")
        }
        featureNumber = list.count
        if first == UInt8(ascii: "n") {
            warn("null instead of a feature; left out", at: position, effect: .omitted)
            try literal(text, "null")
        } else if let feature = try featureOrLoss(text) {
            list.isEmpty = false
            try keep(feature, in: &list.features)
        }
        return try continues(text, until: UInt8(ascii: "]"))
    }
}

extension GeoJSONParser {
    /// Reads a feature.
    ///
    /// The cursor is at its brace. Only the outermost object may have a CRS.
    mutating func feature(_ text: Span<UInt8>, isRoot: Bool) throws(GeoJSONError) -> Feature {
        let start = position
        // The size of a feature, and of its index and style in a source.
        try charge(MemoryLayout<Feature>.stride + 160)
        var feature = Feature(geometry: nil)
        var foreign: [Properties.Element] = []
        var seen = SeenNames()
        var more = try begin(text, until: UInt8(ascii: "}"))
        while more {
            let number = try distinctName(text, &seen)
            switch number {
            case Known.type: try featureType(text)
            case Known.id: feature.id = try identifier(text)
            case Known.properties:
                switch skipSpace(text) {
                case UInt8(ascii: "{"): feature.properties = try properties(text)
                case UInt8(ascii: "n"): try literal(text, "null")
                default:
                    try passOver(text, wrongType(text, "a properties object or null"), key: "properties")
                }
            case Known.geometry: feature.geometry = try geometryOrLoss(text, isRoot: isRoot)
            case Known.bbox: feature.declaredBounds = try bounds(text)
            case Known.crs where isRoot: try readCRS(text)
            default: foreign.append(Properties.Element(name: name(number), value: try value(text)))
            }
            more = try continues(text, until: UInt8(ascii: "}"))
        }
        if !seen.contains(Known.type) {
            guard seen.contains(Known.geometry) else {
                throw error(.missingMember, start, "a Feature needs a member \"type\"")
            }
            warn("a Feature needs a member \"type\"; read as a Feature", key: "type", at: start, effect: .repaired)
        }
        // QGIS Server omits these members for raster pixels.
        for (member, name) in [(Known.geometry, "geometry"), (Known.properties, "properties")]
        where !seen.contains(member) {
            warn("a Feature should have a member \"\(name)\", even if it is null", key: name, at: start)
        }
        if !foreign.isEmpty { feature.foreignMembers = seen.properties(foreign) }
        if feature.geometry == nil, feature.foreignMembers["place"]?.objectValue != nil {
            // OGC 21-045r1: a geometry in another CRS, or of a kind that GeoJSON lacks.
            warn(
                "its geometry is in \"place\" (JSON-FG), which is not supported", key: "place", at: start,
                effect: .omitted
            )
        }
        return feature
    }

    private static let featureType = ByteWords("\"Feature\"".utf8)

    private mutating func featureType(_ text: Span<UInt8>) throws(GeoJSONError) {
        guard skipSpace(text) == UInt8(ascii: "\"") else { throw wrongType(text, "the type \"Feature\"") }
        if Self.featureType.stands(in: text, at: position) { return position += Self.featureType.count }
        let offset = position
        let type = try string(text)
        guard type == "Feature" else {
            throw error(.wrongType, offset, "the type \"\(type.prefix(40))\" instead of \"Feature\"")
        }
    }

    private mutating func identifier(_ text: Span<UInt8>) throws(GeoJSONError) -> Feature.ID? {
        switch skipSpace(text) {
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return Feature.ID(try value(text))
        case UInt8(ascii: "n"):
            try literal(text, "null")
            return nil
        default:
            try passOver(text, wrongType(text, "a string or number as id"), key: "id")
            return nil
        }
    }

    /// Reads a `bbox`.
    ///
    /// An invalid one is ignored with a warning, since it can be derived from the coordinates.
    mutating func bounds(_ text: Span<UInt8>) throws(GeoJSONError) -> FeatureCollection.DeclaredBounds? {
        _ = skipSpace(text)
        let offset = position
        let value = try value(text)
        if value == .null { return nil }
        guard let bounds = FeatureCollection.DeclaredBounds(value) else {
            warn("must be a list of 4 or 6 numbers; ignored", key: "bbox", at: offset)
            return nil
        }
        return bounds
    }

    /// Reads the `crs` member of files from before RFC 7946.
    ///
    /// Known forms: `{"type":"name","properties":{"name":…}}` of 2008, `{"type":"EPSG","properties":{"code":…}}` of
    /// 2006, `{"type":"OGC","properties":{"urn":…}}`, and a link whose URL is a CRS name.
    mutating func readCRS(_ text: Span<UInt8>) throws(GeoJSONError) {
        _ = skipSpace(text)
        let offset = position
        let value = try value(text)
        if value == .null {
            warn("null means that no CRS may be assumed; read as WGS 84", key: "crs", at: offset)
            return
        }
        if let name = value.stringValue {
            warn("a string instead of an object; read as a name", key: "crs", at: offset, effect: .repaired)
            return try setCRS(name, at: offset)
        }
        guard let object = value.objectValue else {
            return warn(
                "must be an object with a type and properties; ignored", key: "crs", at: offset, effect: .omitted)
        }
        let type = object["type"]?.stringValue ?? ""
        let properties = object["properties"]?.objectValue ?? [:]
        let name: String?
        switch type.lowercased() {
        case "name": name = properties["name"]?.stringValue
        case "epsg": name = properties["code"]?.displayText.map { $0.contains(":") ? $0 : "EPSG:\($0)" }
        case "ogc": name = properties["urn"]?.stringValue
        case "link": name = properties["href"]?.stringValue
        default:
            throw error(
                .unsupportedCRS, offset, "\"crs\" of the unknown type \"\(type.prefix(40))\"; supported: name and EPSG")
        }
        guard let name else {
            return warn("does not name a CRS; ignored", key: "crs", at: offset, effect: .omitted)
        }
        if type.lowercased() == "link" {
            guard let linked = try? CRS(name) else {
                return warn(
                    "a link (\(name.prefix(120))); links are not followed, read as WGS 84", key: "crs", at: offset,
                    effect: .omitted)
            }
            crs = linked
        } else {
            try setCRS(name, at: offset)
        }
    }

    private mutating func setCRS(_ name: String, at offset: Int) throws(GeoJSONError) {
        do { crs = try CRS(name) } catch { throw self.error(.unsupportedCRS, offset, "\"crs\": \(error)") }
    }
}
