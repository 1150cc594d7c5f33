#if Server
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

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

/// Ends connections whose requests do not come to their end: a head or a body that is sent a byte at a time keeps a connection
/// for no longer than it may.
///
/// Between two requests, and in the head of all but the first, a connection is idle, which has a time of its own.
final class PatienceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let patience: HTTPService.Patience
    private var end: Scheduled<Void>?

    init(_ patience: HTTPService.Patience) { self.patience = patience }

    func handlerAdded(context: ChannelHandlerContext) { wait(patience.head, context) }

    func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: wait(patience.body, context)
        case .body: break
        case .end: end?.cancel()
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        context.fireChannelInactive()
    }

    private func wait(_ time: Duration, _ context: ChannelHandlerContext) {
        end?.cancel()
        let channel = context.channel
        end = context.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
    }
}

/// Ends the connection after an answer that says so.
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
