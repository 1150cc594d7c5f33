import Portolan
import PortolanFeatures

/// Where features are read from that a command writes or measures: a file, a URL, or `-` for standard input.
struct FeatureInput: Sendable {
    let source: String
    /// The one that is wanted of a file of several.
    let layer: String?

    /// The features; what is read of a file or standard input asks no server.
    func collection(_ network: NetworkOptions) async throws -> FeatureCollection {
        if source == "-" {
            let bytes = try StandardInput.bytes()
            return try CommandFailure.layer { () throws(LayerError) in
                try FeatureDocument.features(in: bytes, from: "standard input")
            }
        }
        #if GDAL
        let parts = try CommandFailure.layer { () throws(LayerError) in try LayerSpecification.Parts.ofKind(source) }
        if let parts, parts.kind == .gdal {
            return try CommandFailure.layer { () throws(LayerError) in
                try FeatureDocument.gdal(at: parts.source, layer: layer ?? parts.values["layer"]).collection
            }
        }
        #endif
        if FileAddress.isLocal(source),
            let dataset = try CommandFailure.layer({ () throws(LayerError) in
                try FeatureDocument.dataset(at: source, layer: layer)
            })
        {
            return dataset.collection
        }
        let client = ServiceClient(configuration: try network.configuration())
        let bytes = try await Interruption.cancelling {
            do { return try await client.data(at: FileAddress.url(of: source)) } catch let error as ServiceError {
                throw CommandFailure(error, of: source)
            }
        }
        return try CommandFailure.layer { () throws(LayerError) in try FeatureDocument.features(in: bytes, from: source)
        }
    }
}
