import Portolan
import PortolanFeatures

/// Sprites packed from folders of icons: `/sprites/{id}[@2x].json` and `.png`, and their list at `/sprites`.
///
/// The paths of martin, `/sprite/{id}`, have the same content.
package struct SpritesEndpoint: Endpoint {
    package let root: String
    private let sprites: PackedSprites

    /// Creates an endpoint.
    ///
    /// - Parameter sprites: the packed sprites, which may be shared with other endpoints.
    package init(root: String, _ sprites: PackedSprites) {
        self.root = root
        self.sprites = sprites
    }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let folders = context.book.sprites
        guard let file = path.first else {
            let list = folders.keys.sorted().map(PropertyValue.string)
            return context.answer(ServerResponse(json: .array(list)), document: request)
        }
        let dot = file.lastIndex(of: ".") ?? file.endIndex
        let end = file[..<dot].lastIndex(of: "@") ?? dot, id = String(file[..<end])
        guard path.count == 1 else {
            throw Problem(.notFound, "the path of a sprite is /\(root)/{id}[@2x].json or .png")
        }
        let form = try SpriteForm(String(file[end...]))
        guard let folder = folders[id] else {
            let known = folders.keys.sorted().prefix(20).joined(separator: ", ")
            throw Problem(
                .notFound, "unknown sprite '\(id)'; " + (known.isEmpty ? "none is configured" : "available: \(known)"),
                key: "id")
        }
        let outcome = try await context.maker.inTurn(of: context.client) {
            () -> Result<[UInt8], SpriteFolder.Failure> in
            do throws(SpriteFolder.Failure) {
                return .success(try sprites.content(of: folder, form.part(of: folder.path)))
            } catch { return .failure(error) }
        }
        // The folder has changed since the server was started; its path is not for clients.
        guard case .success(let bytes) = outcome else {
            throw Problem(.failed, "the icons of sprite '\(id)' cannot be read", key: "id")
        }
        return context.answer(ServerResponse(type: form.mediaType, body: bytes), document: request)
    }
}

/// The pixel ratio and the file type in the path of a sprite, such as `@2x.png`.
struct SpriteForm: Sendable {
    let ratio: Int
    let isIndex: Bool

    init(_ text: String) throws(Problem) {
        let ratios = ["": 1, "@1x": 1, "@2x": 2, "@3x": 3, "@4x": 4]
        guard let dot = text.lastIndex(of: "."), let ratio = ratios[String(text[..<dot])],
            [".json", ".png"].contains(text[dot...])
        else {
            throw Problem(.notFound, "the path of a sprite ends in [@2x].json or [@2x].png", key: "sprite")
        }
        self.ratio = ratio
        isIndex = text[dot...] == ".json"
    }

    /// The end of the file name.
    var ending: String { (ratio > 1 ? "@\(ratio)x" : "") + (isIndex ? ".json" : ".png") }

    var mediaType: String { isIndex ? "application/json" : "image/png" }

    func part(of folder: String) -> SpriteFolder.Part {
        SpriteFolder.Part(folder: folder, ratio: ratio, isIndex: isIndex)
    }
}
