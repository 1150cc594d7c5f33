import Foundation
import PortolanRaster

/// Prints a JSON line per scene with the median time of a frame, or with its heap allocations.
///
/// With `--png` it also writes the picture of each scene.
@main struct RasterBench {
    private static let usage = """
        usage: raster-bench [--png FOLDER] [--threads N] [--frames N] [--allocations] SCENE…

        Paints each scene file in turn and prints a JSON line for it: the median time of its frames in milliseconds,
        drawing only, white background included, paths built beforehand: processor time on one thread, which does not
        depend on what else the machine does, as the peers measure; wall time on several.

          --png FOLDER    also write each scene's picture as FOLDER/NAME.png
          --threads N     paint on up to N threads (default: 1)
          --frames N      time N frames (default: 11)
          --allocations   count instead of timing: the heap allocations of one frame after two others, and their
                          bytes, beside the scene's operations and segments (Linux with glibc)
        """

    static func main() throws {
        var scenes: [String] = [], pictures: String?, threads = 1, frames = 11, counts = false
        var words = CommandLine.arguments.dropFirst().makeIterator()
        while let word = words.next() {
            switch word {
            case "--png": pictures = words.next()
            case "--threads":
                guard let count = words.next().flatMap({ Int($0) }), count > 0 else { return complain(usage) }
                threads = count
            case "--frames":
                guard let count = words.next().flatMap({ Int($0) }), count > 0 else { return complain(usage) }
                frames = count
            case "--allocations": counts = true
            case "--help", "-h": return print(usage)
            default: scenes.append(word)
            }
        }
        guard !scenes.isEmpty, var painter = ScenePainter() else {
            return complain(usage)
        }
        for file in scenes {
            let scene = try Scene(file: file)
            if counts {
                guard let count = painter.countAllocations(scene, threads: threads) else {
                    return complain("raster-bench: allocations cannot be counted on this system")
                }
                print(
                    "{\"scene\": \"\(scene.name)\", \"operations\": \(scene.operations.count), "
                        + "\"segments\": \(scene.segmentCount), \"allocations\": \(count.allocations), "
                        + "\"bytes\": \(count.bytes)}")
            } else {
                let time = painter.measure(scene, frames: frames, threads: threads)
                print("{\"scene\": \"\(scene.name)\", \"portolan_ms\": \(String(format: "%.3f", time))}")
            }
            if let pictures {
                let file = URL(filePath: pictures).appending(path: "\(scene.name).png")
                try PortableNetworkGraphic.data(painter.canvas.buffer).write(to: file)
            }
        }
    }

    private static func complain(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }
}
