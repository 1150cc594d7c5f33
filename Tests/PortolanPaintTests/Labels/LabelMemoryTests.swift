#if Text
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanWeb
import Testing

/// Labels that are many more than a picture has room for.
@Suite struct LabelMemoryTests {
    /// The geometry that carries the labels.
    enum Kind: CaseIterable {
        case points, lines, areas, symbols
    }

    private static func features(_ kind: Kind, _ count: Int) -> [Scene.StyledFeature] {
        (0..<count).map { number in
            let x = Double(number * 7919 % 96) - 48, y = Double(number * 104_729 % 640) / 10 - 32
            let geometry: Geometry =
                switch kind {
                case .points, .symbols: .point(Coordinate(x: x, y: y))
                case .lines: .lineString(SampleScene.places([(x - 300, y), (x + 300, y + 1)]))
                case .areas:
                    .polygon([SampleScene.places([(x, y), (x + 90, y), (x + 90, y + 20), (x, y + 20), (x, y)])])
                }
            let label = LabelCollectorTests.label {
                $0.size = 8
                if kind == .symbols { $0.placement = .fixed }
            }
            return SampleScene.styled(
                geometry, Style(label: label), properties: ["name": .string("Label \(number) of many")])
        }
    }

    private static func picture(_ kind: Kind, _ count: Int, _ memory: MemoryBudget?) throws -> MapPicture {
        let scene = SampleScene()
        return try MapPainter(
            scene: Scene(
                viewport: try scene.viewport(), background: .white, layers: [SampleScene.step(features(kind, count))]),
            images: [:], fonts: SampleScene.fonts, furniture: Furniture(), memory: memory
        ).paint()
    }

    @Test(arguments: Kind.allCases)
    func `labels without room take little memory, and all are tried`(_ kind: Kind) throws {
        // A kilobyte for each; their letters alone would take eight times as much.
        let count = 500, memory = MemoryBudget(byteLimit: count * 1024)
        let picture = try Self.picture(kind, count, memory)
        #expect(picture.isComplete)
        #expect(picture.warnings.isEmpty)
        #expect(picture.image.pixels.contains { $0 != Pixel(.white).bits })
        #expect(try picture.image == Self.picture(kind, count, nil).image)
        #expect(memory.highestByteCount > 0)
        #expect(memory.byteCount == 0)
    }

    @Test(arguments: Kind.allCases)
    func `labels over the memory limit are reported as missing`(_ kind: Kind) throws {
        let picture = try Self.picture(kind, 300, MemoryBudget(byteLimit: 2_000))
        #expect(!picture.isComplete)
        #expect(picture.warnings.map(\.code) == [.limited])
        #expect(picture.warnings.first?.message.contains("memory limit reached") == true)
    }
}
#endif
