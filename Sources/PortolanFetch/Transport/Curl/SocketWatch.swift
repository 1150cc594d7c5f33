#if os(Linux) && Drivers
import CCurl
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The sockets of all transfers, as epoll(7) watches them, and a bell that other threads ring.
///
/// What a wait costs depends on how many sockets have news, not on how many are watched.
@safe final class SocketWatch {
    /// The events that a socket is watched for, or that have come.
    struct Interest: OptionSet {
        let rawValue: UInt32

        static let reading = Interest(rawValue: EPOLLIN.rawValue)
        static let writing = Interest(rawValue: EPOLLOUT.rawValue)
        static let failure = Interest(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }

    private static let maximumNewsCount = 64

    private let set: Int32
    /// An eventfd(2): to write to it ends a wait.
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

    /// Ends the wait under way, or the next; from any thread.
    static func ring(_ bell: Int32) {
        _ = eventfd_write(bell, 1)
    }

    /// Watches a socket, in place of what it was watched for before; false when the system refuses.
    func watch(_ socket: Int32, for interest: Interest) -> Bool {
        var event = unsafe epoll_event()
        unsafe event.events = interest.rawValue
        unsafe event.data.fd = socket
        if unsafe epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) == 0 { return true }
        guard errno == EEXIST else { return false }
        return unsafe epoll_ctl(set, EPOLL_CTL_MOD, socket, &event) == 0
    }

    /// Watches a socket no more.
    func forget(_ socket: Int32) {
        _ = epoll_ctl(set, EPOLL_CTL_DEL, socket, nil)
    }

    /// Waits for news of the sockets, for so many milliseconds at most, and tells them.
    func wait(milliseconds: Int32, _ tell: (_ socket: Int32, Interest) -> Void) {
        // The buffer has room for as many events as are asked for.
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

    /// Gives both descriptors back; nothing is called after.
    func end() {
        if set >= 0 { _ = close(set) }
        if bell >= 0 { _ = close(bell) }
    }
}
#endif
