public import PortolanFeatures
import PortolanGeo
import PortolanWeb

extension WKT {
    /// Lines of well-known text (``WKT``).
    ///
    /// Each geometry becomes a feature without properties.
    ///
    /// A geometry may span several lines. EWKT geometries with different SRIDs are transformed to the CRS of the first.
    /// Geometries without an SRID are longitude and latitude on WGS 84.
    public struct Format: FeatureFormat {
        /// The maximum number of decimals in written text; `nil` for the shortest exact form.
        public var decimals: Int?

        /// Creates the format.
        public init(decimals: Int? = nil) { self.decimals = decimals }

        /// `WKT`.
        public var name: String { "WKT" }

        /// Returns whether the first word is a geometry type, or `SRID=`.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
            let text = start.withoutByteOrderMark.drop { $0 <= 0x20 }
            let letters = text.prefix { (0x61...0x7A).contains($0 | 0x20) }
            guard letters.count <= 20, let next = text.dropFirst(letters.count).first(where: { $0 > 0x20 }) else {
                return false
            }
            let word = String(decoding: letters, as: UTF8.self).uppercased()
            if word == "SRID" { return next == UInt8(ascii: "=") }
            let names = ["ZM", "Z", "M"].compactMap { word.hasSuffix($0) ? String(word.dropLast($0.count)) : nil }
            guard ([word] + names).contains(where: { WellKnownKind.named($0) != nil }) else { return false }
            return next == UInt8(ascii: "(") || [0x45, 0x4D, 0x5A].contains(next & 0xDF)
        }

        /// Reads a document.
        ///
        /// An unreadable line is skipped with a warning.
        ///
        /// - Throws: ``FeatureFileError``.
        public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
            var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
            var system = CommonSystem()
            var start = document.count - document.withoutByteOrderMark.count, index = start, depth = 0, line = 1
            while start < document.count {
                // A geometry ends with its line, or with a later one if a bracket is still open.
                while index < document.count, document[index] != 0x0A || depth > 0 {
                    switch document[index] {
                    case UInt8(ascii: "("): depth += 1
                    case UInt8(ascii: ")"): depth -= 1
                    default: break
                    }
                    index += 1
                }
                let text = document[start..<index]
                if text.contains(where: { $0 > 0x20 }) {
                    try add(Array(text), at: start, line: line, &system, to: &gathering)
                }
                line += text.count { $0 == 0x0A } + 1
                (start, depth) = (index + 1, 0)
                index = start
            }
            return gathering.collection(crs: system.crs)
        }

        private func add(
            _ text: [UInt8], at offset: Int, line: Int, _ system: inout CommonSystem,
            to gathering: inout FeatureGathering
        ) throws(FeatureFileError) {
            let shape: EncodedGeometry
            do { shape = try WKT.read(text, offset: offset, limits: gathering.limits) } catch {
                guard error.code == .malformed else { throw error }
                gathering.warn(.omitted, byteOffset: offset, "line \(line) is left out: \(error.detail)")
                return
            }
            try gathering.add(shape, &system, at: .line(line))
        }

        /// Writes a line for each feature with a geometry; in EWKT if the CRS of the collection has an EPSG code other than
        /// that of longitude and latitude on WGS 84.
        public func write(_ collection: FeatureCollection) -> [UInt8]? {
            var bytes: [UInt8] = []
            for feature in collection.features {
                guard let geometry = feature.geometry else { continue }
                let shape = EncodedGeometry(geometry, srid: collection.srid)
                bytes += Array(WKT.write(shape, decimals: decimals).utf8)
                bytes.append(0x0A)
            }
            return bytes
        }
    }
}

extension WKB {
    /// Consecutive geometries in well-known binary (``WKB``), or hexadecimal digits, one per line, as databases print them.
    ///
    /// Each geometry becomes a feature without properties.
    public struct Format: FeatureFormat {
        /// Creates the format.
        public init() {}

        /// `WKB`.
        public var name: String { "WKB" }

        /// Returns whether the document starts with a byte order and a geometry type, as bytes or digits.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
            Self.isShape(start) || Self.bytes(ofDigits: start.prefix(10)).map { Self.isShape($0[...]) } ?? false
        }

        private static func isShape(_ start: ArraySlice<UInt8>) -> Bool {
            guard start.count >= 5, let order = start.first, order <= 1 else { return false }
            let bytes = order == 1 ? Array(start.prefix(5).dropFirst().reversed()) : Array(start.prefix(5).dropFirst())
            let code = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let number = code & 0xFFFF
            return code & 0x1FFF_0000 == 0 && number / 1000 <= 3 && WellKnownKind(rawValue: number % 1000) != nil
        }

        /// Reads a document.
        ///
        /// - Throws: ``FeatureFileError`` with the byte of the unreadable geometry.
        public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
            var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
            var system = CommonSystem()
            if Self.isShape(document[...]) {
                var reader = ByteReader(document, in: name)
                while !reader.isAtEnd {
                    let place = reader.position
                    // The remaining geometries are expected to be similar in size to the first ones.
                    if gathering.features.count == 256 { gathering.expect(document.count / (place / 270 + 1)) }
                    try gathering.add(try WKB.read(&reader, limits: limits), &system, at: .byte(place))
                }
                return gathering.collection(crs: system.crs)
            }
            for (number, line) in document.split(separator: 0x0A).enumerated() {
                let digits = line.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
                if digits.isEmpty { continue }
                guard let bytes = Self.bytes(ofDigits: digits) else {
                    throw FeatureFileError(
                        .malformed, in: name, at: .line(number + 1), "expected pairs of hexadecimal digits")
                }
                try gathering.add(try WKB.read(bytes, limits: limits), &system, at: .line(number + 1))
            }
            return gathering.collection(crs: system.crs)
        }

        /// Returns the geometry in hexadecimal digits, or `nil`.
        static func shape(ofDigits text: String, limits: FeatureLimits) -> EncodedGeometry? {
            bytes(ofDigits: Array(text.utf8)[...]).flatMap { try? WKB.read($0, limits: limits) }
        }

        private static func bytes(ofDigits digits: ArraySlice<UInt8>) -> [UInt8]? {
            guard digits.count.isMultiple(of: 2), !digits.isEmpty else { return nil }
            var bytes: [UInt8] = []
            var high: UInt8?
            for digit in digits {
                let value: UInt8
                switch digit {
                case 0x30...0x39: value = digit - 0x30
                case 0x41...0x46: value = digit - 0x37
                case 0x61...0x66: value = digit - 0x57
                default: return nil
                }
                if let first = high {
                    bytes.append(first << 4 | value)
                    high = nil
                } else {
                    high = value
                }
            }
            return bytes
        }

        /// Writes the geometries of the features consecutively; in EWKB if the CRS of the collection has an EPSG code other
        /// than that of longitude and latitude on WGS 84.
        public func write(_ collection: FeatureCollection) -> [UInt8]? {
            collection.features.flatMap { feature in
                feature.geometry.map { WKB.write(EncodedGeometry($0, srid: collection.srid)) } ?? []
            }
        }
    }
}

extension FeatureGathering {
    /// Adds a feature with only a geometry, in the common CRS.
    fileprivate mutating func add(
        _ shape: consuming EncodedGeometry, _ system: inout CommonSystem, at place: FeatureFileError.Place
    ) throws(FeatureFileError) {
        var crs: CRS?
        if let srid = shape.srid {
            crs = CRS.epsg(srid)
            if crs == nil { warn(.note, "unknown SRID \(srid); coordinates are used unchanged") }
        }
        if shape.hasMeasures { warn(.omitted, "measures are ignored") }
        guard let geometry = system.geometry(shape.geometry, in: crs) else {
            let number = features.count + 1
            warn(.omitted, "feature \(number) is outside the area of the common CRS")
            return try add(Feature(geometry: nil), at: place)
        }
        try add(Feature(geometry: geometry), at: place)
    }
}

extension FeatureCollection {
    /// The EPSG code of the CRS, or `nil` for longitude and latitude on WGS 84 and for CRSs without one.
    var srid: Int? {
        guard let crs, crs != .crs84, crs != .epsg4326 else { return nil }
        return crs.epsgCode
    }
}
