import PortolanRaster
import Testing

/// A contact sheet of images that are not aligned to whole pixels.
@Suite struct ImageSheetTests {
    /// A round sign with a white bar, clear outside.
    static func sign() throws -> PixelBuffer {
        var canvas = Canvas(size: try SampleScene.size(24, 24))
        canvas.fill(.circle(center: Point(x: 12, y: 12), radius: 11.5), color: .brick)
        canvas.fill(.rectangle(x: 5, y: 10, width: 14, height: 4), color: .white)
        return canvas.buffer
    }

    /// Street-like lines of a pixel on an opaque ground, and a coloured border.
    static func plan() throws -> PixelBuffer {
        var canvas = Canvas(size: try SampleScene.size(160, 160), background: MapColor(red: 240, green: 236, blue: 225))
        for step in stride(from: 8.0, to: 160, by: 8) {
            canvas.stroke(StrokeSheetTests.polyline([(step, 0), (step, 160)]), style: StrokeStyle(), color: .black)
            canvas.stroke(
                StrokeSheetTests.polyline([(0, step / 2), (160, step)]), style: StrokeStyle(), color: .brick)
        }
        canvas.fill(.circle(center: Point(x: 80, y: 80), radius: 40), color: .sea)
        canvas.stroke(
            .rectangle(x: 2, y: 2, width: 156, height: 156), style: StrokeStyle(width: 4), color: .leaf)
        return canvas.buffer
    }

    @Test func `icons rotate smoothly about their anchor`() throws {
        var sheet = try ContactSheet(columns: 6, rows: 2, cellWidth: 60, cellHeight: 60)
        let sign = try Self.sign()
        let half = 0.5.squareRoot(), turns = [(1.0, 0.0), (0.8, 0.6), (half, half), (0, 1), (-0.6, 0.8), (-1, 0)]
        for (column, turn) in turns.enumerated() {
            for (row, scale) in [1.0, 1.75].enumerated() {
                let transform = AffineTransform.translation(x: -12, y: -12)
                    .then(.scale(x: scale, y: scale))
                    .then(AffineTransform(a: turn.0, b: turn.1, c: -turn.1, d: turn.0, tx: 30, ty: 30))
                sheet.draw(sign, transform, column: column, row: row)
            }
        }
        // Turned by quarters and halves, the icon is as it was.
        let picture = sheet.canvas.buffer
        for y in 0..<24 { for x in 0..<24 { #expect(picture[18 + x, 18 + y] == picture[318 + x, 18 + y]) } }
        try Golden.check(picture, "images-turned")
    }

    @Test func `reduced images keep the mean of their content`() throws {
        var sheet = try ContactSheet(columns: 5, rows: 2, cellWidth: 130, cellHeight: 130)
        let plan = try Self.plan()
        for (column, scale) in [0.8, 0.5, 0.3, 0.17, 0.05].enumerated() {
            let size = 160 * scale, from = (130 - size) / 2
            sheet.draw(
                plan, AffineTransform.scale(x: scale, y: scale).then(.translation(x: from, y: from)), column: column,
                row: 0)
            let turn = AffineTransform(a: 0.8 * scale, b: 0.6 * scale, c: -0.6 * scale, d: 0.8 * scale, tx: 0, ty: 0)
            sheet.draw(
                plan,
                AffineTransform.translation(x: -80, y: -80).then(turn).then(.scale(x: 0.7, y: 0.7))
                    .then(.translation(x: 65, y: 65)),
                opacity: 0.9, column: column, row: 1)
        }
        try Golden.check(sheet.canvas.buffer, "images-smaller")
    }
}
