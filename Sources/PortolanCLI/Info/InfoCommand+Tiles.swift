import Portolan

extension InfoCommand {
    /// What a WMTS offers, or `nil` when the address answers and is none.
    static func wmts(at url: String, client: ServiceClient) async throws(ServiceError) -> (any InfoDocument)? {
        do { return WMTSInfo(try await client.wmtsCapabilities(of: url)) } catch {
            guard error.isAnswer else { throw error }
            return nil
        }
    }

    /// What a document of a Tile Map Service tells, or `nil` when there is none at the address.
    static func tileMaps(at url: String, client: ServiceClient) async -> (any InfoDocument)? {
        (try? await client.tmsDocument(at: url)).map { TMSInfo($0) }
    }

    /// What a document of tiles tells, or `nil` when it is some other one.
    static func tileDocument(in bytes: [UInt8]) -> (any InfoDocument)? {
        // Only the root tells; a document that is broken is told by the reader of the kind it is most likely of.
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        if start.contains("TileMap"), let document = try? TMSReader.read(bytes) { return TMSInfo(document) }
        if start.contains("wmts"), let capabilities = try? WMTSCapabilitiesReader.read(bytes) {
            return WMTSInfo(capabilities)
        }
        return nil
    }
}
