import PortolanRaster
import PortolanServerCore
import PortolanServices
import PortolanXML
import Testing

/// Clauses are those of OGC 06-042 (WMS 1.3.0) where nothing else is said.
@Suite struct WMSCapabilitiesTests {
    #if Text
    private static let operations = ["GetCapabilities", "GetMap", "GetFeatureInfo", "GetLegendGraphic"]
    #else
    private static let operations = ["GetCapabilities", "GetMap", "GetFeatureInfo"]
    #endif

    @Test(arguments: [
        ("", "1.3.0"), ("&VERSION=1.3.0", "1.3.0"), ("&VERSION=100.0.0", "1.3.0"), ("&VERSION=0.0.0", "1.1.1"),
        ("&VERSION=1.2.0", "1.1.1"), ("&VERSION=1.1.1", "1.1.1"), ("&WMTVER=1.0.0", "1.1.1"),
        ("&VERSION=new", "1.3.0"),
    ])
    func `clause 6_2_4: the version is negotiated`(query: String, version: String) async throws {
        let root = try await SampleServer().xml("/wms?SERVICE=WMS&REQUEST=GetCapabilities\(query)")
        #expect(root.attribute("version") == version)
        #expect(root.name == (version == "1.3.0" ? "WMS_Capabilities" : "WMT_MS_Capabilities"))
    }

    @Test(arguments: [
        "/wms?SERVICE=WMS&REQUEST=GetCapabilities", "/wms?request=GetCapabilities&service=wms",
        "/wms?ReQuEsT=GetCapabilities&SeRvIcE=WMS&unknown=%2C+x",
    ])
    func `clause 6_8_1: parameter names have any case and order, and unknown ones are ignored`(
        target: String
    ) async throws {
        #expect(try await SampleServer().xml(target).name == "WMS_Capabilities")
    }

    @Test func `clause 7_2_3_1: capabilities are XML, whatever format is requested`() async throws {
        let sample = try await SampleServer()
        let new = await sample.get("/wms?SERVICE=WMS&REQUEST=GetCapabilities&FORMAT=text/other")
        #expect(new[header: "Content-Type"] == "text/xml")
        let old = await sample.get("/wms?SERVICE=WMS&REQUEST=GetCapabilities&VERSION=1.1.1")
        #expect(old[header: "Content-Type"] == "application/vnd.ogc.wms_xml")
    }

    @Test func `clause 7_2_3_5: a current or future update sequence is an exception`() async throws {
        let sample = try await SampleServer(), sequence = sample.book.sequence
        let base = "/wms?SERVICE=WMS&REQUEST=GetCapabilities&UPDATESEQUENCE="
        #expect(try await sample.xml(base + "\(sequence - 1)").attribute("updateSequence") == "\(sequence)")
        for (number, code) in [(sequence, "CurrentUpdateSequence"), (sequence + 1, "InvalidUpdateSequence")] {
            let root = try await sample.xml(base + "\(number)", status: 400)
            #expect(root.child("ServiceException")?.attribute("code") == code)
        }
    }

    @Test(arguments: ["1.1.1", "1.3.0"])
    func `clause 7_2_4_4: the URLs of operations end where parameters begin`(version: String) async throws {
        let root = try await SampleServer().xml("/wms?SERVICE=WMS&REQUEST=GetCapabilities&VERSION=\(version)")
        let operations = try #require(root.descendant("Capability", "Request")).children
        #expect(operations.map(\.name) == Self.operations)
        #if !Text
        for path in Self.leaves(try #require(root.descendant("Capability", "Layer"))) {
            #expect(path.last?.child("Style") != nil)
            #expect(path.last?.descendant("Style", "LegendURL") == nil)
        }
        #endif
        for operation in operations {
            let address = operation.descendant("DCPType", "HTTP", "Get", "OnlineResource")?.attribute("href")
            #expect(address == "http://localhost/wms?")
        }
    }

    /// The named layers, each with its ancestors.
    private static func leaves(_ layer: XMLElement, _ above: [XMLElement] = []) -> [[XMLElement]] {
        let path = above + [layer]
        return (layer.child("Name") == nil ? [] : [path]) + layer.children("Layer").flatMap { leaves($0, path) }
    }

    @Test(arguments: ["1.1.1", "1.3.0"])
    func `clause 7_2_4_6: layers have the required names, styles, CRSs and bounding boxes`(version: String) async throws
    {
        let sample = try await SampleServer(), system = version == "1.3.0" ? "CRS" : "SRS"
        let root = try await sample.xml("/wms?SERVICE=WMS&REQUEST=GetCapabilities&VERSION=\(version)")
        let top = try #require(root.descendant("Capability", "Layer"))
        // 7.2.4.6.7: the root has those that all layers have.
        let common = top.children(system).map(\.text)
        #expect(common == (version == "1.3.0" ? ["CRS:84"] : []) + ["EPSG:4326", "EPSG:3857"])
        let leaves = Self.leaves(top)
        #expect(
            leaves.compactMap { $0.last?.text(of: "Name") }
                == ["square", "named", "both", "both:high", "both:low", "far"])
        for path in leaves {
            let layer = try #require(path.last), inherited = path.dropLast().flatMap { $0.children("Style") }
            // 7.2.4.6.5: a style that comes from above is not defined again.
            let own = layer.children("Style").compactMap { $0.text(of: "Name") }
            #expect(own == ["default"] && inherited.isEmpty)
            // 7.2.4.6.8: boxes only in systems of the layer.
            let boxes = layer.children("BoundingBox"), systems = layer.children(system).map(\.text)
            #expect(!boxes.isEmpty && boxes.allSatisfy { systems.contains($0.attribute(system) ?? "") })
            #expect(layer.attribute("queryable") == (layer.text(of: "Name") == "far" ? "0" : "1"))
        }
        let square = try #require(leaves.first?.last)
        let degrees = try #require(
            square.children("BoundingBox").first { $0.attribute(system) == "EPSG:4326" })
        #expect(["minx", "miny", "maxx", "maxy"].compactMap { degrees.attribute($0) } == ["-5", "-5", "5", "5"])
        if version == "1.3.0" {
            let box = try #require(square.child("EX_GeographicBoundingBox"))
            #expect(box.text(of: "westBoundLongitude") == "-5" && box.text(of: "eastBoundLongitude") == "5")
        }
    }

    @Test func `clause 7_2_4_6_6: west is less than east, and WMS 1_3_0 has latitude first in EPSG:4326`() async throws
    {
        let sample = try await SampleServer()
        for (version, system) in [("1.1.1", "SRS"), ("1.3.0", "CRS")] {
            let root = try await sample.xml("/wms?SERVICE=WMS&REQUEST=GetCapabilities&VERSION=\(version)")
            let layers = Self.leaves(try #require(root.descendant("Capability", "Layer"))).compactMap(\.last)
            let named = try #require(layers.first { $0.text(of: "Name") == "far" })
            let box = try #require(named.children("BoundingBox").first { $0.attribute(system) == "EPSG:4326" })
            let numbers = ["minx", "miny", "maxx", "maxy"].compactMap { box.attribute($0).flatMap(Double.init) }
            #expect(numbers[0] < numbers[2] && numbers[1] < numbers[3])
            #expect((numbers[2] == 180) == (version == "1.1.1") && (numbers[3] == 180) == (version == "1.3.0"))
        }
    }

    #if Text
    @Test func `clause 7_2_4_6_5: a legend has the advertised size and type`() async throws {
        let sample = try await SampleServer()
        let root = try await sample.xml("/wms?SERVICE=WMS&REQUEST=GetCapabilities")
        for path in Self.leaves(try #require(root.descendant("Capability", "Layer"))) {
            let legend = try #require(path.last?.descendant("Style", "LegendURL"))
            let href = try #require(legend.child("OnlineResource")?.attribute("href"))
            guard path.last?.text(of: "Name") != "far" else { continue }
            let target = href.replacing("http://localhost", with: "")
            #expect(await sample.get(target)[header: "Content-Type"] == legend.text(of: "Format"))
            let pixels = try await sample.pixels(target)
            #expect(legend.attribute("width") == "\(pixels.width)" && legend.attribute("height") == "\(pixels.height)")
        }
    }
    #endif

    @Test(arguments: ["1.1.1", "1.3.0"])
    func `the client of this library reads the capabilities`(version: String) async throws {
        let response = await (try SampleServer()).get("/wms?SERVICE=WMS&REQUEST=GetCapabilities&VERSION=\(version)")
        let read = try WMSCapabilitiesReader.read(response.body)
        #expect(read.version.rawValue == version && read.operations.count == Self.operations.count)
        #expect(read.layers.first?.children.count == 4)
    }
}
