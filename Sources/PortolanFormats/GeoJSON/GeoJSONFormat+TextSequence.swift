public import PortolanFeatures
import PortolanWeb

extension GeoJSONFormat {
    /// GeoJSON text sequences (RFC 8142): GeoJSON objects, each after a record separator (the byte 0x1E).
    ///
    /// All objects are read into one collection. An unreadable object is skipped with a warning, as section 2 of the
    /// standard requires.
    public struct TextSequence: FeatureFormat {
        /// The byte before each object.
        static let separator: UInt8 = 0x1E

        /// Creates the format.
        public init() {}

        /// `GeoJSON text sequence`.
        public var name: String { "GeoJSON text sequence" }

        /// Returns whether the first character is a record separator.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
            start.withoutByteOrderMark.first { !$0.isJSONSpace } == Self.separator
        }

        /// Reads the objects of a sequence.
        ///
        /// - Throws: ``/PortolanFeatures/GeoJSONError`` if none can be read, or a limit is exceeded.
        public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
            do throws(GeoJSONError) {
                return try GeoJSONReader.read(document, separatedBy: Self.separator, limits: limits)
            } catch { throw error.counted(in: document) }
        }
    }
}

extension GeoJSONFormat {
    /// Newline-delimited GeoJSON: one object per line, a common form without a standard.
    ///
    /// All lines are read into one collection. An unreadable line is skipped with a warning.
    public struct Lines: FeatureFormat {
        /// The byte between objects.
        static let separator: UInt8 = 0x0A

        /// Creates the format.
        public init() {}

        /// `newline-delimited GeoJSON`.
        public var name: String { "newline-delimited GeoJSON" }

        /// Returns whether the first line is a complete object and the next line starts another, or the first line is
        /// longer than the start and contains a feature or geometry.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
            var outline = JSONLineOutline()
            let text = start.withoutByteOrderMark.drop(while: \.isJSONSpace)
            guard text.first == UInt8(ascii: "{"), let end = text.firstIndex(of: 0x0A) else {
                return text.first == UInt8(ascii: "{") && start.count >= RecognizedStart.byteCount
                    && outline.holdsFeature(text)
            }
            outline.read(text[..<end])
            return outline.isWhole && text[end...].first { !$0.isJSONSpace } == UInt8(ascii: "{")
        }

        /// Reads the objects on the lines.
        ///
        /// - Throws: ``/PortolanFeatures/GeoJSONError`` if none can be read, or a limit is exceeded.
        public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
            do throws(GeoJSONError) {
                return try GeoJSONReader.read(document, separatedBy: Self.separator, limits: limits)
            } catch {
                guard !error.code.endsReading else { throw error.counted(in: document) }
                // A single feature may also start with a long line.
                return try GeoJSONReader.read(document, limits: limits)
            }
        }
    }
}

/// The brackets and top-level names at the start of a JSON text.
struct JSONLineOutline {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// Whether the text is exactly one complete object.
    private(set) var isWhole = false

    /// Processes a line.
    mutating func read(_ line: ArraySlice<UInt8>) {
        for byte in line where !byte.isJSONSpace || isInText {
            step(byte)
            isWhole = depth == 0 && !isInText && byte == UInt8(ascii: "}")
        }
    }

    /// Returns whether the top-level names at the start of a line are those of a feature or geometry, and not of a
    /// collection.
    mutating func holdsFeature(_ line: ArraySlice<UInt8>) -> Bool {
        var text: [UInt8] = []
        var name: [UInt8]?
        for byte in line {
            let wasInText = isInText
            step(byte)
            guard depth == 1 else { continue }
            if isInText {
                if wasInText { text.append(byte) } else { text = [] }
            } else if wasInText {
                if name.map({ $0.elementsEqual("type".utf8) }) == true {
                    return !text.elementsEqual("FeatureCollection".utf8)
                }
                guard name == nil else { continue }
                if ["geometry", "properties", "coordinates", "geometries"].contains(where: {
                    text.elementsEqual($0.utf8)
                }) {
                    return true
                }
                if text.elementsEqual("features".utf8) { return false }
            } else if byte == UInt8(ascii: ":") {
                name = text
            } else if byte == UInt8(ascii: ",") {
                name = nil
            }
        }
        return false
    }

    private mutating func step(_ byte: UInt8) {
        if isInText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }
}
