#if os(Linux) && Drivers
import CCurl
import PortolanWeb

/// A request in progress: an easy handle, its buffers, and the data received.
///
/// It is reused for successive requests.
///
/// Only the transfer thread accesses it. libcurl holds an unretained pointer to it (as CURLOPT_PRIVATE and as the
/// context of callbacks) until `free`, and the loop's table keeps it alive until then.
@safe final class CurlTransfer {
    /// A request with its caller.
    struct Job {
        let id: UInt64
        /// The URL of the caller's request, for errors.
        let asked: String
        let answer: CallbackTransport.Answer

        static let none = Job(id: 0, asked: "", answer: { _ in })
    }

    private(set) var job = Job.none
    /// Valid until `free`.
    let easy: UnsafeMutableRawPointer
    /// CURL_ERROR_SIZE bytes, as libcurl requires, valid until `free`.
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private(set) var request = HTTPRequest(to: "")
    private var redirectCount = 0
    private var beginning = ContinuousClock.now
    private var lastActivity = ContinuousClock.now
    private var hasAnswerBegun = false
    private var requestBeginning = ContinuousClock.now
    /// The user information of the proxy URL, which must not be shown.
    private var proxySecret: String?
    /// The proxies.
    private let proxies: CurlProxies
    /// Whether a proxy resolves the host, so that its address is unknown here; `nil` if only libcurl knows.
    private var isProxied: Bool?
    var head = CurlResponseHead()
    var body: [UInt8] = []
    var receivingError: FetchError?
    /// The reason for which the last connection was refused.
    private var refusal: FetchError?

    var asked: String { job.asked }

    init?(settings: ConnectionSettings) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = unsafe easy
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        proxies = CurlProxies(settings.proxy)
        setFixedOptions()
        set(settings)
    }

    /// Prepares the handle for a request; it must not be in the multi handle.
    func start(_ job: Job, with request: HTTPRequest) {
        self.job = job
        beginning = .now
        redirectCount = 0
        prepare(for: request)
    }

    /// Releases the data of the last request.
    func clear() {
        job = .none
        head = CurlResponseHead()
        body = []
    }

    /// Frees all libcurl resources.
    ///
    /// The handle must not be in a multi handle, and no method may be called afterwards.
    func free() {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(headerList)
        unsafe headerList = nil
        unsafe errorText.deallocate()
    }

    /// Returns the transfer that is the private pointer of `easy`.
    static func owner(of easy: UnsafeMutableRawPointer) -> CurlTransfer? {
        var pointer: UnsafeMutablePointer<CChar>?
        guard unsafe portolan_curl_get_string(easy, CURLINFO_PRIVATE, &pointer) == CURLE_OK,
            let pointer = unsafe pointer
        else { return nil }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func setFixedOptions() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe portolan_curl_restrict_to_http(easy)
        _ = unsafe portolan_curl_leave_resolver(easy)
        _ = unsafe portolan_curl_close_on_exec(easy)
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // An empty string enables every encoding that libcurl supports.
        _ = unsafe portolan_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
        _ = unsafe portolan_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        _ = unsafe portolan_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
        _ = unsafe portolan_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        _ = unsafe portolan_curl_set_receiver(easy, CURLOPT_WRITEFUNCTION, receiveCurlBody)
        _ = unsafe portolan_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        _ = unsafe portolan_curl_set_receiver(easy, CURLOPT_HEADERFUNCTION, receiveCurlHeader)
        unsafe portolan_curl_ask_before(easy, openCurlSocket, mayCurlSend, context)
    }

    /// Sets options.
    ///
    /// libcurl copies the strings; an unusable value makes the connection fail with an error.
    private func set(_ settings: ConnectionSettings) {
        if case .url(let url) = settings.proxy { proxySecret = URLParts(url)?.userInfo }
        unsafe settings.setTrust(of: easy)
        // HTTP/2 is negotiated over TLS only; on plain http it would cost a round trip.
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    }

    private func setRequestOptions() {
        _ = unsafe portolan_curl_set_string(easy, CURLOPT_URL, request.url)
        let route = proxies.route(for: request)
        // NULL uses the environment; an empty string means no proxy.
        _ = unsafe portolan_curl_set_string(easy, CURLOPT_PROXY, route.proxy)
        _ = unsafe portolan_curl_set_string(easy, CURLOPT_NOPROXY, route.proxy == nil ? nil : "")
        isProxied = route.isProxied
        // Waiting for a shared connection makes sense for HTTP/2 only; on plain http all requests would wait for the
        // first.
        let isSecure = request.url.hasPrefix("https:")
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        let elapsed = beginning.duration(to: .now)
        let remaining = (request.timeouts.total - elapsed).timerMilliseconds
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect.timerMilliseconds)
        _ = unsafe portolan_curl_set_long(easy, CURLOPT_TIMEOUT_MS, remaining)
        _ = unsafe portolan_curl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.maximumBodyByteCount))
        unsafe curl_slist_free_all(headerList)
        unsafe headerList = nil
        for header in request.headers {
            let value = header.value.drop { $0 == " " || $0 == "\t" }
            // libcurl's syntax for a header without a value.
            let line = value.isEmpty ? "\(header.name);" : "\(header.name): \(value)"
            // On failure, curl_slist_append leaves the list unchanged.
            if let longer = unsafe curl_slist_append(headerList, line) { unsafe headerList = unsafe longer }
        }
        if request.body != nil {
            // Otherwise libcurl would wait for a 100 (Continue) before sending a long body, which few servers send.
            if let longer = unsafe curl_slist_append(headerList, "Expect:") { unsafe headerList = unsafe longer }
        }
        _ = unsafe portolan_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList)
        setQuestion()
    }

    /// Sets the method and body.
    ///
    /// libcurl copies the body.
    private func setQuestion() {
        guard var body = request.body?.bytes else {
            _ = unsafe portolan_curl_set_long(easy, CURLOPT_HTTPGET, 1)
            return
        }
        _ = unsafe portolan_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        body.append(0)  // an empty array has no address
        unsafe body.withUnsafeMutableBytes { bytes in
            _ = unsafe portolan_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
        }
    }

    /// Prepares the handle for the next request of a redirect chain; it must not be in the multi handle.
    func restart(with request: HTTPRequest) {
        redirectCount += 1
        prepare(for: request)
    }

    private func prepare(for request: HTTPRequest) {
        self.request = request
        head = CurlResponseHead()
        body = []
        receivingError = nil
        refusal = nil
        requestBeginning = .now
        lastActivity = requestBeginning
        hasAnswerBegun = false
        unsafe errorText.pointee = 0
        setRequestOptions()
    }
}

extension CurlTransfer {
    /// The time at which the transfer counts as stalled unless data arrives.
    var stallDeadline: ContinuousClock.Instant {
        lastActivity + (hasAnswerBegun ? request.timeouts.stall : request.timeouts.firstByte)
    }

    var stallError: FetchError {
        hasAnswerBegun
            ? .timedOut(
                .stall, after: request.timeouts.stall, url: asked, status: head.status, byteCount: body.count)
            : .timedOut(.firstByte, after: request.timeouts.firstByte, url: asked)
    }

    /// Registers that data arrived.
    func noteActivity() {
        lastActivity = .now
        hasAnswerBegun = true
    }

    /// Starts the time to the first byte when the request was sent: connecting has a separate limit.
    func noticeProgress(at now: ContinuousClock.Instant) {
        var requestSent: curl_off_t = 0
        _ = unsafe portolan_curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &requestSent)
        let sent = requestSent > 0 ? requestBeginning + .microseconds(Int64(requestSent)) : now
        lastActivity = max(lastActivity, sent)
    }

    enum Outcome {
        case finished(ReplySlot.Reply)
        case redirected(HTTPRequest)
    }

    /// Returns the outcome of a finished transfer.
    func outcome(of result: CURLcode) -> Outcome {
        if let receivingError { return .finished(.failure(receivingError)) }
        guard result == CURLE_OK else { return .finished(.failure(refusal ?? failure(result))) }
        guard let status = head.status, status >= 200 else {
            let failure = FetchError(.malformedResponse, url: asked, detail: "no HTTP status in the response")
            return .finished(.failure(failure))
        }
        // libcurl treats the end of the connection as the end of the header, so the rest is unknown.
        guard head.isComplete else {
            let detail = "the connection ended within the response header"
            return .finished(.failure(FetchError(.connectionLost, url: asked, status: status, detail: detail)))
        }
        if Redirect.isRedirect(status: status), head.hasLocation {
            do throws(FetchError) {
                let location = redirectTarget ?? ""
                let next = try Redirect.next(
                    after: request, to: location, from: network, count: redirectCount, asked: asked)
                return .redirected(next)
            } catch {
                return .finished(.failure(error))
            }
        }
        let response = HTTPResponse(
            status: status, headers: head.headers, body: body, url: request.url, network: network)
        return .finished(response.checked(asAnswerTo: request, asked: asked))
    }

    /// The `Location` of the response as an absolute URL, resolved by libcurl.
    private var redirectTarget: String? { text(CURLINFO_REDIRECT_URL) }

    /// The network of the server, or `nil` if a proxy was used.
    private var network: IPAddress.Network? {
        guard isProxied == false else { return nil }
        return text(CURLINFO_PRIMARY_IP).flatMap { IPAddress(host: $0) }?.network
    }

    private func text(_ information: CURLINFO) -> String? {
        var pointer: UnsafeMutablePointer<CChar>?
        guard unsafe portolan_curl_get_string(easy, information, &pointer) == CURLE_OK, let pointer = unsafe pointer
        else { return nil }
        // Null-terminated by libcurl, and copied before the handle is used again.
        return unsafe String(cString: pointer)
    }

    /// Returns whether a connection to an address is allowed; if not, the transfer fails with that reason.
    ///
    /// The address of a proxy is not checked.
    func mayUse(_ peer: IPAddress?) -> Bool {
        guard isProxied == false else { return true }
        guard let peer else { return !request.looksAtConnections }
        refusal = request.refusal(ofConnectionTo: peer, asked: asked)
        return refusal == nil
    }

    private func failure(_ result: CURLcode) -> FetchError {
        if result == CURLE_FILESIZE_EXCEEDED {
            return .bodyTooLarge(url: asked, limit: request.maximumBodyByteCount, status: head.status)
        }
        if result == CURLE_OPERATION_TIMEDOUT { return timeoutError }
        // libcurl's errors for a header line beyond its limit; newer versions have a separate code (CURLE_TOO_LARGE).
        if result == CURLE_OUT_OF_MEMORY || result.rawValue == 100, !head.isComplete {
            let detail = "a header line exceeds the limit of libcurl"
            return FetchError(.headerTooLarge, url: asked, status: head.status, detail: detail)
        }
        // libcurl null-terminates its text within the CURL_ERROR_SIZE bytes of the buffer.
        var detail = unsafe String(cString: errorText)
        if detail.isEmpty { detail = unsafe String(cString: curl_easy_strerror(result)) }
        let code = FetchError.Code(curl: result)
        if let proxy = proxySecret { detail = detail.replacing(proxy, with: "***") }
        return FetchError(code, url: asked, status: head.status, detail: "\(detail) (libcurl \(result.rawValue))")
    }

    private var timeoutError: FetchError {
        let timeouts = request.timeouts
        // libcurl rounds its timers to milliseconds.
        if beginning.duration(to: .now) + .milliseconds(2) >= timeouts.total {
            return .timedOut(
                .total, after: timeouts.total, url: asked, status: head.status, byteCount: body.count)
        }
        return .timedOut(.connect, after: timeouts.connect, url: asked)
    }
}

/// CURLOPT_WRITEFUNCTION: `size * count` bytes of decoded body at `bytes`, valid during the call.
///
/// A lower return value ends the transfer. `context` is the `CurlTransfer`, alive while its handle is.
func receiveCurlBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

/// CURLOPT_HEADERFUNCTION: one header line of `size * count` bytes at `bytes`, valid during the call; otherwise as
/// above.
func receiveCurlHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.receiveHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

extension CurlTransfer {
    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        guard bytes.count <= request.maximumBodyByteCount - body.count else {
            receivingError = .bodyTooLarge(url: asked, limit: request.maximumBodyByteCount, status: head.status)
            return 0
        }
        body.makeRoom(
            forBodyBytes: bytes.count, announced: body.isEmpty ? head.contentLength : nil,
            limit: request.maximumBodyByteCount)
        unsafe body.append(contentsOf: bytes)
        return bytes.count
    }

    fileprivate func receiveHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        guard head.append(line: unsafe Array(bytes)) else {
            receivingError = .headerTooLarge(url: asked, status: head.status)
            return 0
        }
        return bytes.count
    }
}

/// The status and header fields, assembled from the lines that libcurl reports.
struct CurlResponseHead {
    private(set) var status: Int?
    private(set) var headers: [HTTPHeader] = []
    private var byteCount = 0
    private(set) var isComplete = false

    var hasLocation: Bool { headers.contains { $0.isNamed("Location") } }

    var contentLength: Int? {
        headers.first { $0.isNamed("Content-Length") }.flatMap { Int($0.value) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Adds a line including its line end.
    ///
    /// Returns `false` if the header exceeds its limit.
    mutating func append(line: [UInt8]) -> Bool {
        byteCount += line.count
        guard byteCount <= FetchError.maximumHeaderByteCount else { return false }
        let content = line[..<((line.lastIndex { $0 != 0x0D && $0 != 0x0A } ?? -1) + 1)]
        if content.isEmpty {
            isComplete = true
        } else if content.starts(with: "HTTP/".utf8) {
            // A status line. After an interim response (1xx) or a proxy's response, the header starts again.
            let fields = content.split(separator: 0x20, maxSplits: 2)
            status = fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) : nil
            headers = []
            isComplete = false
        } else if !isComplete, let colon = content.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: content[..<colon], as: UTF8.self)
            headers.append(HTTPHeader(name: name, value: CurlResponseHead.value(content[(colon + 1)...])))
        }
        return true
    }

    private static func value(_ bytes: ArraySlice<UInt8>) -> String {
        func isText(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
#endif
