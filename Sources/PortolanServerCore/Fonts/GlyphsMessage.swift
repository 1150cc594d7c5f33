import PortolanProtobuf
import PortolanRaster
import PortolanText

/// A range of glyphs as MapLibre reads it: the message `glyphs` of fontnik.
struct GlyphsMessage: WireMessage {
    var stacks: [Stack] = []

    /// The glyphs of a font.
    struct Stack: WireMessage {
        var name = ""
        var range = ""
        var glyphs: [Glyph] = []
    }

    /// A glyph with its bitmap of distances.
    struct Glyph: WireMessage {
        var id = 0
        var bitmap: [UInt8]?
        var width = 0, height = 0
        var left = 0, top = 0
        var advance = 0
    }

    init() {}

    init(name: String, range: String, glyphs: [Glyph]) { stacks = [Stack(name: name, range: range, glyphs: glyphs)] }

    /// Reads a file.
    init(_ bytes: [UInt8]) throws(WireError) {
        // A range has 256 characters.
        var reader = WireReader(bytes, elementLimit: 4096)
        while let field = try reader.next() { try take(field, from: &reader) }
    }

    /// The bytes of a file.
    var bytes: [UInt8] {
        var writer = WireWriter()
        write(to: &writer)
        return writer.bytes
    }

    mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        if field.number == 1 { try reader.append(field, to: &stacks) }
    }

    func write(to writer: inout WireWriter) { writer.write(1, stacks) }
}

extension GlyphsMessage.Stack {
    mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        switch field.number {
        case 1: name = reader.text(field) ?? name
        case 2: range = reader.text(field) ?? range
        case 3: try reader.append(field, to: &glyphs)
        default: break
        }
    }

    func write(to writer: inout WireWriter) {
        writer.write(1, name)
        writer.write(2, range)
        writer.write(3, glyphs)
    }
}

extension GlyphsMessage.Glyph {
    init(_ glyph: DistanceGlyph) {
        id = Int(glyph.scalar.value)
        bitmap = glyph.field?.values
        (width, height, left, top) = (glyph.width, glyph.height, glyph.left, glyph.top)
        advance = glyph.advance
    }

    mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        switch field.number {
        case 1: id = field.uint32 ?? id
        case 2: bitmap = reader.content(field) ?? bitmap
        case 3: width = field.uint32 ?? width
        case 4: height = field.uint32 ?? height
        case 5: left = field.signed ?? left
        case 6: top = field.signed ?? top
        case 7: advance = field.uint32 ?? advance
        default: break
        }
    }

    func write(to writer: inout WireWriter) {
        writer.write(1, id)
        writer.write(2, bytes: bitmap)
        writer.write(3, width)
        writer.write(4, height)
        writer.write(5, zigzag: Int64(left))
        writer.write(6, zigzag: Int64(top))
        writer.write(7, advance)
    }
}
