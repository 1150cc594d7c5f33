import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanRaster
import PortolanServerCore
import Testing

/// The page of a viewer, as far as it talks with the server.
struct SampleViewer {
    let sample: SampleServer
    let name: String

    /// Opens a viewer of the map `square` about 0, 0 at level 4.
    ///
    /// - Parameter draws: the content that the page draws itself.
    init(
        _ sample: SampleServer, map: String = "square", width: Int = 256, height: Int = 256, isCalm: Bool = true,
        draws: [String] = []
    ) async throws {
        let body = """
            {"width": \(width), "height": \(height), "ratio": 1, "lon": 0, "lat": 0, "zoom": 4, "reducedMotion": \(isCalm),
             "draws": [\(draws.map { "\"\($0)\"" }.joined(separator: ","))]}
            """
        let response = await sample.answer("POST", "/viewer/\(map)", body: body)
        try #require(response.status == 201, "\(String(decoding: response.body, as: UTF8.self))")
        self.sample = sample
        name = try #require(try Self.object(response.body)["session"]?.stringValue)
    }

    static func object(_ bytes: [UInt8]) throws -> Properties {
        guard case .object(let members) = try JSONReader.value(bytes: bytes) else { throw NoObject() }
        return members
    }

    struct NoObject: Error {}

    /// The server's message about a frame, and its picture if one is sent.
    struct Frame {
        let head: Properties
        let picture: PixelBuffer?

        init(_ response: ServerResponse) throws {
            head = try object(Array(try #require(response[header: "Portolan-Frame"]).utf8))
            picture = response.status == 200 ? try ImageDecoders.standard.decode(response.body) : nil
        }

        /// A number of the view, or of another object.
        func number(_ key: String, of object: String = "view") -> Double? {
            guard case .object(let members)? = head[object] else { return nil }
            return members[key]?.doubleValue
        }
    }

    func frame(after seen: Int = 0, knowing picture: Int = 0) async throws -> Frame {
        try Frame(await sample.get("/session/\(name)/frame?after=\(seen)&picture=\(picture)"))
    }

    /// The frame at which the map rests, with the picture that is shown then.
    ///
    /// - Parameters:
    ///   - isWanted: selects the frames.
    ///   - isShown: selects the pictures, since one from before a command may be reported after its response.
    func settled(
        _ isWanted: (Frame) -> Bool = { _ in true }, showing isShown: (PixelBuffer) -> Bool = { _ in true }
    ) async throws -> (frame: Frame, picture: PixelBuffer) {
        var seen = 0, known = 0, picture: PixelBuffer?
        while true {
            try Task.checkCancellation()
            let frame = try await frame(after: seen, knowing: known)
            seen = frame.head["n"]?.integerValue ?? 0
            known = frame.head["pictureNumber"]?.integerValue ?? 0
            picture = frame.picture ?? picture
            if frame.head["final"]?.boolValue == true, let picture, isWanted(frame), isShown(picture) {
                return (frame, picture)
            }
        }
    }

    @discardableResult
    func tell(_ path: String, _ body: String) async -> ServerResponse {
        await sample.answer("POST", "/session/\(name)/\(path)", body: body)
    }

    /// The frame at which the map rests for a page that draws content itself; its picture may be empty.
    func rested(_ isWanted: (Frame) -> Bool = { _ in true }) async throws -> Frame {
        var seen = 0
        while true {
            try Task.checkCancellation()
            let frame = try await frame(after: seen)
            seen = frame.head["n"]?.integerValue ?? 0
            if frame.head["final"]?.boolValue == true, isWanted(frame) { return frame }
        }
    }

    func state() async throws -> Properties { try Self.object(await sample.get("/session/\(name)/state").body) }
}
