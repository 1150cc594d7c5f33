import Foundation
import Portolan
import PortolanRaster

/// Measures one path on a canvas while the number of vertices doubles.
struct CanvasBench {
    static let counts = [125_000, 250_000, 500_000, 1_000_000, 2_000_000]

    let runs: Int

    /// Prints a line per count with the ratio to the previous line.
    func run(_ name: String, _ draw: (inout Canvas, Path) -> Void) async throws {
        guard let size = ImageSize(width: 1024, height: 1024) else { return }
        var previous: Double?
        for count in Self.counts {
            let path = Self.coast(vertices: count)
            var canvas = Canvas(size: size, background: .white)
            draw(&canvas, path)
            let time = await ProcessorTime.milliseconds(runs: runs) { draw(&canvas, path) }
            let ratio = previous.map { ", \"of_half\": \(String(format: "%.3f", time / $0))" } ?? ""
            print(
                "{\"path\": \"\(name)\", \"vertices\": \(count), \"cpu_ms\": \(String(format: "%.2f", time))\(ratio)}")
            previous = time
        }
    }

    /// Returns a coast around the centre of the canvas: the same bays at any count, with a roughness of two pixels.
    private static func coast(vertices: Int) -> Path {
        var numbers = Numbers(seed: 4)
        return .polyline(
            (0..<vertices).map { index in
                let angle = 2 * Double.pi * Double(index) / Double(vertices)
                let radius = 380 + 60 * sin(7 * angle) + 25 * sin(53 * angle) + numbers.next(in: -2...2)
                return Point(x: 512 + radius * cos(angle), y: 512 + radius * sin(angle))
            }, closed: true)
    }
}
