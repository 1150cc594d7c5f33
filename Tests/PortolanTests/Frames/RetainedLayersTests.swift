import PortolanPlan
import PortolanRaster
import Testing

@testable import Portolan

@Suite(.timeLimit(.minutes(20))) struct RetainedLayersTests {
    @Test func `only layers from the first changed one upwards are repainted`() throws {
        let viewport = try World.view(width: 8, height: 8)
        func scene(_ opacities: [Double], x: Double = 0) throws -> Scene {
            Scene(
                viewport: try viewport.panned(x: x, y: 0), background: .white,
                layers: opacities.enumerated().map { Scene.Layer(name: "\($0.offset)", opacity: $0.element, nodes: []) }
            )
        }
        let names = ["0", "1", "2"]
        var painted: [String] = []
        let painter = RetainedPicture.Painter(
            paint: { scene, below in
                painted.append(
                    scene.layers.map(\.name).joined() + (below == nil ? "" : " over")
                        + (scene.viewport.size.width < 8 ? " strip" : ""))
                return below ?? PixelBuffer(size: scene.viewport.imageSize)
            }, part: { Scene(viewport: $0, background: .white, layers: names.map { Scene.Layer(name: $0, nodes: []) }) }
        )
        var last: RetainedPicture?
        func paint(_ scene: Scene) -> [String] {
            painted = []
            last = RetainedPicture(scene, images: [:], after: last, by: painter)
            return painted
        }
        #expect(paint(try scene([1, 1, 1])) == ["012"])
        #expect(paint(try scene([1, 1, 1])) == [])
        // What is below is painted once, when something above it first changes.
        #expect(paint(try scene([1, 1, 0.5])) == ["01", "2 over"])
        #expect(paint(try scene([1, 1, 0.6])) == ["2 over"])
        #expect(paint(try scene([1, 1, 0.7], x: 3)) == ["01 strip", "2 over"])
        #expect(paint(try scene([1, 0.5, 0.7], x: 3)) == ["0", "12 over"])
        #expect(paint(try scene([0.5, 0.5, 0.7], x: 3)) == ["012"])
    }
}
