#if canImport(CoreText)
import CoreFoundation
import CoreGraphics
import CoreText
import Foundation
import PortolanRaster

/// Text with CoreText, which shapes, itemises and supplies missing characters itself.
///
/// The font book guards it by a lock, and only values leave it. CoreText's fallback to system fonts cannot be disabled,
/// so characters that given fonts lack may be drawn even if system fonts are not allowed.
struct FontEngine {
    private let sources: [FontSource]
    private let usesSystemFonts: Bool
    private let limits: FontBook.Limits
    private var given: [CTFontDescriptor]?

    /// Zero, because CoreText caches glyphs itself.
    var outlineSegmentCount: Int { 0 }

    func trimOutlines(to count: Int) {}

    init(sources: [FontSource], usesSystemFonts: Bool, limits: FontBook.Limits) {
        self.sources = sources
        self.usesSystemFonts = usesSystemFonts
        self.limits = limits
    }

    /// Returns the outline and metrics of one line.
    ///
    /// The system's fonts are the fallback for all characters, so that glyph ranges are not used.
    mutating func line(
        _ text: LineText, request: FontRequest, size: Double, glyphs: GlyphSource?
    ) throws(TextError) -> TextLine {
        let scalars = text.scalars
        let base = try font(for: request, size: size)
        let line = Self.line(scalars, font: base)
        var outline = Path()
        var missing = 0
        var missingScalars: [Unicode.Scalar] = []
        var families: [String] = []
        let units = Self.scalarsByUnit(scalars)
        var ascent = Double(CTFontGetAscent(base))
        var descent = Double(CTFontGetDescent(base))
        for run in CTLineGetGlyphRuns(line) as? [CTRun] ?? [] {
            let count = CTRunGetGlyphCount(run)
            let attributes = CTRunGetAttributes(run) as? [CFString: Any] ?? [:]
            guard count > 0, let value = attributes[kCTFontAttributeName] else { continue }
            // The value of this attribute is always a CTFont; a conditional cast to a Core Foundation type cannot fail.
            let font = unsafe unsafeDowncast(value as AnyObject, to: CTFont.self)
            ascent = max(ascent, Double(CTFontGetAscent(font)))
            descent = max(descent, Double(CTFontGetDescent(font)))
            var glyphs = [CGGlyph](repeating: 0, count: count)
            var positions = [CGPoint](repeating: .zero, count: count)
            // The arrays have room for the whole run, which the empty range requests.
            unsafe CTRunGetGlyphs(run, CFRange(location: 0, length: 0), &glyphs)
            unsafe CTRunGetPositions(run, CFRange(location: 0, length: 0), &positions)
            var indices = [CFIndex](repeating: 0, count: count)
            unsafe CTRunGetStringIndices(run, CFRange(location: 0, length: 0), &indices)
            let name = CTFontCopyPostScriptName(font) as String
            families.append(CTFontCopyFamilyName(font) as String)
            for (number, (glyph, position)) in zip(glyphs, positions).enumerated() {
                if glyph == 0 || name == "LastResort" {
                    missing += 1
                    let index = indices[number]
                    if units.indices.contains(index), !missingScalars.contains(units[index]) {
                        missingScalars.append(units[index])
                    }
                }
                guard let path = unsafe CTFontCreatePathForGlyph(font, glyph, nil) else { continue }
                Self.append(path, at: position, to: &outline)
                guard outline.elements.count <= limits.outlineSegments else {
                    throw .tooComplex(limit: limits.outlineSegments)
                }
            }
        }
        let advance = unsafe Double(CTLineGetTypographicBounds(line, nil, nil, nil))
        return TextLine(
            outline: outline, advance: advance, ascent: ascent, descent: descent, missingGlyphCount: missing,
            missingScalars: missingScalars, text: String(String.UnicodeScalarView(scalars)),
            font: ShapedText.Font(request, size: size, needed: families))
    }

    /// Returns the width of the line alone, equal to that of ``line(_:request:size:glyphs:)``.
    mutating func advance(of text: LineText, request: FontRequest, size: Double) throws(TextError) -> Double {
        let line = Self.line(text.scalars, font: try font(for: request, size: size))
        return unsafe Double(CTLineGetTypographicBounds(line, nil, nil, nil))
    }

    /// Returns the scalar of each UTF-16 unit of the text.
    private static func scalarsByUnit(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        scalars.flatMap { Array(repeating: $0, count: UTF16.width($0)) }
    }

    /// Returns the characters that no font has: none, because CoreText has a fallback for all.
    func uncovered(_ scalars: Set<Unicode.Scalar>) throws(TextError) -> Set<Unicode.Scalar> { [] }
    /// Glyph ranges are not made with CoreText yet.
    func faceNames() -> [String] { [] }

    func glyphs(
        of range: ClosedRange<UInt32>, inFaceNamed name: FaceName
    ) throws(TextError) -> [FontBook.FaceGlyph]? { throw .notBuiltIn }

    func glyphs(of range: ClosedRange<UInt32>, for request: FontRequest) throws(TextError) -> [FontBook.FaceGlyph] {
        throw .notBuiltIn
    }

    /// Loads the given fonts.
    mutating func load() throws(TextError) { _ = try givenDescriptors() }

    private static func line(_ scalars: [Unicode.Scalar], font: CTFont) -> CTLine {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let attributes = [kCTFontAttributeName: font] as CFDictionary
        return CTLineCreateWithAttributedString(
            CFAttributedStringCreate(nil, String(text) as CFString, attributes))
    }

    private static func append(_ glyph: CGPath, at position: CGPoint, to outline: inout Path) {
        func point(_ point: CGPoint) -> Point { Point(x: position.x + point.x, y: -(position.y + point.y)) }
        unsafe glyph.applyWithBlock { element in
            // CoreGraphics provides as many points as the element's type has.
            let points = unsafe element.pointee.points
            switch unsafe element.pointee.type {
            case .moveToPoint: unsafe outline.move(to: point(points[0]))
            case .addLineToPoint: unsafe outline.line(to: point(points[0]))
            case .addQuadCurveToPoint: unsafe outline.quad(control: point(points[0]), to: point(points[1]))
            case .addCurveToPoint:
                unsafe outline.cubic(
                    control1: point(points[0]), control2: point(points[1]), to: point(points[2]))
            case .closeSubpath: outline.close()
            @unknown default: break
            }
        }
    }

    private mutating func font(for request: FontRequest, size: Double) throws(TextError) -> CTFont {
        let ordered = try ordered(for: request)
        if let first = ordered.first {
            let cascade = [kCTFontCascadeListAttribute: Array(ordered.dropFirst())] as CFDictionary
            let descriptor = CTFontDescriptorCreateCopyWithAttributes(first, cascade)
            return unsafe CTFontCreateWithFontDescriptor(descriptor, CGFloat(size), nil)
        }
        guard usesSystemFonts else { throw .noFont(families: request.families) }
        var traits: CTFontSymbolicTraits = []
        if request.weight == .bold { traits.insert(.traitBold) }
        if request.isItalic { traits.insert(.traitItalic) }
        let generic = ["serif": "Times New Roman", "sans-serif": "Helvetica", "monospace": "Menlo"]
        let families = request.families.map { generic[$0.lowercased()] ?? $0 } + ["Helvetica"]
        let installed = families.first { family in
            let wanted = [kCTFontFamilyNameAttribute: family] as CFDictionary
            let descriptor = CTFontDescriptorCreateWithAttributes(wanted)
            let mandatory = Set([kCTFontFamilyNameAttribute as String]) as CFSet
            return CTFontDescriptorCreateMatchingFontDescriptor(descriptor, mandatory) != nil
        }
        let font = unsafe CTFontCreateWithName((installed ?? "Helvetica") as CFString, CGFloat(size), nil)
        return unsafe CTFontCreateCopyWithSymbolicTraits(font, CGFloat(size), nil, traits, [.traitBold, .traitItalic])
            ?? font
    }

    /// Returns the given fonts in the order for `request`, as on other platforms.
    private mutating func ordered(for request: FontRequest) throws(TextError) -> [CTFontDescriptor] {
        let given = try givenDescriptors()
        var families = request.families.map { $0.lowercased() }
        for descriptor in given {
            let font = unsafe CTFontCreateWithFontDescriptor(descriptor, 16, nil)
            let name = (CTFontCopyFamilyName(font) as String).lowercased()
            if !families.contains(name) { families.append(name) }
        }
        let ranked = given.enumerated().map { offset, descriptor in
            let font = unsafe CTFontCreateWithFontDescriptor(descriptor, 16, nil)
            let traits = CTFontGetSymbolicTraits(font)
            let name = (CTFontCopyFamilyName(font) as String).lowercased()
            let family = families.firstIndex(of: name) ?? families.count
            let weight = traits.contains(.traitBold) == (request.weight == .bold) ? 0 : 2
            let slope = traits.contains(.traitItalic) == request.isItalic ? 0 : 1
            return (rank: (family, weight + slope, offset), descriptor: descriptor)
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.descriptor)
    }

    private mutating func givenDescriptors() throws(TextError) -> [CTFontDescriptor] {
        if let given { return given }
        var descriptors: [CTFontDescriptor] = []
        for source in sources {
            guard case .file(let file) = source else {
                guard case .family(let name) = source else { continue }
                descriptors += try Self.descriptors(ofFamily: name)
                continue
            }
            let url = CFURLCreateWithFileSystemPath(nil, file as CFString, .cfurlposixPathStyle, false)
            let found = url.flatMap { CTFontManagerCreateFontDescriptorsFromURL($0) } as? [CTFontDescriptor] ?? []
            guard !found.isEmpty else {
                throw .unreadableFont(file: file, detail: "missing, or not a TrueType or OpenType font")
            }
            descriptors += found
        }
        given = descriptors
        return descriptors
    }

    /// Returns all faces of an installed family.
    private static func descriptors(ofFamily name: String) throws(TextError) -> [CTFontDescriptor] {
        let generic = ["serif": "Times New Roman", "sans-serif": "Helvetica", "monospace": "Menlo"]
        let wanted = [kCTFontFamilyNameAttribute: generic[name.lowercased()] ?? name] as CFDictionary
        let mandatory = Set([kCTFontFamilyNameAttribute as String]) as CFSet
        let found = CTFontDescriptorCreateMatchingFontDescriptors(
            CTFontDescriptorCreateWithAttributes(wanted), mandatory)
        guard let found = found as? [CTFontDescriptor], !found.isEmpty else { throw .unknownFamily(name) }
        return found
    }
}
#endif
