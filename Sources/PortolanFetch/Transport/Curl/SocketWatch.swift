#if os(Linux) && Drivers
import CCurl
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The sockets of all transfers, watched with epoll(7), and a bell that other threads ring.
///
/// The cost of a wait depends on the number of sockets with events, not on the number of watched sockets.
@safe final class SocketWatch {
    /// The events that a socket is watched for, or that have occurred.
    struct Interest: OptionSet {
        let rawValue: UInt32

        static let reading = Interest(rawValue: EPOLLIN.rawValue)
        static let writing = Interest(rawValue: EPOLLOUT.rawValue)
        static let failure = Interest(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }

    private static let maximumNewsCount = 64

    private let set: Int32
    /// An eventfd(2); writing to it ends a wait.
    let bell: Int32
    private var news = unsafe [epoll_event](repeating: epoll_event(), count: maximumNewsCount)

    init?() {
        set = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard set >= 0, bell >= 0, watch(bell, for: .reading) else {
            end()
            return nil
        }
    }

    /// Ends the current or the next wait.
    ///
    /// Can be called from any thread.
    static func ring(_ bell: Int32) {
        _ = eventfd_write(bell, 1)
    }

    /// Watches a socket, replacing its previous interest.
    ///
    /// Returns `false` if the system refuses.
    func watch(_ socket: Int32, for interest: Interest) -> Bool {
        var event = unsafe epoll_event()
        unsafe event.events = interest.rawValue
        unsafe event.data.fd = socket
        if unsafe epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) == 0 { return true }
        guard errno == EEXIST else { return false }
        return unsafe epoll_ctl(set, EPOLL_CTL_MOD, socket, &event) == 0
    }

    /// Stops watching a socket.
    func forget(_ socket: Int32) {
        _ = epoll_ctl(set, EPOLL_CTL_DEL, socket, nil)
    }

    /// Waits for events, at most for this number of milliseconds, and passes them to `tell`.
    func wait(milliseconds: Int32, _ tell: (_ socket: Int32, Interest) -> Void) {
        // The buffer has room for the requested number of events.
        let count = unsafe epoll_wait(set, &news, Int32(SocketWatch.maximumNewsCount), milliseconds)
        for index in 0..<Int(max(count, 0)) {
            let socket = unsafe news[index].data.fd
            if socket == bell {
                var value: eventfd_t = 0
                _ = unsafe eventfd_read(bell, &value)
            } else {
                tell(socket, Interest(rawValue: unsafe news[index].events))
            }
        }
    }

    /// Closes both descriptors; no method may be called afterwards.
    func end() {
        if set >= 0 { _ = close(set) }
        if bell >= 0 { _ = close(bell) }
    }
}
#endif
