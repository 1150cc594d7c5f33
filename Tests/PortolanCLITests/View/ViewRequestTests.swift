import Portolan
import PortolanCLI
import PortolanGeo
import Testing

@Suite struct ViewRequestTests {
    private func request(_ change: (inout ViewRequest) -> Void) -> ViewRequest {
        var request = ViewRequest()
        change(&request)
        return request
    }

    @Test func `a centre and a zoom level give a view`() throws {
        let view = try request {
            $0.center = "180, 0"
            $0.zoom = 0
            $0.rotation = 30
        }.viewport(for: [])
        #expect("\(view.size)" == "1024x768")
        // Half the equator of the sphere of 6 378 137 m; all of it in 256 pixels.
        #expect(abs(view.center.x - 20_037_508.342789244) < 1e-6)
        #expect(abs(view.resolution.unitsPerPixel - 156_543.03392804097) < 1e-6)
        #expect(view.rotation == 30)
    }

    @Test(arguments: [("1:1000", 0.28), ("2000", 0.56)]) func `a scale is of pixels of 0.28 mm`(
        text: String, metres: Double
    ) throws {
        let view = try request {
            $0.center = "-3,40"
            $0.scale = text
            $0.crs = "EPSG:25830"
        }.viewport(for: [])
        #expect(abs(view.resolution.unitsPerPixel - metres) < 1e-12)
        // The central meridian of zone 30 is 3 degrees west, at 500 km.
        #expect(abs(view.center.x - 500_000) < 1e-6)
    }

    @Test func `a box in another CRS is transformed`() throws {
        let view = try request {
            $0.bbox = "-180,-1,180,1"
            $0.bboxCRS = "EPSG:4326"
            $0.size = "1000x500"
        }.viewport(for: [])
        #expect(abs(view.extent.minX + 20_037_508.342789244) < 1e-3)
        #expect(abs(view.extent.minX / view.extent.minY - 2) < 1e-9)
    }

    @Test func `options win over a document, a way of placing whole`() {
        let document = request {
            $0.size = "1x1"
            $0.crs = "EPSG:25830"
            $0.center = "1,2"
            $0.zoom = 3
        }
        #expect(ViewRequest().over(document) == document)
        let box = request { $0.bbox = "1,2,3,4" }.over(document)
        #expect(box.bbox == "1,2,3,4" && box.center == nil && box.zoom == nil && box.size == "1x1")
        let zoom = request { $0.scale = "1:5" }.over(document)
        #expect(zoom.center == "1,2" && zoom.zoom == nil && zoom.scale == "1:5")
        let center = request { $0.center = "5,6" }.over(document)
        #expect(center.center == "5,6" && center.zoom == 3)
        let fit = request { $0.isFitting = true }.over(document)
        #expect(fit.center == nil && fit.zoom == nil && fit.isFitting)
    }

    @Test func `a centre here takes the place of a document's box`() {
        let document = request {
            $0.bbox = "1,2,3,4"
            $0.crs = "EPSG:4326"
        }
        let center = request { $0.center = "5,6" }.over(document)
        #expect(center.bbox == nil && center.bboxCRS == nil)
        // Its box keeps its CRS when the map gets another.
        #expect(request { $0.crs = "EPSG:3857" }.over(document).bboxCRS == "EPSG:4326")
    }

    @Test func `values are found wrong before anything is fetched`() {
        let wrong: [ViewRequest] = [
            request { $0.size = "" }, request { $0.size = "1x2x3" }, request { $0.size = "1e3x5" },
            request { $0.crs = "" }, request { $0.bbox = "" }, request { $0.bbox = "1,2,3,1e400" },
            request { $0.center = "1e300,0" }, request { $0.zoom = 3 }, request { $0.isExact = true },
            request { $0.rotation = .nan }, request { $0.padding = .infinity }, request { $0.maxZoom = 99 },
            request { $0.pixelRatio = -1 }, request { $0.bbox = String(repeating: "1,", count: 1 << 20) },
        ]
        for view in wrong { #expect(throws: CommandFailure.self, "\(view)") { try view.check() } }
        #expect(throws: Never.self) { try ViewRequest().check() }
    }

    @Test func `without a view and features there is nothing to show`() {
        #expect(throws: CommandFailure.self) { try ViewRequest().viewport(for: []) }
    }
}
