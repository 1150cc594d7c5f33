import Foundation
import Portolan
import PortolanTesting
import PortolanWeb
import Testing

@Suite struct RenderReportTests {
    @Test func `a report is unchanged after JSON encoding and decoding`() async throws {
        let transport = try World.transport(.black, except: ["/4/8/7": World.answer(404, "gone")])
        let report = try await World.renderer(transport).render([World.tiles()], in: World.view()).report
        let data = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(RenderReport.self, from: data) == report)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(Set(object.keys) == ["complete", "view", "layers", "milliseconds", "warnings", "warningDetails"])
        let failed = try #require((object["layers"] as? [[String: Any]])?.first?["failed"] as? [[String: Any]])
        #expect(failed.first?["code"] as? String == "exception" && failed.first?["status"] as? Int == 404)
        #expect(report.layers[0].failed[0].cause?.cause == .exception)
    }

    @Test func `failed layers and warnings can be added to a report`() async throws {
        var report = try await World.renderer(World.transport())
            .render([World.tiles()], in: World.view(), options: World.plain()).report
        let w = MapWarning(.cache, message: "w"), v = MapWarning(.service, layer: "l", message: "v")
        report.add([], warnings: [w])
        #expect(report.complete && report.warnings == [w])
        let failure = RenderReport.Failure(resource: "r", code: .service, error: "e")
        report.add([RenderReport.Layer(name: "lost", kind: "wms", failure: failure)], warnings: [v])
        #expect(!report.complete && report.warnings == [v, w])
        #expect(report.failedCount == 1 && report.requestedCount == 5)
        let before = report.milliseconds.total
        report.setEncoding(.milliseconds(12))
        #expect(abs(report.milliseconds.total - before - 12) < 1e-9 && report.milliseconds.encode == 12)
    }
}
