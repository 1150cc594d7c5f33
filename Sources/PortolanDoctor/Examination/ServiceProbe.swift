import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanRaster
import PortolanServices
import PortolanWeb

/// The requests of one examination: one after the other, counted, and each address asked once.
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

    /// The answer at an address, or `nil` when no more requests may be sent.
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
    /// The base of the addresses in a document.
    func base(of response: HTTPResponse, askedFor asked: NamedURL, at url: String? = nil) -> BaseURL {
        client.base(of: response, askedFor: asked, at: url)
    }

    /// The result of a request for a picture.
    enum PictureAnswer {
        /// The picture, and its bytes.
        case picture(PixelBuffer, bytes: [UInt8])
        /// A picture in a format that is not decoded here.
        case other(ImageFormat)
        /// Something else than a picture, described.
        case refusal(String)
        /// No more requests may be sent.
        case notAsked
    }

    /// The picture at an address, with what is to be said of the answer.
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
            let words = ServiceExceptionReader.read(response.body, contentType: type)?.description ?? "no picture"
            return .refusal("the service answers with status \(response.status): \(words)")
        }
        guard response.isSuccessful else { return .refusal("the picture comes with status \(response.status)") }
        list.add(
            PictureAnswerCheck.findings(found: found.mediaType, asked: format, declared: type, subject: subject))
        guard found.isDecodable else { return .other(found) }
        let picture: PixelBuffer
        do { picture = try ImageDecoders.standard.decode(response.body) } catch { return .refusal("\(error)") }
        if let size, size != picture.size {
            list.add(
                .fault, .pictureSize, subject,
                "\(size.width)x\(size.height) pixels were asked for and \(picture.width)x\(picture.height) came; the map "
                    + "is stretched",
                remedy: "draw pictures as large as WIDTH and HEIGHT ask")
        }
        return .picture(picture, bytes: response.body)
    }
}
