#if Text && !canImport(CoreText)
import PortolanRaster

/// Text with HarfBuzz and FreeType, with fontconfig for the installed fonts.
///
/// Not `Sendable`: the font book guards it by a lock, and only values leave it.
struct FontEngine {
    let sources: [FontSource]
    let usesSystemFonts: Bool
    let limits: FontBook.Limits
    private var library: FontLibrary?
    /// The usable faces of the given files.
    private var given: [String: [FontFace]] = [:]
    private var stacks: [FontRequest: FontStack] = [:]
    /// The opened installed faces, and `nil` for those that could not be opened.
    private var opened: [SystemFonts.Location: FontFace?] = [:]
    /// The installed faces by their names, or `nil` before the first search.
    var installedNames: [FaceName: SystemFonts.Location]?

    /// The glyph outlines; the cost of each is the number of its segments plus one.
    private var outlines = BoundedCache<GlyphKey, GlyphOutline>(limit: 1 << 17)

    /// The colour glyphs, and `nil` for glyphs without colours.
    private var figures = BoundedCache<GlyphKey, ColorFigure?>(limit: 1 << 18)

    private struct GlyphKey: Hashable {
        /// The face, which the engine retains.
        let face: ObjectIdentifier
        let index: UInt32
    }

    /// The number of segments of the cached glyphs.
    var outlineSegmentCount: Int { outlines.cost + figures.cost }

    /// Evicts glyphs until the others have at most this many segments; lines retain theirs.
    mutating func trimOutlines(to count: Int) {
        outlines.trim(to: min(count, outlines.cost))
        figures.trim(to: max(count - outlines.cost, 0))
    }

    init(sources: [FontSource], usesSystemFonts: Bool, limits: FontBook.Limits) {
        self.sources = sources
        self.usesSystemFonts = usesSystemFonts
        self.limits = limits
    }

    /// Returns the outline and metrics of one line.
    ///
    /// - Parameter glyphs: the glyph ranges for characters that no font has, or `nil`.
    mutating func line(
        _ text: LineText, request: FontRequest, size: Double, glyphs: GlyphSource?
    ) throws(TextError) -> TextLine {
        let scalars = text.scalars
        let (runs, primary) = try runs(of: text, request: request, glyphs)
        var ascent = primary.map { Double($0.ascent) * size / Double($0.unitsPerEm) } ?? 0
        var descent = primary.map { Double($0.descent) * size / Double($0.unitsPerEm) } ?? 0
        var advance = 0.0
        var missing = 0
        var missingScalars: [Unicode.Scalar] = []
        var placed: [PlacedGlyph] = [], colored: [PlacedColorGlyph] = []
        var clusters: [GlyphCluster] = []
        var segments = 0, coloredCost = 0
        let values = scalars.map(\.value)
        for run in runs {
            guard let face = run.face else {
                let letters = RangeLetters(
                    of: run, in: scalars, glyphs, size: size, at: advance, after: segments, clusters: clusters.count)
                ascent = max(ascent, letters.ascent)
                descent = max(descent, letters.descent)
                placed += letters.glyphs
                clusters += letters.clusters
                segments = letters.segments
                guard segments + coloredCost <= limits.outlineSegments else {
                    throw .tooComplex(limit: limits.outlineSegments)
                }
                missing += letters.missingScalars.count
                for scalar in letters.missingScalars where !missingScalars.contains(scalar) {
                    missingScalars.append(scalar)
                }
                advance = letters.end
                continue
            }
            let perEm = Double(face.unitsPerEm)
            ascent = max(ascent, Double(face.ascent) * size / perEm)
            descent = max(descent, Double(face.descent) * size / perEm)
            let scale = size / perEm
            // Font units are summed as integers, so that glyph positions do not drift. The sum fits in 64 bits:
            // HarfBuzz limits the number of glyphs, and each advance has 32 bits.
            var units = 0
            var current: UInt32?
            let glyphs = try Self.glyphs(of: run, face, in: values, limits)
            let texts = run.texts(of: glyphs)
            for (glyph, text) in zip(glyphs, texts) {
                let start = segments, x = advance + Double(units) * scale
                let origin = Point(x: advance + Double(units + glyph.x) * scale, y: -Double(glyph.y) * scale)
                let isSame = glyph.cluster == current, cluster = clusters.count - (isSame ? 1 : 0)
                if let figure = try figure(of: glyph.index, in: face) {
                    colored.append(
                        PlacedColorGlyph(
                            figure: figure, origin: origin, scale: scale, cluster: cluster, scalars: text))
                    coloredCost += figure.cost
                } else {
                    let outline = try outline(of: glyph.index, in: face)
                    segments += outline.path.elementCount
                    placed.append(
                        PlacedGlyph(outline: outline, origin: origin, scale: scale, cluster: cluster, scalars: text))
                }
                guard segments + coloredCost <= limits.outlineSegments else {
                    throw .tooComplex(limit: limits.outlineSegments)
                }
                units += glyph.advance
                if glyph.index == 0 {
                    missing += 1
                    for scalar in Self.missing(glyph, among: glyphs, of: run, face, in: scalars)
                    where !missingScalars.contains(scalar) {
                        missingScalars.append(scalar)
                    }
                }
                let previous = isSame ? clusters.popLast() : nil
                current = glyph.cluster
                let left = previous?.x ?? x
                clusters.append(
                    GlyphCluster(
                        elements: (previous?.elements.lowerBound ?? start)..<segments, x: left,
                        advance: max(0, advance + Double(units) * scale - left)))
            }
            advance += Double(units) * scale
        }
        return TextLine(
            glyphs: placed, colorGlyphs: colored, advance: advance, ascent: ascent, descent: descent,
            missingGlyphCount: missing,
            missingScalars: missingScalars, clusters: runs.allSatisfy(\.hasSeparateLetters) ? clusters : [],
            text: String(String.UnicodeScalarView(scalars)),
            font: ShapedText.Font(request, size: size, needed: runs.compactMap { $0.face?.family }))
    }

    /// Returns a colour glyph, cached or loaded now, or `nil` if it is a plain outline.
    private mutating func figure(of index: UInt32, in face: FontFace) throws(TextError) -> ColorFigure? {
        guard face.isColored else { return nil }
        let key = GlyphKey(face: ObjectIdentifier(face), index: index)
        if let known = figures.value(for: key) { return known }
        let figure = try face.figure(of: index, segments: limits.outlineSegments)
        figures.insert(figure, for: key, cost: figure?.cost ?? 1)
        return figure
    }

    /// Returns a glyph outline, cached or loaded now.
    mutating func outline(of index: UInt32, in face: FontFace) throws(TextError) -> GlyphOutline {
        let key = GlyphKey(face: ObjectIdentifier(face), index: index)
        if let known = outlines.value(for: key) { return known }
        var pen = OutlinePen(limit: limits.outlineSegments)
        try face.draw(index, with: &pen)
        let outline = GlyphOutline(
            pen.path, of: face.program, index: index, unitsPerEm: Double(face.unitsPerEm))
        outlines.insert(outline, for: key, cost: outline.path.elementCount + 1)
        return outline
    }

    /// Returns the width of the line alone, equal to that of ``line(_:request:size:glyphs:)`` without glyph ranges.
    mutating func advance(of text: LineText, request: FontRequest, size: Double) throws(TextError) -> Double {
        let values = text.scalars.map(\.value)
        var advance = 0.0
        for run in try runs(of: text, request: request, nil).runs {
            guard let face = run.face else { continue }
            let units = try Self.glyphs(of: run, face, in: values, limits).reduce(0) { $0 + $1.advance }
            advance += Double(units) * (size / Double(face.unitsPerEm))
        }
        return advance
    }

    private static func glyphs(
        of run: TextRun, _ face: FontFace, in values: [UInt32], _ limits: FontBook.Limits
    ) throws(TextError) -> [ShapedGlyph] {
        guard let glyphs = face.shape(run, in: values) else { throw .tooComplex(limit: limits.outlineSegments) }
        return glyphs
    }

    /// Returns the scalars of a cluster that the font lacks.
    private static func missing(
        _ glyph: ShapedGlyph, among glyphs: [ShapedGlyph], of run: TextRun, _ face: FontFace,
        in scalars: [Unicode.Scalar]
    ) -> [Unicode.Scalar] {
        let start = Int(glyph.cluster)
        let end = glyphs.lazy.map { Int($0.cluster) }.filter { $0 > start }.min() ?? run.range.upperBound
        guard start < end, run.range.contains(start), end <= run.range.upperBound else { return [] }
        return scalars[start..<end].filter {
            !$0.properties.isDefaultIgnorableCodePoint && !face.hasGlyph(for: $0)
        }
    }

    /// Returns the runs of the line from left to right, and the first font of the request.
    ///
    /// Without glyph ranges there is a font.
    private mutating func runs(
        of text: LineText, request: FontRequest, _ glyphs: GlyphSource?
    ) throws(TextError) -> (runs: [TextRun], primary: FontFace?) {
        let scalars = text.scalars
        var stack = try stack(for: request)
        guard stack.primary != nil || glyphs != nil else { throw .noFont(families: request.families) }
        var runs: [TextRun] = []
        for cluster in TextCluster.clusters(of: text) {
            let own = scalars[cluster.range]
            var face = stack.face(for: own) { installedFace(at: $0) }
            // A character without any glyph is the box of the first font.
            if face == nil, !(glyphs?.hasAll(own) ?? false) { face = stack.primary }
            let run = TextRun(range: cluster.range, face: face, script: cluster.script, level: cluster.level)
            if let last = runs.indices.last, runs[last].joins(run) {
                runs[last].range = runs[last].range.lowerBound..<run.range.upperBound
            } else {
                runs.append(run)
            }
        }
        stacks[request] = stack
        return (BidiLevels.visualOrder(of: runs, level: \.level), stack.primary)
    }

    mutating func stack(for request: FontRequest) throws(TextError) -> FontStack {
        if let known = stacks[request] { return known }
        let given = FontStack.ordered(try givenFaces(for: request), for: request)
        let system = usesSystemFonts ? SystemFonts(request) : nil
        let emoji = usesSystemFonts ? SystemFonts(request, isEmoji: true) : nil
        var primary = given.first
        var index = 0
        while primary == nil, let system, index < system.count {
            primary = system.location(at: index).flatMap { installedFace(at: $0) }
            index += 1
        }
        // Limits the memory for arbitrary requests.
        if stacks.count >= 64 { stacks.removeAll() }
        let stack = FontStack(given: given, system: system, emoji: emoji, primary: primary)
        stacks[request] = stack
        return stack
    }

    /// Returns the characters that no font has.
    mutating func uncovered(_ scalars: Set<Unicode.Scalar>) throws(TextError) -> Set<Unicode.Scalar> {
        // Every request can use all fonts, in different orders.
        let request = FontRequest()
        var stack = try stack(for: request)
        let found = scalars.filter { scalar in stack.face(for: [scalar]) { installedFace(at: $0) } == nil }
        stacks[request] = stack
        return found
    }

    /// Returns a face that has shaped text, or `nil` for another one.
    func face(of program: ShapedText.FontProgram) -> FontFace? {
        if let face = given[program.file]?.first(where: { $0.program == program }) { return face }
        return opened[SystemFonts.Location(file: program.file, index: program.index)] ?? nil
    }

    /// Loads the given fonts.
    mutating func load() throws(TextError) { _ = try givenFaces(for: FontRequest()) }

    /// Returns the faces of the given fonts in order; of each family, the one nearest to the request.
    private mutating func givenFaces(for request: FontRequest) throws(TextError) -> [FontFace] {
        var faces: [FontFace] = []
        for source in sources {
            switch source {
            case .file(let path): faces += try self.faces(of: path)
            case .family(let name):
                guard let location = SystemFonts.location(ofFamily: name, request: request) else {
                    throw .unknownFamily(name)
                }
                guard let face = installedFace(at: location) else {
                    throw .unreadableFont(file: location.file, detail: "installed, but cannot be opened")
                }
                faces.append(face)
            }
        }
        return faces
    }

    mutating func faces(of path: String) throws(TextError) -> [FontFace] {
        if let known = given[path] { return known }
        let file = try FontFile(path: path, limit: limits.fontFileBytes)
        let library = try startedLibrary(for: path)
        var faces = [try FontFace(file: file, index: 0, library: library)]
        // The further faces of a collection; the count comes from the file.
        for index in 1..<max(1, min(faces[0].faceCount, 256)) {
            faces.append(try FontFace(file: file, index: index, library: library))
        }
        given[path] = faces
        return faces
    }

    /// Returns the face of an installed font.
    ///
    /// One that cannot be opened is skipped, because it was not requested explicitly.
    mutating func installedFace(at location: SystemFonts.Location) -> FontFace? {
        if let known = opened[location] { return known }
        let face: FontFace?
        do throws(TextError) {
            let file = try FontFile(path: location.file, limit: limits.fontFileBytes)
            face = try FontFace(file: file, index: location.index, library: startedLibrary(for: location.file))
        } catch {
            face = nil
        }
        opened[location] = .some(face)
        return face
    }

    private mutating func startedLibrary(for path: String) throws(TextError) -> FontLibrary {
        if let library { return library }
        guard let started = FontLibrary() else {
            throw .unreadableFont(file: path, detail: "not enough memory to start FreeType")
        }
        library = started
        return started
    }
}
#endif
