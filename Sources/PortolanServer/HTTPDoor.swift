#if Server
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PortolanFetch
import PortolanServing

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
        var body: [UInt8] = []
        if head.method == .post || head.method == .put {
            do {
                let limit = server.settings.limits.bodyBytes
                body = [UInt8](buffer: try await request.body.collect(upTo: limit))
            } catch is NIOTooManyBytesError {
                let problem = Problem(.bodyTooLarge, "the body has more than \(server.settings.limits.bodyBytes) bytes")
                return response(problem.response, to: head.method)
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
            "\(head.method.rawValue) \(FetchError.redacted(target)) \(outcome.response.status)",
            metadata: [
                "client": "\(client)", "route": "\(outcome.route)", "bytes": "\(outcome.response.body.count)",
                "ms": "\((outcome.duration.inSeconds * 10_000).rounded() / 10)",
            ])
        return response(outcome.response, to: head.method)
    }

    /// An answer as Hummingbird has it; the body of a HEAD is told and not sent.
    private func response(_ answer: ServerResponse, to method: HTTPRequest.Method) -> Response {
        var fields = HTTPFields()
        for header in answer.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        let hasBody = answer.status != 204 && answer.status != 304
        if hasBody { fields[.contentLength] = "\(answer.body.count)" }
        let body =
            method == .head || !hasBody ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        return Response(status: HTTPResponse.Status(code: answer.status), headers: fields, body: body)
    }
}
#endif
