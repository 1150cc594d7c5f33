#if Text && !canImport(CoreText)
import CFreeType
import PortolanRaster

/// Converts FreeType outlines with y up into a path in font units with y down.
struct OutlinePen {
    private(set) var path = Path()
    private var isOpen = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Adds all contours of `outline`.
    mutating func draw(_ outline: inout FT_Outline, of file: String) throws(TextError) {
        var functions = unsafe FT_Outline_Funcs(
            move_to: { end, pen in
                unsafe OutlinePen.with(pen) { pen in unsafe pen.move(to: end) }
            },
            line_to: { end, pen in
                unsafe OutlinePen.with(pen) { pen in unsafe pen.line(to: end) }
            },
            conic_to: { control, end, pen in
                unsafe OutlinePen.with(pen) { pen in unsafe pen.quad(control: control, to: end) }
            },
            cubic_to: { first, second, end, pen in
                unsafe OutlinePen.with(pen) { pen in unsafe pen.cubic(first, second, to: end) }
            },
            shift: 0, delta: 0)
        // FreeType calls back only before it returns, while `self` is borrowed as the user pointer.
        let code = unsafe withUnsafeMutablePointer(to: &self) { pen in
            unsafe FT_Outline_Decompose(&outline, &functions, pen)
        }
        closeContour()
        guard path.elements.count <= limit else { throw .tooComplex(limit: limit) }
        guard code == 0 else {
            throw .unreadableFont(file: file, detail: "an outline is damaged (FreeType error \(code))")
        }
    }

    /// Calls `body` with the pen of a user pointer; a non-zero result makes FreeType stop.
    private static func with(_ user: UnsafeMutableRawPointer?, _ body: (inout OutlinePen) -> Void) -> CInt {
        guard let pen = unsafe user?.assumingMemoryBound(to: OutlinePen.self) else { return 1 }
        unsafe body(&pen.pointee)
        return unsafe pen.pointee.path.elements.count <= pen.pointee.limit ? 0 : 1
    }

    private mutating func move(to end: UnsafePointer<FT_Vector>?) {
        closeContour()
        unsafe path.move(to: point(end))
        isOpen = true
    }

    private mutating func line(to end: UnsafePointer<FT_Vector>?) {
        unsafe path.line(to: point(end))
    }

    private mutating func quad(control: UnsafePointer<FT_Vector>?, to end: UnsafePointer<FT_Vector>?) {
        unsafe path.quad(control: point(control), to: point(end))
    }

    private mutating func cubic(
        _ first: UnsafePointer<FT_Vector>?, _ second: UnsafePointer<FT_Vector>?, to end: UnsafePointer<FT_Vector>?
    ) {
        unsafe path.cubic(control1: point(first), control2: point(second), to: point(end))
    }

    private mutating func closeContour() {
        if isOpen { path.close() }
        isOpen = false
    }

    private func point(_ vector: UnsafePointer<FT_Vector>?) -> Point {
        guard let vector = unsafe vector?.pointee else { return Point(x: 0, y: 0) }
        return Point(x: Double(vector.x), y: 0 - Double(vector.y))
    }
}
#endif
