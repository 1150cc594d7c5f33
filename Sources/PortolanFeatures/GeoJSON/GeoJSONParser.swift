internal import PortolanGeo
import PortolanRaster
import PortolanWeb

/// The state of one pass over a document: a cursor over the bytes and arrays that are used again for each feature.
///
/// The bytes are lent to each step as a span, since a span cannot be stored; `bytes` is the same memory, from which
/// texts are made.
struct GeoJSONParser {
    typealias Known = GeoJSONNameTable.Known

    let bytes: [UInt8]
    let limits: FeatureLimits
    /// How many threads may read features at the same time, and how many bytes each reads at a time.
    var threadCount = 1, runLength = 1 << 20
    /// Whether texts that are not UTF-8 are mended, with a warning; otherwise they are errors.
    var mendsText = true
    /// The next byte to look at.
    var position = 0
    /// How many objects and arrays are open.
    var depth = 0
    var names = GeoJSONNameTable()
    /// The last member name, when the table does not hold it.
    var unsharedName = ""
    var crs: CRS?
    var warnings: WarningList
    /// Whether a name that stands twice in an object is noted only, with its last value.
    var allowsRepeatedNames = false
    /// Takes each feature as it is read, in place of the collection.
    var receive: ((Feature) throws(GeoJSONError) -> Void)?
    /// How many features it has taken.
    private(set) var receivedCount = 0
    /// The number of the feature being read, from 1, or `nil` outside the list of features.
    var featureNumber: Int?
    /// Why the first of the features that were left out could not be read.
    var firstLoss: GeoJSONError?
    /// Whether the geometry being read has been warned about for numbers that are texts.
    var isTextOrdinateNoted = false
    var coordinateCount = 0
    /// What has been read is charged to it, but for some bytes that are not yet.
    private(set) var charge: MemoryCharge?
    private var unchargedByteCount = 0

    var coordinates: [Coordinate] = []
    var altitudes: [Double?] = []
    var partEnds: [Int] = []
    var polygonEnds: [Int] = []
    /// Which kind the last geometry had, for whose beginning one looks first.
    var lastKind = 0
    /// How many members the last object of any content had.
    var memberCount = 8
    /// A text with escapes, while it is put together.
    var scratch: [UInt8] = []

    init(bytes: [UInt8], limits: FeatureLimits) {
        self.bytes = bytes
        self.limits = limits
        warnings = WarningList(limit: limits.maximumWarningCount)
    }

    /// Reads a document, which is charged while it is read, and what is read of it, as long as the collection is held.
    mutating func charging(
        _ read: (inout GeoJSONParser) throws(GeoJSONError) -> FeatureCollection
    ) throws(GeoJSONError) -> FeatureCollection {
        guard let memory = limits.memory else { return try read(&self) }
        do { charge = try memory.charge(bytes.count) } catch { throw noMemory(error) }
        var collection = try read(&self)
        // The document may go, and the coordinates will lie in columns besides.
        charge?.shrink(by: bytes.count)
        unchargedByteCount += coordinateCount * MemoryLayout<Coordinate>.stride
        try chargeRest()
        collection.charge = charge
        return collection
    }

    /// Adds a feature to those that are kept, unless something takes it.
    mutating func keep(_ feature: consuming Feature, in features: inout [Feature]) throws(GeoJSONError) {
        guard let receive else {
            if features.count == features.capacity { makeRoom(for: 1, in: &features) }
            return features.append(feature)
        }
        receivedCount += 1
        try receive(feature)
    }

    /// Moves features to those that are kept, unless something takes them.
    mutating func keep(_ more: inout [Feature], in features: inout [Feature]) throws(GeoJSONError) {
        if receive == nil, features.capacity - features.count < more.count { makeRoom(for: more.count, in: &features) }
        for index in more.indices {
            // Not copied: what a feature is made of lies in the cache of the processor that made it.
            var feature = Feature(geometry: nil)
            swap(&feature, &more[index])
            try keep(feature, in: &features)
        }
    }

    /// Makes room for all features that there will be, if they are as long as those before, and for sixteen times as many as
    /// there are at the most: what is not used is no memory yet, and growing takes both times the memory.
    private func makeRoom(for count: Int, in features: inout [Feature]) {
        guard features.count >= 256 else { return }
        let known = features.count + count, share = Double(bytes.count) / Double(max(position, 1))
        features.reserveCapacity(max(min(Int(Double(known) * share * 1.02), 16 * known), 2 * known))
    }

    /// Charges what some of the document takes in memory.
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

    /// Charges a run of coordinates, and looks whether there is room for the array to grow, which lies in memory twice for a
    /// moment.
    mutating func chargeCoordinates(_ count: Int) throws(GeoJSONError) {
        try charge(count * MemoryLayout<Coordinate>.stride)
        if coordinates.capacity - coordinates.count <= count { try lookForRoom(coordinates.capacity) }
    }

    /// Looks whether there is room for so many coordinates a second time, which is needed for a moment.
    func lookForRoom(_ count: Int) throws(GeoJSONError) {
        do { _ = try limits.memory?.charge(count * MemoryLayout<Coordinate>.stride) } catch { throw noMemory(error) }
    }

    /// The error of a document whose reader was cancelled.
    var cancelled: GeoJSONError { error(.cancelled, position, "reading it was cancelled") }

    private func noMemory(_ fault: MemoryError) -> GeoJSONError {
        error(.memory, position, "too large to be read: \(fault)")
    }

    /// The byte at `index`, or 0 after the end; JSON has no place for a zero byte.
    @inline(__always)
    func byte(_ text: Span<UInt8>, _ index: Int) -> UInt8 { index < text.count ? text[index] : 0 }

    /// Moves over white space and gives the byte after it, which is not consumed.
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

    /// Consumes an opening bracket or brace, which `skipSpace` has found.
    @inline(__always)
    mutating func open() throws(GeoJSONError) {
        guard depth < limits.maximumDepth else {
            throw error(.limitExceeded, position, "more than \(limits.maximumDepth) objects and arrays inside another")
        }
        depth += 1
        position += 1
    }

    /// Consumes a comma or the closing byte; tells whether there was a comma.
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

    /// Opens an object or array and tells whether it has content.
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

    /// Reads a member's name and the colon; gives the name's number, or -1 when it is in `unsharedName`.
    @inline(__always)
    mutating func memberName(_ text: Span<UInt8>) throws(GeoJSONError) -> Int {
        guard skipSpace(text) == UInt8(ascii: "\"") else { throw unexpected(text, "a member's name in quotes") }
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
        try expect(text, UInt8(ascii: ":"), "':' after a member's name")
        return number
    }

    /// Reads a name that has escapes or is not in the table yet.
    private mutating func unusualName(_ text: Span<UInt8>) throws(GeoJSONError) -> Int {
        unsharedName = try string(text)
        let utf8 = Array(unsharedName.utf8)
        return names.number(of: utf8.span, 0, utf8.count) { unsharedName }
    }

    /// The text of a name that `memberName` gave.
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
