import PortolanGeo
import PortolanPlan
import Testing

@Suite struct PlanProblemTests {
    @Test func `each error suggests a remedy`() {
        let problems: [PlanError] = [
            .notTransformable(.noProjection("EPSG:27200")), .tooManyTiles(limit: 4096), .requestTooLarge,
        ]
        #expect(problems[0].description.contains("EPSG:27200"))
        #expect(problems[0].description.contains("choose"))
        #expect(problems[1].description.contains("4096"))
        #expect(problems[1].description.contains("zoom in"))
        #expect(problems[2].description.contains("smaller"))
    }
}
