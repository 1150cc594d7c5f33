#if Server
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import PortolanFetch
import PortolanServerCore

/// Takes requests off Hummingbird, has them answered, and puts the answers back.
struct HTTPDoor: HTTPResponder {
    /// What is known of a connection.
    struct Context: InitializableFromSource {
        let channel: any Channel

        init(source: ApplicationRequestContextSource) { channel = source.channel }
    }

    let server: MapServer
    /// Tells when clients leave.
    let departures: Departures
    /// Where a line a request goes, or `nil` for nowhere.
    let log: Logger?
    /// What it leads to.
    var part = MapServer.Part.all

    func respond(to request: Request, context: Context) async throws -> Response {
        let head = request.head, target = head.path ?? "/", client = context.channel.remoteAddress?.ipAddress ?? ""
        let takesBody = head.method == .post || head.method == .put, expectsContinue: Bool
        do throws(Problem) { expectsContinue = try self.expectsContinue(head) } catch {
            return response(error.response, to: head.method, isLast: true)
        }
        var body: [UInt8] = []
        if takesBody {
            if expectsContinue {
                try await context.channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
            }
            do { body = [UInt8](buffer: try await request.body.collect(upTo: bodyLimit)) } catch is NIOTooManyBytesError
            {
                return response(tooLarge.response, to: head.method)
            }
        }
        var headers = head.headerFields.map { HTTPHeader(name: $0.name.rawName, value: $0.value) }
        if let host = head.authority { headers.append(HTTPHeader(name: "Host", value: host)) }
        let work = Task { [headers, body] in
            await server.answer(
                head.method.rawValue, target, headers: headers, body: body, client: client, of: part)
        }
        // Nobody is to draw for a client that has left.
        let departure = departures[context.channel]
        departure?.then { work.cancel() }
        let outcome = await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
        departure?.then(nil)
        log?.info(
            "\(head.method.rawValue) \(FetchError.redacted(target: target)) \(outcome.response.status)",
            metadata: [
                "client": "\(client)", "route": "\(outcome.route)", "bytes": "\(outcome.response.body.count)",
                "ms": "\((outcome.duration.inSeconds * 10_000).rounded() / 10)",
            ])
        // A body that nobody has read must not be taken for the next request.
        return response(outcome.response, to: head.method, isLast: expectsContinue && !takesBody)
    }

    private var bodyLimit: Int { server.settings.limits.bodyBytes }
    private var tooLarge: Problem { Problem(.bodyTooLarge, "the body has more than \(bodyLimit) bytes") }

    /// Whether the client waits to be told that it may send its body (RFC 9110, section 10.1.1).
    ///
    /// - Throws: ``Problem`` if it must not, or expects something else.
    private func expectsContinue(_ head: HTTPRequest) throws(Problem) -> Bool {
        guard let expected = head.headerFields[.expect] else { return false }
        let members = expected.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard members.allSatisfy({ $0 == "100-continue" }) else {
            throw Problem(.expectationFailed, "a server of maps knows no expectation but 100-continue", key: "Expect")
        }
        let length = head.headerFields[.contentLength].map { Int($0) ?? .max } ?? 0
        guard length <= bodyLimit else { throw tooLarge }
        return !members.isEmpty && (length > 0 || head.headerFields[.transferEncoding] != nil)
    }

    /// An answer as Hummingbird has it; the body of a HEAD is told and not sent.
    ///
    /// - Parameter isLast: whether the connection ends after it.
    private func response(_ answer: ServerResponse, to method: HTTPRequest.Method, isLast: Bool = false) -> Response {
        var fields = HTTPFields()
        for header in answer.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        if isLast { fields[.connection] = "close" }
        let hasBody = answer.status != 204 && answer.status != 304
        if hasBody { fields[.contentLength] = "\(answer.body.count)" }
        let body =
            method == .head || !hasBody ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        return Response(status: HTTPResponse.Status(code: answer.status), headers: fields, body: body)
    }
}
#endif
