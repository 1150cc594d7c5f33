import PortolanFeatures
import PortolanStyles
import PortolanText
import PortolanWeb

/// The glyph ranges of a style for a view: those of the characters that no given or installed font has.
///
/// As in MapLibre, the fonts of a text are one stack with a comma between their names, which the server combines. If it
/// has no such stack, as folders have, the fonts are requested one by one. Ranges end at U+FFFF.
struct StyleGlyphs {
    /// The largest number of ranges for a picture: twice those of all characters of a font.
    private static let rangeLimit = 512

    /// The needed resources.
    private(set) var resources: [Resource] = []
    /// Warnings about ranges that are invalid or cannot be requested.
    private(set) var warnings: [MapWarning] = []
    /// The ranges received so far, or `nil` if fonts have all characters.
    private(set) var ranges: GlyphRanges?
    private var found: GlyphRanges.Stacks = [:]
    private let template: String
    private let base: BaseURL?
    private let view: LayerView
    private let arrivals: Arrivals
    private let memory: GlyphRangeCache

    /// Requests the ranges of letters, or returns `nil` if the style has none or texts are not drawn.
    init?(
        _ letters: StyleLetters, of sheet: StyleSheet, base: BaseURL?, _ view: LayerView, given arrivals: Arrivals,
        _ memory: GlyphRangeCache
    ) {
        guard let template = sheet.glyphs, let fonts = view.fonts, !letters.stacks.isEmpty else { return nil }
        self.template = template
        self.base = base
        self.view = view
        self.arrivals = arrivals
        self.memory = memory
        let stacks = letters.stacks.mapValues(\.visible)
        let uncovered = fonts.uncovered(stacks.values.reduce(into: []) { $0.formUnion($1) })
        guard !uncovered.isEmpty else { return }
        let needed = stacks.flatMap { stack, letters in
            Set(letters.intersection(uncovered).lazy.map(\.value).filter { $0 <= 0xFFFF }.map { $0 & ~0xFF }).map {
                (stack: stack, start: $0)
            }
        }.sorted { ($0.stack, $0.start) < ($1.stack, $1.start) }
        guard !needed.isEmpty else { return }
        guard GlyphAddress.isSupported(template) else {
            let scheme = template.split(separator: ":").first.map { $0.prefix(20) } ?? ""
            warn("no glyphs for \(uncovered.count) characters: addresses with '\(scheme):' are not supported")
            return
        }
        for (stack, start) in needed.prefix(Self.rangeLimit) { request(stack, start) }
        if needed.count > Self.rangeLimit {
            warn("\(needed.count - Self.rangeLimit) glyph ranges are not requested", .limited)
        }
        noteJoinedScripts(uncovered)
        ranges = memory.ranges(found)
    }

    private mutating func warn(
        _ message: String, _ code: MapWarning.Code = .style, _ effect: MapWarning.Effect = .omitted,
        at place: MapWarning.Place? = nil
    ) {
        let warning = MapWarning(
            code, MapWarning.Subject(member: "glyphs"), at: place, effect: effect, message: message)
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// The state of a range.
    private enum Part {
        case come(GlyphRange)
        case awaited
        case missing
    }

    /// Requests a range of a font stack.
    private mutating func request(_ stack: String, _ start: UInt32) {
        let fonts = stack.split(separator: ",").map(String.init)
        guard fonts.count > 1 else {
            if case .come(let range) = part(stack, start, .shown) { found[stack, default: [:]][start] = [range] }
            return
        }
        switch part(stack, start, .probe) {
        case .come(let range): found[stack, default: [:]][start] = [range]
        case .awaited: break
        case .missing:
            var come: [GlyphRange] = [], isAwaited = false
            for font in fonts {
                switch part(font, start, .probe) {
                case .come(let range): come.append(range)
                case .awaited: isAwaited = true
                case .missing: break
                }
            }
            if !come.isEmpty {
                found[stack, default: [:]][start] = come
            } else if !isAwaited {
                warn("none of the fonts '\(stack.prefix(120))' has the characters \(Self.name(start))", .data)
            }
        }
    }

    /// Requests a range under the name of a font or a whole stack.
    private mutating func part(_ font: String, _ start: UInt32, _ use: Resource.Use) -> Part {
        let name = "glyphs '\(font.prefix(120))' \(Self.name(start))"
        guard let address = GlyphAddress.url(template, font: font, start: start, relativeTo: base) else {
            if use == .shown { warn("\(name): invalid address, or one that the style may not refer to") }
            return .missing
        }
        var resource = Resource(
            id: view.id(.other("glyphs \(font) \(Self.name(start))")), location: .url(address), form: .document,
            use: use, name: name
        ).keptInMemory
        resource.byteLimit = GlyphRange.byteLimit
        if let place = resources.firstIndex(where: { $0.id == resource.id }) {
            // A font that one text names alone must not be missing.
            if use == .shown { resources[place] = resource }
        } else {
            resources.append(resource)
        }
        guard let arrival = arrivals[resource.id] else { return .awaited }
        guard case .document(let bytes) = arrival else { return .missing }
        do throws(GlyphRangeError) {
            return .come(try memory.range(bytes, at: address.text, start: start))
        } catch {
            warn(error.description, .data, at: MapWarning.Place(source: name, byteOffset: error.byteOffset))
            return .missing
        }
    }

    private static func name(_ start: UInt32) -> String { GlyphAddress.name(ofRange: start) }

    /// The blocks of scripts whose letters change with their neighbours: Arabic, Syriac, the Indic scripts, Myanmar,
    /// Khmer and Mongolian.
    private static let joinedBlocks: [ClosedRange<UInt32>] = [
        0x600...0x7FF, 0x840...0x8FF, 0x900...0xDFF, 0xF00...0x109F, 0x1780...0x18AF,
    ]

    /// Adds a warning if letters are drawn that should be joined or combined.
    private mutating func noteJoinedScripts(_ uncovered: Set<Unicode.Scalar>) {
        let drawn = found.values.lazy.flatMap(\.values).flatMap { $0 }
        let count = uncovered.count { scalar in
            Self.joinedBlocks.contains { $0.contains(scalar.value) } && drawn.contains { $0.hasGlyph(for: scalar) }
        }
        guard count > 0 else { return }
        warn(
            "\(count) characters of scripts with joined letters are drawn separately, because no font has them",
            .style, .note)
    }
}
