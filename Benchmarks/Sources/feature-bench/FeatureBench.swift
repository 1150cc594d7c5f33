import Foundation
import Portolan
import PortolanRaster

/// Measures how rendering time grows with the number of vertices, and the cost of invisible ones.
@main struct FeatureBench {
    private static let usage = """
        usage: feature-bench [--vertices N] [--runs N] CASE…

        Prints JSON lines with the processor time of all threads in milliseconds, the least of some runs.

        Cases that plan and paint maps of a layer in degrees, in web mercator, 1024 x 1024 pixels: all of
        it; a window with a hundredth of it, of as many pixels as it fills on the first; that window of 1024 x 1024
        pixels; and the same from a layer that has nothing else.
          net      many streets of 50 vertices
          line     one line
          area     one area with a rough coast
          dashed   one dashed line, whose dashes are counted from its beginning, seen or not

        Cases that paint one path of 125,000 to 2,000,000 vertices on a canvas:
          fill     its inside
          stroke   its outline, 2 pixels wide, round

          --vertices N   the vertices of the layer (default: 10,000,000)
          --runs N       the runs (default: 3)
        """

    static func main() async throws {
        var vertices = 10_000_000, runs = 3, cases: [String] = []
        var words = CommandLine.arguments.dropFirst().makeIterator()
        while let word = words.next() {
            switch word {
            case "--vertices", "--runs":
                guard let count = words.next().flatMap({ Int($0) }), count > 0 else { return complain(usage) }
                if word == "--runs" { runs = count } else { vertices = max(count, 10_000) }
            case "--help", "-h": return print(usage)
            case "net", "line", "area", "dashed", "fill", "stroke": cases.append(word)
            default: return complain(usage)
            }
        }
        guard !cases.isEmpty else { return complain(usage) }
        for name in cases { try await run(name, vertices: vertices, runs: runs) }
    }

    private static func run(_ name: String, vertices: Int, runs: Int) async throws {
        let layers = LayerBench(vertices: vertices, runs: runs), paths = CanvasBench(runs: runs)
        let green = MapColor(red: 20, green: 150, blue: 50)
        // A tenth of the square in each direction; and of the coast, a twenty-fifth of one side.
        guard let tenth = Extent(minX: 0.1, minY: 0.2, maxX: 0.2, maxY: 0.3),
            let shore = Extent(minX: 0.1, minY: -0.5, maxX: 0.1384, maxY: -0.4616)
        else { return }
        var street = StyleDeclaration()
        (street.strokeColor, street.strokeWidth) = (green, 1.5)
        switch name {
        case "net": try await layers.run(name, StreetLayer.net(vertices: vertices), style: street, window: tenth)
        case "line": try await layers.run(name, StreetLayer.line(vertices: vertices), style: street, window: tenth)
        case "area": try await layers.run(name, StreetLayer.area(vertices: vertices), style: street, window: shore)
        case "dashed":
            street.dashStyle = .dash
            try await layers.run(name, StreetLayer.line(vertices: vertices), style: street, window: tenth)
        case "fill": try await paths.run(name) { $0.fill($1, color: green) }
        default:
            let style = StrokeStyle(width: 2, cap: .round, join: .round)
            try await paths.run(name) { $0.stroke($1, style: style, color: green) }
        }
    }

    private static func complain(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }
}
