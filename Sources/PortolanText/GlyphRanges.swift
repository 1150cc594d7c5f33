/// The received glyph ranges of a style's fonts, from which characters are drawn that no font has.
package final class GlyphRanges: Sendable {
    /// The ranges by font stack and first character; several if they come from single fonts of the stack.
    package typealias Stacks = [String: [UInt32: [GlyphRange]]]

    private let stacks: Stacks

    /// Creates a set of ranges by the font stacks of the style.
    package init(_ stacks: Stacks) { self.stacks = stacks }

    /// Returns the first range of a font stack with a glyph for a character, or `nil`.
    func range(for scalar: Unicode.Scalar, in stack: String) -> GlyphRange? {
        stacks[stack]?[scalar.value & ~(GlyphRange.length - 1)]?.first { $0.hasGlyph(for: scalar) }
    }

    /// Returns whether two sets consist of the same ranges.
    package func isSame(as other: Stacks) -> Bool {
        stacks.count == other.count
            && stacks.allSatisfy { name, ranges in
                guard let others = other[name], others.count == ranges.count else { return false }
                return ranges.allSatisfy { start, list in
                    others[start].map { $0.elementsEqual(list, by: ===) } ?? false
                }
            }
    }
}

/// The glyph ranges for a text: those of a style for one of its font stacks.
package struct GlyphSource: Sendable {
    private let ranges: GlyphRanges
    private let stack: String

    /// Creates a source of the ranges of a font stack.
    ///
    /// - Parameter stack: the names of the fonts as in the style, separated by commas.
    package init(_ ranges: GlyphRanges, stack: String) {
        self.ranges = ranges
        self.stack = stack
    }

    /// Returns the range with a glyph for a character, or `nil`.
    func range(for scalar: Unicode.Scalar) -> GlyphRange? { ranges.range(for: scalar, in: stack) }

    /// Returns whether there are glyphs for all visible characters.
    func hasAll(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        scalars.allSatisfy { $0.properties.isDefaultIgnorableCodePoint || range(for: $0) != nil }
    }
}

extension GlyphSource: Hashable {
    /// Returns whether two sources are the same font stack of the same ranges.
    package static func == (left: GlyphSource, right: GlyphSource) -> Bool {
        left.ranges === right.ranges && left.stack == right.stack
    }

    /// Hashes the identity of the ranges and the font stack.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(ranges))
        hasher.combine(stack)
    }
}
