#if Server
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import PortolanFetch
import PortolanServerCore

/// Converts Hummingbird requests, passes them on, and converts the responses.
struct HTTPDoor: HTTPResponder {
    /// The context of a connection.
    struct Context: InitializableFromSource {
        let channel: any Channel

        init(source: ApplicationRequestContextSource) { channel = source.channel }
    }

    let server: MapServer
    /// Notifies of disconnects.
    let departures: Departures
    /// Logs one line per request, or `nil`.
    let log: AccessLog?
    /// The handler.
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
            do {
                body = [UInt8](buffer: try await request.body.collect(upTo: bodyLimit(head)))
            } catch is NIOTooManyBytesError {
                return response(ServingLimits.tooLarge(bodyLimit(head)).response, to: head.method)
            }
        }
        var headers = head.headerFields.map { HTTPHeader(name: $0.name.rawName, value: $0.value) }
        if let host = head.authority { headers.append(HTTPHeader(name: "Host", value: host)) }
        let outcome: MapServer.Outcome
        switch server.begin(head.method.rawValue, target, headers: headers, body: body, client: client, of: part) {
        case .answered(let answer): outcome = answer
        case .unfinished(let rest):
            // Its own task leaves the thread of the connection.
            let work = Task { await rest() }
            // Rendering is cancelled when the client disconnects.
            let departure = departures[context.channel]
            departure?.then { work.cancel() }
            outcome = await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                work.cancel()
            }
            departure?.then(nil)
        }
        log?.write(
            AccessEntry(
                time: Date(), method: head.method.rawValue, target: target, outcome: outcome,
                referrer: head.headerFields[.referer], agent: head.headerFields[.userAgent]))
        // An unread body must not be parsed as the next request.
        return response(outcome.response, to: head.method, isLast: expectsContinue && !takesBody)
    }

    private func bodyLimit(_ head: HTTPRequest) -> Int { server.settings.limits.bodyLimit(of: head.path ?? "/") }

    /// Whether the client waits for permission to send its body (RFC 9110, section 10.1.1).
    ///
    /// - Throws: ``Problem`` if the body is refused, or for another expectation.
    private func expectsContinue(_ head: HTTPRequest) throws(Problem) -> Bool {
        guard let expected = head.headerFields[.expect] else { return false }
        let members = expected.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard members.allSatisfy({ $0 == "100-continue" }) else {
            throw Problem(.expectationFailed, "unsupported expectation; only 100-continue is supported", key: "Expect")
        }
        let length = head.headerFields[.contentLength].map { Int($0) ?? .max } ?? 0
        guard length <= bodyLimit(head) else { throw ServingLimits.tooLarge(bodyLimit(head)) }
        return !members.isEmpty && (length > 0 || head.headerFields[.transferEncoding] != nil)
    }

    /// The names of the fields of most responses, which need not be checked again.
    private static let names = Dictionary(
        [
            "Content-Type", "Cache-Control", "ETag", "Vary", "Access-Control-Allow-Origin",
            "Access-Control-Expose-Headers", "X-Content-Type-Options",
        ].compactMap { text in HTTPField.Name(text).map { (text, $0) } }
    ) { first, _ in first }

    /// A response for Hummingbird.
    ///
    /// For HEAD, the body length is stated, but no body is sent.
    ///
    /// - Parameter isLast: whether the connection ends after it.
    private func response(_ answer: ServerResponse, to method: HTTPRequest.Method, isLast: Bool = false) -> Response {
        var fields = HTTPFields()
        for header in answer.headers {
            guard let name = Self.names[header.name] ?? HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        if isLast { fields.append(HTTPField(name: .connection, value: "close")) }
        let hasBody = answer.status != 204 && answer.status != 304
        if hasBody { fields.append(HTTPField(name: .contentLength, value: "\(answer.body.count)")) }
        let body =
            method == .head || !hasBody ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        return Response(status: HTTPResponse.Status(code: answer.status), headers: fields, body: body)
    }
}
#endif
