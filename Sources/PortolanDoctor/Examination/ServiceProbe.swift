import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanRaster
import PortolanServices
import PortolanWeb

/// The requests of one examination: sequential, counted, and each URL requested once.
struct ServiceProbe: Sendable {
    private let client: ServiceClient
    private let limit: Int
    private let progress: (@Sendable (Int) -> Void)?
    private var answers: [NamedURL: Result<HTTPResponse, ServiceError>] = [:]
    private(set) var count = 0
    /// Whether a request was not sent because of the limit.
    private(set) var isCutShort = false

    init(client: ServiceClient, limit: Int, progress: (@Sendable (Int) -> Void)?) {
        self.client = client
        self.limit = limit
        self.progress = progress
    }

    /// The response of a URL, or `nil` if the request limit is reached.
    ///
    /// - Throws: ``ServiceError/Code/cancelled`` only.
    mutating func answer(at url: NamedURL) async throws(ServiceError) -> Result<HTTPResponse, ServiceError>? {
        if let known = answers[url] { return known }
        guard count < limit else {
            isCutShort = true
            return nil
        }
        count += 1
        let result: Result<HTTPResponse, ServiceError>
        do { result = .success(try await client.document(at: url)) } catch {
            if error.code == .cancelled { throw error }
            result = .failure(error)
        }
        answers[url] = result
        progress?(count)
        return result
    }
}

extension ServiceProbe {
    /// The base of the URLs in a document.
    func base(of response: HTTPResponse, askedFor asked: NamedURL, at url: String? = nil) -> BaseURL {
        client.base(of: response, askedFor: asked, at: url)
    }

    /// The template of the tiles of a TileJSON document.
    func template(of document: TileJSONDocument, in base: BaseURL) throws(ServiceError) -> XYZTemplate {
        try client.template(document.tiles[0], in: base, countsFromBottom: document.countsFromBottom)
    }

    /// The result of a request for an image.
    enum PictureAnswer {
        /// The image and its bytes.
        case picture(PixelBuffer, bytes: [UInt8])
        /// An image in an unsupported format.
        case other(ImageFormat)
        /// Something other than an image, described.
        case refusal(String)
        /// The request limit is reached.
        case notAsked
    }

    /// The image at a URL, with findings about the response.
    mutating func picture(
        at url: NamedURL, format: String?, size: ImageSize? = nil, subject: String, into list: inout FindingList
    ) async throws(ServiceError) -> PictureAnswer {
        guard let answer = try await answer(at: url) else { return .notAsked }
        let response: HTTPResponse
        switch answer {
        case .failure(let error): return .refusal(error.detail)
        case .success(let answered): response = answered
        }
        let type = response.header("Content-Type")
        guard let found = ImageFormat(recognizing: response.body) else {
            let words = ServiceExceptionReader.read(response.body, contentType: type)?.description ?? "no image"
            return .refusal("the service responds with status \(response.status): \(words)")
        }
        guard response.isSuccessful else { return .refusal("the image has status \(response.status)") }
        list.add(
            PictureAnswerCheck.findings(found: found.mediaType, asked: format, declared: type, subject: subject))
        guard found.isDecodable else { return .other(found) }
        let picture: PixelBuffer
        do { picture = try ImageDecoders.standard.decode(response.body) } catch { return .refusal("\(error)") }
        if let size, size != picture.size {
            list.add(
                .fault, .pictureSize, subject,
                "requested \(size.width)x\(size.height) pixels, received \(picture.width)x\(picture.height); the map "
                    + "is stretched",
                remedy: "draw images in the size of WIDTH and HEIGHT")
        }
        return .picture(picture, bytes: response.body)
    }
}
