#if Server
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Whether the client of a connection is connected, and the action for its disconnect.
final class Departure: Sendable {
    private let state = Mutex<(isGone: Bool, action: (@Sendable () -> Void)?)>((false, nil))

    /// Sets the action for a past or future disconnect; `nil` removes it.
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

/// The open connections and the state of their clients.
final class Departures: Sendable {
    private let open = Mutex<[ObjectIdentifier: Departure]>([:])

    /// The state of a connection, or `nil` once it is closed.
    subscript(channel: any Channel) -> Departure? {
        get { open.withLock { $0[ObjectIdentifier(channel)] } }
        set { open.withLock { $0[ObjectIdentifier(channel)] = newValue } }
    }
}

/// Detects that a client closes its side of the connection.
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

/// Ends connections with incomplete requests: a head or body sent byte by byte keeps a connection open only for
/// a limited time.
///
/// Between two requests, and before the head of all but the first, a connection is idle, with a separate limit.
final class PatienceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let patience: HTTPService.Patience
    /// The time at which the connection ends, or `nil` between two requests.
    private var end: NIODeadline?
    /// The next look at ``end``, which stays when the end moves: moving it would cost each request two timers.
    private var look: Scheduled<Void>?

    init(_ patience: HTTPService.Patience) { self.patience = patience }

    func handlerAdded(context: ChannelHandlerContext) { wait(patience.head, context) }

    func handlerRemoved(context: ChannelHandlerContext) { look?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: wait(patience.body, context)
        case .body: break
        case .end: end = nil
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        look?.cancel()
        context.fireChannelInactive()
    }

    private func wait(_ time: Duration, _ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        end = now + TimeAmount(time)
        if look == nil { schedule(context.channel, at: now + TimeAmount(min(patience.head, patience.body))) }
    }

    private func schedule(_ channel: any Channel, at time: NIODeadline) {
        look = channel.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
            look = nil
            guard let end else { return }
            if end <= .now() { channel.close(promise: nil) } else { schedule(channel, at: end) }
        }
    }
}

/// Ends the connection after a response that announces it.
final class ClosingHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var isLast = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isLast = head.headerFields[.connection] == "close"
        case .body: break
        case .end:
            guard isLast else { break }
            context.writeAndFlush(data, promise: promise)
            return context.close(promise: nil)
        }
        context.write(data, promise: promise)
    }
}
#endif
