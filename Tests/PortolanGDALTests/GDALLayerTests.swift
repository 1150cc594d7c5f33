#if GDAL
import Foundation
import Portolan
import PortolanFeatures
import PortolanPlan
import PortolanTestSupport
import PortolanWeb
import Testing

/// The kind of layer in words, `gdal:FILE`.
@Suite(.withGDALPrograms) struct GDALLayerTests {
    private func built(_ specification: LayerSpecification) async throws -> LayerBuilder.Built {
        let builder = LayerBuilder(client: ServiceClient())
        return try #require(try await builder.build([specification]).first)
    }

    @Test func `a file of another format is a layer of features`() async throws {
        let folder = try TemporaryFolder(), path = try GDALSamples.make(GDALSamples.formats[0], in: folder)
        let layer = try #require(try await built(LayerSpecification("gdal:\(path);fill=#ff0000;label=name")).layer)
        let source = try #require(layer.source as? FeatureSource)
        #expect(source.features.map { $0.properties["name"]?.stringValue } == ["Zürich", "Łódź", "plain"])
    }

    @Test func `what cannot be read is told with its file`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("<OGRVRTDataSource/>".utf8), to: "a.geojson")
        let path = folder.path + "/a.geojson"
        let broken = try await failure(LayerSpecification("gdal:\(path)"))
        #expect(broken?.code == .otherKind || broken?.code == .unreadable)
        #expect(broken?.source == path)
        #expect(try await failure(LayerSpecification("gdal:\(folder.path)/none.tab"))?.code == .missing)
    }

    private func failure(_ specification: LayerSpecification) async throws -> LayerError? {
        do { return try await built(specification).failure } catch let error as LayerError { return error }
    }

    @Test func `a document of a server names no file`() async throws {
        let folder = try TemporaryFolder(), path = try GDALSamples.make(GDALSamples.formats[0], in: folder)
        let origin = AddressOrigin.document(RemoteDocument(host: "example.org"))
        let specification = try LayerSpecification(kind: .gdal, source: path, namedBy: origin)
        #expect(try await failure(specification)?.cause == .foreign)
    }
}
#endif
