#if GDAL
import Foundation
import Portolan
import PortolanFeatures
import PortolanGDAL
import PortolanPlan
import TestHelpers
import PortolanWeb
import Testing

/// The kind of layer in words, `gdal:FILE`.
@Suite(.withGDALPrograms) struct GDALLayerTests {
    private static let configuration: RendererConfiguration = {
        var configuration = RendererConfiguration()
        configuration.addGDAL()
        return configuration
    }()

    private func specification(_ text: String) throws -> LayerSpecification {
        try LayerSpecification(text, kinds: Self.configuration.layerKinds)
    }

    private func built(_ specification: LayerSpecification) async throws -> LayerBuilder.Built {
        let builder = LayerBuilder(client: ServiceClient(configuration: Self.configuration))
        return try #require(try await builder.build([specification]).first)
    }

    @Test func `a file in another format becomes a feature layer`() async throws {
        let folder = try TemporaryFolder(), path = try GDALSamples.make(GDALSamples.formats[0], in: folder)
        let layer = try #require(try await built(specification("gdal:\(path);fill=#ff0000;label=name")).layer)
        let source = try #require(layer.source as? FeatureSource)
        #expect(source.features.map { $0.properties["name"]?.stringValue } == ["Zürich", "Łódź", "plain"])
    }

    @Test func `an image is drawn if its format is registered`() async throws {
        let folder = try TemporaryFolder(), path = try GDALRasterTests.colors(3, in: folder)
        let layer = try #require(try await built(specification("gdal:\(path)")).layer)
        #expect(try await drawn(layer, Self.configuration).report.failedCount == 0)
        // The standard configuration has no reader of the format.
        await #expect(throws: MapError.self) { _ = try await drawn(layer, RendererConfiguration()) }
    }

    private func drawn(_ layer: MapLayer, _ configuration: RendererConfiguration) async throws -> RenderResult {
        let map = try MapFacade(width: 64, height: 64, renderer: MapRenderer(configuration: configuration))
        try map.add(layer)
        let bounds = try #require(layer.bounds)
        try map.setExtent(bounds.extent, in: bounds.crs)
        return try await map.refresh()
    }

    @Test func `an unreadable file is reported with its path`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("<OGRVRTDataSource/>".utf8), to: "a.geojson")
        let path = folder.path + "/a.geojson"
        let broken = try await failure(specification("gdal:\(path)"))
        #expect(broken?.code == .otherKind || broken?.code == .unreadable)
        #expect(broken?.source == path)
        #expect(try await failure(specification("gdal:\(folder.path)/none.tab"))?.code == .missing)
    }

    private func failure(_ specification: LayerSpecification) async throws -> LayerError? {
        do { return try await built(specification).failure?.layerError } catch let error as MapError {
            return error.layerError
        }
    }

    @Test func `a remote document cannot reference a file`() async throws {
        let folder = try TemporaryFolder(), path = try GDALSamples.make(GDALSamples.formats[0], in: folder)
        let origin = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "example.org"))
        let specification = try LayerSpecification(kind: .gdal, source: path, namedBy: origin)
        #expect(try await failure(specification)?.cause == .foreign)
    }
}
#endif
