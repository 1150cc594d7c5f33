import PortolanFetch

#if Redis && os(Linux)
import CHiredis
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A blocking connection to a server with hiredis, for one thread at a time.
///
/// The context is valid from `init` to `deinit` and never leaves the connection, so the class is safe.
@safe final class RedisConnection {
    private let context: UnsafeMutablePointer<redisContext>
    private let replyTimeout: Duration
    private let byteLimit: Int

    /// Whether this build supports Redis.
    static let isSupported = true

    /// Connects, authenticates and selects the database.
    init(to address: RedisStore.Address, _ settings: RedisStore.Settings) throws(RedisFault) {
        let patience = Self.time(settings.connectTimeout)
        let opened: UnsafeMutablePointer<redisContext>?
        // hiredis copies the names.
        switch address.endpoint {
        case .tcp(let host, let port):
            let host = host.first == "[" ? String(host.dropFirst().dropLast()) : host
            unsafe opened = unsafe redisConnectWithTimeout(host, Int32(clamping: port), patience)
        case .unix(let path): unsafe opened = unsafe redisConnectUnixWithTimeout(path, patience)
        }
        guard let context = unsafe opened else { throw RedisFault(kind: .unreachable, words: "not enough memory") }
        unsafe self.context = unsafe context
        replyTimeout = settings.replyTimeout
        byteLimit = max(settings.maximumBodyByteCount, 0) + StoredValue.maximumHeadByteCount + (1 << 20)
        guard unsafe context.pointee.err == 0 else { throw RedisFault(kind: .unreachable, words: words) }
        // The descriptor must not be inherited by child processes.
        _ = unsafe fcntl(context.pointee.fd, F_SETFD, FD_CLOEXEC)
        _ = unsafe redisSetTimeout(context, Self.time(replyTimeout))
        try greet(address)
    }

    deinit { unsafe redisFree(context) }

    private func greet(_ address: RedisStore.Address) throws(RedisFault) {
        var greetings = [RedisCommand("PING")]
        if address.database != 0 { greetings.insert(RedisCommand("SELECT", "\(address.database)"), at: 0) }
        if let password = address.password {
            let name = address.user
            greetings.insert(
                name.map { RedisCommand("AUTH", .init($0), .init(password)) } ?? RedisCommand("AUTH", .init(password)),
                at: 0)
        }
        for greeting in greetings {
            try send(greeting.bytes)
            if let error = try reply().error { throw RedisFault(kind: .refused, words: error.message) }
        }
    }

    /// Sends all bytes.
    ///
    /// hiredis itself would write without MSG_NOSIGNAL, so that a closed connection would end the process.
    func send(_ bytes: [UInt8]) throws(RedisFault) {
        let end = ContinuousClock.now + replyTimeout
        var sent = 0
        while sent < bytes.count {
            let descriptor = unsafe context.pointee.fd
            // The slice starts within the bytes and ends with them.
            let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                unsafe Self.write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                throw slow
            } else if errno != EINTR {
                throw RedisFault(kind: .lost, words: "the connection was lost")
            }
            if sent < bytes.count, ContinuousClock.now > end { throw slow }
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
        #else
        unsafe Musl.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
        #endif
    }

    /// Waits for the next reply.
    func reply() throws(RedisFault) -> RedisReply {
        let end = ContinuousClock.now + replyTimeout
        while true {
            var object: UnsafeMutableRawPointer?
            guard unsafe redisGetReplyFromReader(context, &object) == REDIS_OK else { throw fault }
            if let object = unsafe object {
                defer { unsafe freeReplyObject(object) }
                // The default functions of hiredis create replies of this type only.
                return unsafe Self.value(object.assumingMemoryBound(to: redisReply.self), depth: 0)
            }
            // Only one reply is expected; if the buffer is longer than this, the server is another program.
            guard unsafe context.pointee.reader.pointee.len <= byteLimit else {
                throw RedisFault(kind: .foreign, words: "a reply exceeds \(byteLimit) bytes")
            }
            guard ContinuousClock.now < end else { throw slow }
            errno = 0
            guard unsafe redisBufferRead(context) == REDIS_OK else { throw errno == EAGAIN ? slow : fault }
        }
    }

    private static func value(_ reply: UnsafeMutablePointer<redisReply>, depth: Int) -> RedisReply {
        switch unsafe reply.pointee.type {
        case REDIS_REPLY_INTEGER: return .integer(Int(unsafe reply.pointee.integer))
        case REDIS_REPLY_STRING: return .bytes(unsafe bytes(reply))
        case REDIS_REPLY_STATUS: return .status(String(decoding: unsafe bytes(reply), as: UTF8.self))
        case REDIS_REPLY_ERROR: return .error(RedisServerError(String(decoding: unsafe bytes(reply), as: UTF8.self)))
        case REDIS_REPLY_ARRAY:
            guard depth < 4, let elements = unsafe reply.pointee.element else { return .array([]) }
            // `element` has `elements` items, all of which hiredis has set before it returns the reply.
            return .array(
                unsafe (0..<reply.pointee.elements).map { index in
                    guard let element = unsafe elements[index] else { return .nothing }
                    return unsafe value(element, depth: depth + 1)
                })
        default: return .nothing
        }
    }

    private static func bytes(_ reply: UnsafeMutablePointer<redisReply>) -> [UInt8] {
        // `str` has `len` bytes, which are copied.
        unsafe Array(UnsafeRawBufferPointer(start: reply.pointee.str, count: reply.pointee.len))
    }

    private var words: String {
        // An array of 128 bytes that hiredis null-terminates.
        unsafe withUnsafeBytes(of: context.pointee.errstr) { text in
            unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private var fault: RedisFault {
        switch unsafe context.pointee.err {
        case REDIS_ERR_PROTOCOL: RedisFault(kind: .foreign, words: "this is not a Redis server (\(words))")
        case REDIS_ERR_EOF, REDIS_ERR_IO: RedisFault(kind: .lost, words: "the connection was lost (\(words))")
        default: RedisFault(kind: .foreign, words: words)
        }
    }

    private var slow: RedisFault {
        RedisFault(kind: .slow, words: "no reply from the server within \(replyTimeout.wholeMilliseconds) ms")
    }

    private static func time(_ duration: Duration) -> timeval {
        let milliseconds = min(duration.wholeMilliseconds, 3_600_000)
        return timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    }
}
#else
/// The replacement for a connection in a build without the trait `Redis`.
///
/// It is never instantiated.
final class RedisConnection {
    static let isSupported = false

    init(to address: RedisStore.Address, _ settings: RedisStore.Settings) throws(RedisFault) {
        throw RedisFault(
            kind: .notBuiltIn,
            words: "this build has no Redis support; install libhiredis-dev and build with "
                + "--traits Redis")
    }

    func send(_ bytes: [UInt8]) throws(RedisFault) {}
    func reply() throws(RedisFault) -> RedisReply { .nothing }
}
#endif
