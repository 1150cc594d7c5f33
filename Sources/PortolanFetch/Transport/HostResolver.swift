#if os(Linux) && (!Drivers || DEBUG)
import Dispatch
import PortolanWeb
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system's resolver: concurrent lookups of a host are coalesced, and results are cached for a minute.
final class HostResolver: Sendable {
    /// Receives the addresses; an empty list means that the host has none.
    typealias Answer = @Sendable ([IPAddress]) -> Void

    fileprivate enum Entry {
        case asked([Answer])
        case known([IPAddress], until: ContinuousClock.Instant)
    }

    private static let memory = Duration.seconds(60)
    private static let maximumHostCount = 1024

    private let entries = Mutex<[String: Entry]>([:])
    /// A lookup blocks its thread.
    private let queue = DispatchQueue(label: "portolan.resolver", attributes: .concurrent)

    /// Passes the addresses of a host to `answer`, immediately if they are cached, otherwise on a resolver thread.
    func resolve(_ host: String, _ answer: @escaping Answer) {
        if let address = IPAddress(host: host) { return answer([address]) }
        let (known, isFirst): ([IPAddress]?, Bool) = entries.withLock { entries in
            switch entries[host] {
            case .known(let addresses, let end) where .now < end: return (addresses, false)
            case .asked(let waiting):
                entries[host] = .asked(waiting + [answer])
                return (nil, false)
            default:
                if entries.count >= Self.maximumHostCount { entries = entries.filter { $0.value.isAsked } }
                entries[host] = .asked([answer])
                return (nil, true)
            }
        }
        if let known { return answer(known) }
        guard isFirst else { return }
        queue.async { [self] in
            let addresses = Self.lookUp(host)
            let waiting: [Answer] = entries.withLock { entries in
                guard case .asked(let waiting)? = entries[host] else { return [] }
                entries[host] = addresses.isEmpty ? nil : .known(addresses, until: .now + Self.memory)
                return waiting
            }
            for answer in waiting { answer(addresses) }
        }
    }

    private static func lookUp(_ host: String) -> [IPAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        // The list belongs to the system's resolver and is freed here; each entry's address has the stated family.
        defer { unsafe freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe address(entry.pointee) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    /// Returns the address in a `sockaddr_in` or `sockaddr_in6`.
    private static func address(_ entry: addrinfo) -> IPAddress? {
        let (offset, count) = unsafe entry.ai_family == AF_INET6 ? (8, 16) : (4, 4)
        guard unsafe entry.ai_family == AF_INET6 || entry.ai_family == AF_INET, let start = unsafe entry.ai_addr
        else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(start) + offset, count: count)
        return IPAddress(bytes: unsafe Array(bytes))
    }
}

extension HostResolver.Entry {
    fileprivate var isAsked: Bool {
        if case .asked = self { true } else { false }
    }
}
#endif
