import PortolanWeb

extension GeoJSONParser {
    /// Reads the whole document.
    mutating func document(_ text: Span<UInt8>) throws(GeoJSONError) -> FeatureCollection {
        guard text.count <= limits.maximumByteCount else {
            throw error(.limitExceeded, 0, "\(text.count) bytes are more than the limit of \(limits.maximumByteCount)")
        }
        try skipByteOrderMark(text)
        let first = skipSpace(text)
        guard first == UInt8(ascii: "{") else {
            if first == UInt8(ascii: "<") {
                throw error(.syntax, position, "'<' where '{' should stand: this looks like XML or HTML, not GeoJSON")
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

    /// Reads one GeoJSON object, the cursor on its brace.
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

    /// The collection with what was found on the way.
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

    /// The `type` of the object at the cursor, which is left where it is.
    mutating func lookAheadType(_ text: Span<UInt8>) throws(GeoJSONError) -> String {
        let start = position
        let depthBefore = depth
        var type: String?
        var isMalformed = false
        do throws(GeoJSONError) {
            var more = try begin(text, until: UInt8(ascii: "}"))
            while more {
                if try memberName(text) == Known.type {
                    guard skipSpace(text) == UInt8(ascii: "\"") else { throw wrongType(text, "the name of the type") }
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
            // Reading it properly tells the first fault rather than the one that the look ahead stumbled on.
            _ = try value(text)
            position = start
        }
        throw error(.missingMember, start, "this object has no member \"type\", which every GeoJSON object has")
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

    /// Reads the next member of the list of features; tells whether there are more.
    mutating func nextFeature(_ text: Span<UInt8>, _ list: inout FeatureList) throws(GeoJSONError) -> Bool {
        let first = skipSpace(text)
        list.count += 1
        guard list.count <= limits.maximumFeatureCount else {
            throw error(.limitExceeded, position, "more than \(limits.maximumFeatureCount) features")
        }
        featureNumber = list.count
        if first == UInt8(ascii: "n") {
            warn("null where a feature should stand; left out", at: position, effect: .omitted)
            try literal(text, "null")
        } else if let feature = try featureOrLoss(text) {
            list.isEmpty = false
            try keep(feature, in: &list.features)
        }
        return try continues(text, until: UInt8(ascii: "]"))
    }
}
