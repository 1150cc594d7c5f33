// Decodes vector tiles: every layer, geometry and attribute. A line for each file as JSON.
// Usage: vector_tiles mvt|mlt ROUNDS FILE...
import Foundation
import PortolanVectorTiles

@main struct VectorTiles {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3, let encoding = VectorTileEncoding(rawValue: arguments[1]),
            let rounds = Int(arguments[2])
        else { return print("usage: vector_tiles mvt|mlt ROUNDS FILE...") }
        for path in arguments.dropFirst(3) {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            var times: [Double] = [], sum = 0
            for _ in 0..<rounds {
                var begin = timespec(), end = timespec()
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin)
                let tile = try VectorTile(bytes, encoding: encoding)
                for layer in tile.layers { sum += layer.geometry.coordinates.count + layer.columns.count }
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
                times.append(Double(end.tv_sec - begin.tv_sec) * 1e3 + Double(end.tv_nsec - begin.tv_nsec) / 1e6)
            }
            times.sort()
            print("{\"file\": \"\(path)\", \"cpu_ms\": \(times[times.count / 2]), \"sum\": \(sum)}")
        }
    }
}
