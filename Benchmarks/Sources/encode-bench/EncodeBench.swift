import CPeerPNG
import Foundation
import Portolan
import PortolanRaster

/// Compares the PNG encoder with libpng at its defaults on the given pictures, and prints a JSON line for each.
@main
struct EncodeBench {
    /// The number of measured rounds per picture, after one warm-up.
    private static let rounds = 9

    struct Row: Encodable {
        var picture: String
        var portolanMilliseconds: Double
        var libpngMilliseconds: Double
        /// The speed relative to libpng.
        var speed: Double
        var portolanBytes: Int
        var libpngBytes: Int
        /// The file size relative to that of libpng.
        var size: Double
        /// The megabytes of samples per second.
        var megabytesPerSecond: Double
    }

    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard let first = paths.first, !["--help", "-h"].contains(first) else {
            return print(
                """
                usage: encode-bench PICTURE.png …

                Times the PNG encoder and libpng at its defaults in turn on each picture, and prints a JSON line with
                times, sizes and their ratios.
                """)
        }
        for path in paths {
            let image = try ImageDecoders.standard.decode([UInt8](Data(contentsOf: URL(filePath: path))))
            let isOpaque = image.pixels.allSatisfy { $0 >= 0xff00_0000 }
            let channels = isOpaque ? 3 : 4
            let samples = image.pixels.flatMap { bits in
                let color = Pixel(bits: bits).color
                return [color.red, color.green, color.blue, color.alpha].prefix(channels)
            }
            var ours: [Double] = [], theirs: [Double] = []
            var size = 0, peerSize = 0
            for round in 0...rounds {
                let one = try time { size = try PNGEncoder.encode(image).count }
                let other = time {
                    peerSize = peer_png_size(samples, UInt32(image.width), UInt32(image.height), Int32(channels))
                }
                guard round > 0 else { continue }
                ours.append(one)
                theirs.append(other)
            }
            let own = ours.sorted()[rounds / 2], peer = theirs.sorted()[rounds / 2]
            let row = Row(
                picture: URL(filePath: path).lastPathComponent, portolanMilliseconds: own, libpngMilliseconds: peer,
                speed: peer / own, portolanBytes: size, libpngBytes: peerSize,
                size: Double(size) / Double(peerSize), megabytesPerSecond: Double(samples.count) / own / 1000)
            print(String(decoding: try JSONEncoder().encode(row), as: UTF8.self))
        }
    }

    private static func time(_ work: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(work)
        return Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15
    }
}
