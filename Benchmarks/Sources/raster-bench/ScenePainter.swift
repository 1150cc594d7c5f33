import CAllocationCount
import Foundation
import PortolanRaster

/// Paints scenes on one canvas, including the white background.
struct ScenePainter {
    private let tile: PixelBuffer
    private let icon: PixelBuffer
    private(set) var canvas: Canvas

    init?() {
        guard let size = ImageSize(width: Scene.width, height: Scene.height),
            let tile = Self.picture(
                256, 256,
                { x, y in
                    let v = (x * 7 + y * 13 + ((x * y) >> 3)) & 255
                    return MapColor(red: UInt8(v), green: UInt8(v * 3 & 255), blue: UInt8(255 - v))
                }),
            let icon = Self.picture(
                25, 29, { x, y in MapColor(red: 200, green: UInt8(x * 9 & 255), blue: UInt8(y * 8 & 255), alpha: 200) })
        else { return nil }
        self.tile = tile
        self.icon = icon
        canvas = Canvas(size: size)
    }

    private static func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> MapColor) -> PixelBuffer? {
        guard let size = ImageSize(width: width, height: height) else { return nil }
        var picture = PixelBuffer(size: size)
        for y in 0..<height {
            for x in 0..<width { picture[x, y] = Pixel(color(x, y)) }
        }
        return picture
    }

    /// Returns the scene's operations, recorded with the white background.
    private func drawing(_ scene: Scene) -> Drawing {
        var drawing = Drawing()
        drawing.clear(to: .white)
        for operation in scene.operations {
            switch operation {
            case .fill(let path, let rule, let color): drawing.fill(path, rule: rule, color: color)
            case .stroke(let path, let style, let color): drawing.stroke(path, style: style, color: color)
            case .tile(let x, let y, let scale, let opacity):
                // The other programs also use the tile as opaque.
                if scale == 1, opacity == 1, x == x.rounded(), y == y.rounded() {
                    drawing.copy(tile, atX: Int(x), y: Int(y))
                } else {
                    let place = AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: x, ty: y)
                    drawing.draw(tile, transform: place, opacity: opacity, edges: .smooth)
                }
            case .icon(let x, let y):
                drawing.draw(icon, transform: .translation(x: x, y: y), edges: .smooth)
            }
        }
        return drawing
    }

    /// Returns the median time of a frame in milliseconds.
    mutating func measure(_ scene: Scene, frames: Int, threads: Int) -> Double {
        let drawing = drawing(scene), clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC
        canvas.paint(drawing, threads: threads)
        let times = (0..<frames).map { _ in
            let start = Self.milliseconds(of: clock)
            canvas.paint(drawing, threads: threads)
            return Self.milliseconds(of: clock) - start
        }
        return times.sorted()[frames / 2]
    }

    private static func milliseconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    /// Returns the heap allocations of a frame after two others, or `nil` if they cannot be counted.
    mutating func countAllocations(_ scene: Scene, threads: Int) -> (allocations: UInt64, bytes: UInt64)? {
        guard allocation_count_is_possible() else { return nil }
        let drawing = drawing(scene)
        for _ in 0..<2 { canvas.paint(drawing, threads: threads) }
        allocation_count_start()
        canvas.paint(drawing, threads: threads)
        let count = allocation_count_stop()
        return (count.count, count.bytes)
    }
}
