import Foundation
import PortolanRaster

/// Prints one JSON line a scene with the median time of a frame; with `--png` also writes each scene's picture.
@main struct RasterBench {
    static func main() throws {
        let usage = "usage: raster-bench [--png FOLDER] [--threads N] SCENE…"
        var scenes: [String] = [], pictures: String?, threads = 1
        var words = CommandLine.arguments.dropFirst().makeIterator()
        while let word = words.next() {
            switch word {
            case "--png": pictures = words.next()
            case "--threads":
                guard let count = words.next().flatMap({ Int($0) }), count > 0 else { return complain(usage) }
                threads = count
            case "--help", "-h": return complain(usage)
            default: scenes.append(word)
            }
        }
        guard !scenes.isEmpty, var painter = ScenePainter() else {
            return complain(usage)
        }
        for file in scenes {
            let scene = try Scene(file: file)
            let time = painter.measure(scene, frames: 11, threads: threads)
            print("{\"scene\": \"\(scene.name)\", \"portolan_ms\": \(String(format: "%.3f", time))}")
            if let pictures {
                let file = URL(filePath: pictures).appending(path: "\(scene.name).png")
                try PortableNetworkGraphic.data(painter.canvas.buffer).write(to: file)
            }
        }
    }

    private static func complain(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }
}
