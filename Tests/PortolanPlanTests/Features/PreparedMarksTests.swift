import PortolanFeatures
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct PreparedMarksTests {
    private static func mark(_ marks: PreparedMarks, _ radius: Double, ratio: Double = 1) -> (mark: Mark, isNew: Bool) {
        var isNew = false
        let marker = ShapeMarker(radius: radius, fill: FillSymbol(color: .black))
        let mark = marks.mark(of: marker, pixelRatio: ratio) {
            isNew = true
            return Mark([.fill(.circle(center: Point(x: 0, y: 0), radius: radius * ratio), .nonZero, .black)])
        }
        return (mark, isNew)
    }

    @Test func `a mark is prepared once for each marker and density`() {
        let marks = PreparedMarks()
        #expect(Self.mark(marks, 9).isNew)
        #expect(Self.mark(marks, 9).mark.isPrepared)
        #expect(!Self.mark(marks, 9).isNew)
        #expect(Self.mark(marks, 9, ratio: 2).isNew)
        #expect(Self.mark(marks, 10).isNew)
        #expect(!Self.mark(marks, 9).isNew)
    }

    @Test func `the least recently used marks are evicted`() {
        // A disc of nine pixels takes 16 pictures of 20 by 20 pixels.
        let marks = PreparedMarks(byteBudget: 60_000)
        for radius in [9, 9.1, 9, 9.2] { _ = Self.mark(marks, radius) }
        #expect(marks.byteCount > 25_000)
        #expect(marks.byteCount <= 60_000)
        #expect(!Self.mark(marks, 9).isNew)
        #expect(Self.mark(marks, 9.1).isNew)
        // One alone stays however large it is.
        let small = PreparedMarks(byteBudget: 1)
        #expect(Self.mark(small, 30).isNew)
        #expect(!Self.mark(small, 30).isNew)
    }
}
