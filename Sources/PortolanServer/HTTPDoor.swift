#if Server
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import PortolanFetch
import PortolanServing
import Synchronization

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
            await server.answer(head.method.rawValue, target, headers: headers, body: body, client: client)
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

/// Whether the client of a connection is still there, and what is to be done when it leaves.
final class Departure: Sendable {
    private let state = Mutex<(isGone: Bool, action: (@Sendable () -> Void)?)>((false, nil))

    /// Does something when the client leaves, or has left; nothing any more with `nil`.
    func then(_ action: (@Sendable () -> Void)?) {
        let isGone = state.withLock { state in
            state.action = action
            return state.isGone
        }
        if isGone { action?() }
    }

    func happened() {
        let action = state.withLock { state in
            state.isGone = true
            return state.action
        }
        action?()
    }
}

/// The connections that there are, and whether their clients are still there.
final class Departures: Sendable {
    private let open = Mutex<[ObjectIdentifier: Departure]>([:])

    /// What is known of a connection, or `nil` once it is closed.
    subscript(channel: any Channel) -> Departure? {
        get { open.withLock { $0[ObjectIdentifier(channel)] } }
        set { open.withLock { $0[ObjectIdentifier(channel)] = newValue } }
    }
}

/// Sees that a client closes its side of the connection.
final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let departure = Departure()
    private let departures: Departures

    init(in departures: Departures) { self.departures = departures }

    func handlerAdded(context: ChannelHandlerContext) { departures[context.channel] = departure }

    func handlerRemoved(context: ChannelHandlerContext) { departures[context.channel] = nil }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { departure.happened() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        departure.happened()
        context.fireChannelInactive()
    }
}
#endif
